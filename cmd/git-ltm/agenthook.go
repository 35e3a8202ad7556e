package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

// hookPatience is how long an agent waits for a hook at an event; what takes longer is not said. The settings
// that we write allow more.
func hookPatience(event agent.Event) time.Duration {
	switch event {
	case agent.SessionStart:
		return 8 * time.Second
	case agent.Prompt:
		return 3 * time.Second
	default:
		return 2 * time.Second
	}
}

// hookMemory is where a hook begins to collect its garbage at once, so that it takes less than 100 MB,
// whatever it reads.
const hookMemory = 56 << 20

// agentHook answers the hook of an agent. Agents take an exit code for a decision, so it fails only where a
// person typed it: what goes wrong is kept for 'git ltm status'.
func (e *env) agentHook(ctx context.Context, words []string) error {
	host, known := agent.ParseHost(words[0], e.getenv)
	event, named := agent.ParseEvent(words[1])
	if !known {
		return fmt.Errorf("there is no agent %q, and no hook of git that is called so: %s",
			reply.Word(words[0]), hostWords())
	}
	if !named {
		e.warnf("there is no hook %q of an agent %q; agents: %s; events: %s", reply.Word(words[1]),
			reply.Word(words[0]), hostWords(), eventLines())
		return nil
	}
	debug.SetMemoryLimit(hookMemory)
	patience := hookPatience(event)
	if e.drafts() {
		patience = draftPatience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	data, err := e.readStdin(ctx, agent.MaxInput+1)
	if err != nil {
		return nil // Who hands over nothing is told nothing.
	}
	if err := e.inTime(ctx, func(own *env) error { return own.attend(ctx, host, event, data) }); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), faultPatience)
		defer cancel()
		_ = e.inTime(ctx, func(own *env) error { return own.keepFault(ctx, host, event, err) })
	}
	return nil
}

// endPatience is how long what is left behind may take to end its children, and to say why it failed.
const endPatience = 200 * time.Millisecond

// errLate says that a hook was left behind.
var errLate = errors.New("it was not done when its time was up")

// inTime does the work of a hook, and prints its answer when it is done. What is not done when the time is up
// is left behind, whatever it does then: nobody waits for a loop, an expression or a child that does not end.
// The process ends soon, and it too.
func (e *env) inTime(ctx context.Context, work func(*env) error) error {
	own, answer := *e, new(bytes.Buffer)
	own.stdout, own.stderr = answer, io.Discard
	done := make(chan error, 1)
	go func() { done <- work(&own) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(endPatience):
			return errLate
		}
	}
	e.dir, e.vars, e.rules = own.dir, own.vars, own.rules
	if ctx.Err() != nil {
		return cmp.Or(err, errLate)
	}
	_, failure := e.stdout.Write(answer.Bytes())
	return errors.Join(err, failure)
}

// attend answers an event. A fault of the program is one like others: an agent whose tool it stopped could
// not go on.
func (e *env) attend(ctx context.Context, host agent.Host, event agent.Event, data []byte) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault of git ltm itself: %v", fault)
		}
	}()
	moment, err := agent.Read(host, event, data)
	if err == nil {
		err = e.place(moment.Dir)
	}
	if err == nil {
		err = e.answer(ctx, moment, data)
	}
	return err
}

// place lets the command work where the session does. The agent may have been started by git, which says of
// another repository where it lies.
func (e *env) place(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return fmt.Errorf("find the directory of the session: %q is not one", dir)
	}
	e.dir, e.vars = dir, git.Nowhere(e.vars)
	return nil
}

// answer does what the moment asks for.
func (e *env) answer(ctx context.Context, moment agent.Moment, data []byte) error {
	switch {
	case !slices.Contains([]agent.Event{agent.Compacted, agent.Stop, agent.SessionEnd}, moment.Event):
	case e.drafts():
		return e.keepDraft(ctx, moment, data)
	case moment.Event == agent.Stop:
		return errors.Join(e.leaveDraft(ctx, moment, data), e.askToSave(ctx, moment))
	default:
		return e.leaveDraft(ctx, moment, data)
	}
	failed := quiet.Failed(moment)
	started := moment.Event == agent.SessionStart
	if !moment.Host.Listens(moment.Event) && !failed && !started {
		return nil
	}
	return e.inSession(ctx, moment, func(m *memory.Memory, s *session.Session) (err error) {
		switch {
		case started:
			err = e.letTravel(ctx, m.Repo(), moment.Event)
		case moment.Event == agent.Prompt:
			_, err = remote.Stir(m.Repo(), e.now())
		}
		if failed {
			err = s.Failed(ctx) // This is quick, and what is told may come too late.
		}
		return errors.Join(err, e.inform(ctx, m, moment))
	})
}

// faultPatience is how long it may take to keep a fault: the agent has waited already.
const faultPatience = time.Second

// keepFault keeps why a hook could do nothing. Where even that fails, nobody can be told.
func (e *env) keepFault(ctx context.Context, host agent.Host, event agent.Event, fault error) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	return session.KeepFault(repo.Local(),
		session.Fault{Host: string(host), Event: string(event), At: e.now().UTC(), Error: e.shortened(fault)})
}
