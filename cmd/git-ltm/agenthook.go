package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

// hookPatience is how long an agent waits for a hook at an event; what takes longer is not said. The settings that we write allow
// more.
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

// agentHook answers the hook of an agent. Agents take an exit code for a decision, so it fails only where a person typed it: what
// goes wrong is kept for 'git ltm status'.
func (e *env) agentHook(ctx context.Context, words []string) error {
	host, known := agent.ParseHost(words[0], e.getenv)
	event, named := agent.ParseEvent(words[1])
	if !known || !named {
		e.warnf("there is no hook %q of an agent %q; agents: %s; events: %s", reply.Word(words[1]), reply.Word(words[0]), hostWords(), eventLines())
		return nil
	}
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
	if err := e.attend(ctx, host, event, data); err != nil {
		e.keepFault(host, event, err)
	}
	return nil
}

// attend answers an event. A fault of the program is one like others: an agent whose tool it stopped could not go on.
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

// place lets the command work where the session does. The agent may have been started by git, which says of another repository
// where it lies.
func (e *env) place(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return fmt.Errorf("find the directory of the session: %q is none", dir)
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
	default:
		return e.leaveDraft(moment, data)
	}
	failed := moment.Event == agent.ToolFailure || moment.Event == agent.AfterTool
	if !moment.Host.Hears(moment.Event) && !failed {
		return nil
	}
	return e.inSession(ctx, moment, func(m *memory.Memory, s *session.Session) error {
		answer, err := s.Answer(ctx)
		if err == nil && len(answer) == 0 && moment.Event == agent.SessionStart {
			answer, err = e.firstContact(ctx, m, moment)
		}
		if err == nil && len(answer) > 0 {
			_, err = e.stdout.Write(answer)
		}
		if failed {
			err = errors.Join(err, s.Failed(ctx))
		}
		return err
	})
}

// inSession opens the memory for a session. Where there is no repository, there is nothing to say.
func (e *env) inSession(ctx context.Context, moment agent.Moment, do func(*memory.Memory, *session.Session) error) error {
	m, err := memory.Open(ctx, memory.Options{Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy})
	if errors.Is(err, git.ErrNotRepository) || errors.Is(err, git.ErrUnsafe) || errors.Is(err, git.ErrNoGit) {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := e.known(ctx, m)
	if err == nil {
		s := session.New(session.Options{Memory: m, Recall: r, Now: e.now, Entropy: e.entropy, Moment: moment})
		err = do(m, s)
	}
	if r != nil {
		err = errors.Join(err, r.Close())
	}
	return errors.Join(err, m.Close())
}

// known makes the memory ready for questions, or returns nil where it holds nothing: no index is made for that.
func (e *env) known(ctx context.Context, m *memory.Memory) (*recall.Recall, error) {
	if !recall.IsIndexed(m) && m.User(ctx) == nil {
		listed, err := m.Listing(ctx)
		if err != nil || len(listed) == 0 {
			return nil, err
		}
	}
	return recall.Open(ctx, m, recall.Options{Now: e.now})
}

// firstContact tells a session that a remote holds memory which this clone has never looked at.
func (e *env) firstContact(ctx context.Context, m *memory.Memory, moment agent.Moment) ([]byte, error) {
	held, err := m.Held(ctx)
	if err != nil || held > 0 || moment.Source == "resume" {
		return nil, err
	}
	name, n := e.awaiting(ctx, m)
	if n == 0 {
		return nil, nil
	}
	return moment.Host.Answer(moment.Event, fmt.Sprintf("git ltm: the remote %s holds %d record(s) of this project's memory, and this clone none. "+
		"A person can bring them with: git ltm pull\n", e.printable(name), n))
}

// keepFault keeps why a hook could do nothing. Where even that fails, nobody can be told.
func (e *env) keepFault(host agent.Host, event agent.Event, fault error) {
	ctx, cancel := context.WithTimeout(context.Background(), hookPatience(event))
	defer cancel()
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return
	}
	_ = session.KeepFault(repo.CommonDir, session.Fault{Host: string(host), Event: string(event), At: e.now().UTC(), Error: e.shortened(fault)})
}

// hostWords are the names of the agents, for a person.
func hostWords() string {
	var text strings.Builder
	for _, h := range agent.Hosts() {
		text.WriteString(string(h) + ", ")
	}
	return text.String() + "or " + agent.Plugin
}

// eventLines are the names of the events, for a help text.
func eventLines() string {
	words := agent.Events()
	var text strings.Builder
	for i, w := range words {
		switch {
		case i == len(words)-1:
			text.WriteString(" or ")
		case i == 6:
			text.WriteString(",\n") // The line is full.
		case i > 0:
			text.WriteString(", ")
		}
		text.WriteString(string(w))
	}
	return text.String()
}
