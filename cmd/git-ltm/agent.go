package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// hookMemory is where a hook begins to collect its garbage at once, so that it takes less than 100 MB,
// whatever it reads.
const hookMemory = 56 << 20

// isAgentHook tells the hook of an agent that is known from what a person mistyped or silenced.
func isAgentHook(e *env, host, event string) bool {
	_, known := agent.ParseHost(host, e.getenv)
	_, named := agent.ParseEvent(event)
	return known && named && !e.isDisabled()
}

// answerAgent answers the hook of an agent. Agents take an exit code for a decision, so it fails only where a
// person typed it: what goes wrong is kept for 'git ltm status'.
func answerAgent(ctx context.Context, e *env, words []string) error {
	host, known := agent.ParseHost(words[0], e.getenv)
	event, named := agent.ParseEvent(words[1])
	if !known {
		return fmt.Errorf("there is no agent %q, and no hook of git that is called so: %s",
			reply.Word(words[0]), hostWords())
	}
	if !named {
		e.warnf("there is no hook %q of an agent %q; agents: %s; events: %s", reply.Word(words[1]),
			reply.Word(words[0]), hostWords(), joinWords(agent.Events)())
		return nil
	}
	debug.SetMemoryLimit(hookMemory)
	// What takes longer is not said. The settings that we write allow more.
	patience := 2 * time.Second
	switch event {
	case agent.SessionStart:
		patience = 8 * time.Second
	case agent.Prompt:
		patience = 3 * time.Second
	}
	if writesDrafts(e) {
		patience = draftPatience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	data, err := e.readStdin(ctx, agent.MaxInput+1)
	if err != nil {
		return nil // Who hands over nothing is told nothing.
	}
	err = runInTime(ctx, e, func(own *env) error {
		err := attendEvent(ctx, own, host, event, data)
		if err == nil || !host.TellsPerson(event) {
			return err
		}
		// Nothing of memory works then, and who asks no command would not hear of it.
		line := git.DamagedRefs(own.dir, own.vars)
		if line != "" {
			line = "git ltm: " + line
		}
		return errors.Join(err, own.writeOut(host.Say(event, nil, line)))
	})
	if err == nil {
		return nil
	}
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), faultPatience)
	defer cancel()
	_ = runInTime(ctx, e, func(own *env) error { // Where even that fails, nobody can be told.
		repo, failed := git.Find(ctx, own.dir, own.vars)
		if failed != nil {
			return failed
		}
		return session.KeepFault(repo.Local(), session.Fault{
			Host: string(host), Event: string(event), At: own.now().UTC(), Error: shortenFault(own, err),
		})
	})
	return nil
}

// endPatience is how long what is left behind may take to end its children, and to say why it failed.
const endPatience = 200 * time.Millisecond

// errLate says that a hook was left behind.
var errLate = errors.New("it was not done when its time was up")

// runInTime does the work of a hook, and prints its answer when it is done. What is not done when
// the time is up
// is left behind, whatever it does then: nobody waits for a loop, an expression or a child that does not end.
// The process ends soon, and it too.
func runInTime(ctx context.Context, e *env, work func(*env) error) error {
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

// attendEvent answers an event. A fault of the program is one like others: an agent whose tool it stopped could
// not go on.
func attendEvent(ctx context.Context, e *env, host agent.Host, event agent.Event, data []byte) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault of git ltm itself: %v", fault)
		}
	}()
	moment, err := agent.Read(host, event, data)
	if err != nil {
		return err
	}
	if moment.Dir != "" {
		// The agent may have been started by git, which says of another repository where it lies.
		e.vars = git.Nowhere(e.vars)
		moment = atProject(ctx, e, moment)
		info, err := os.Stat(moment.Dir)
		if err != nil || !info.IsDir() || !filepath.IsAbs(moment.Dir) {
			return fmt.Errorf("find the directory of the session: %q is not one", moment.Dir)
		}
		e.dir = moment.Dir
	}
	if slices.Contains([]agent.Event{agent.Compacted, agent.Stop, agent.SessionEnd}, moment.Event) {
		repo, err := git.Find(ctx, e.dir, e.vars)
		switch {
		case err != nil:
			return nil //nolint:nilerr // without a repository there is no memory
		case writesDrafts(e):
			return keepDraft(ctx, e, repo, moment, data)
		case moment.Event == agent.Stop:
			return errors.Join(leaveDraft(e, repo, moment, data), askToSave(ctx, e, repo, moment))
		}
		return leaveDraft(e, repo, moment, data)
	}
	failed := quiet.Failed(moment)
	started := moment.Event == agent.SessionStart
	if !moment.Host.Listens(moment.Event) && !failed && !started {
		return nil
	}
	return inSession(ctx, e, moment, func(m *memory.Memory, s *session.Session) (err error) {
		switch {
		case started:
			var travels bool
			if travels, err = fetchAtStart(ctx, e, m.Repo(), moment); travels {
				s.AwaitArrivals()
			}
		case moment.Event == agent.Prompt:
			_, err = remote.Stir(m.Repo(), e.now())
		}
		if failed {
			err = s.Failed(ctx) // This is quick, and what is told may come too late.
		}
		return errors.Join(err, informSession(ctx, e, m, moment))
	})
}

// atProject returns a moment where its session has its memory: in the repository in which it was started. An agent
// goes elsewhere, also into a submodule, and comes back. Work trees and folders of that repository are places in it.
func atProject(ctx context.Context, e *env, moment agent.Moment) agent.Moment {
	project := moment.Host.Project(e.getenv)
	if project == moment.Dir || !filepath.IsAbs(project) {
		return moment
	}
	home, err := git.Find(ctx, project, e.vars)
	if err != nil {
		return moment
	}
	if here, err := git.Find(ctx, moment.Dir, e.vars); err != nil || here.CommonDir != home.CommonDir {
		moment.Dir, moment.Call.Dir = project, moment.Dir
	}
	return moment
}

// faultPatience is how long it may take to keep a fault: the agent has waited already.
const faultPatience = time.Second

// askToSave asks the agent of a session that was substantial and saved nothing to do so before it ends. The
// memory is not opened where no question is due.
func askToSave(ctx context.Context, e *env, repo *git.Repo, moment agent.Moment) error {
	if !moment.Host.Hears(moment.Event) {
		return nil
	}
	due, err := dueQuestion(ctx, e, repo, moment)
	if err != nil || due == nil {
		return err
	}
	return inSession(ctx, e, moment, func(m *memory.Memory, _ *session.Session) error {
		text, err := due.Put(ctx, m, e.now(), e.entropy)
		if err != nil {
			return err
		}
		return e.writeOut(moment.Host.Answer(moment.Event, text))
	})
}

func dueQuestion(
	ctx context.Context, e *env, repo *git.Repo, moment agent.Moment,
) (*session.Question, error) {
	return session.Due(ctx, repo.Local(), moment, e.getenv, transcriptFile(moment.Transcript), e.now())
}

// inSession opens the memory for a session. Where there is no repository, there is nothing to say.
func inSession(ctx context.Context, e *env, moment agent.Moment,
	do func(*memory.Memory, *session.Session) error,
) error {
	m, err := memory.Open(ctx,
		memory.Options{
			Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, Offline: true,
			Unattended: true,
		})
	if errors.Is(err, git.ErrNotRepository) || errors.Is(err, git.ErrUnsafe) || errors.Is(err, git.ErrNoGit) {
		return nil
	}
	if err != nil {
		return err
	}
	if err = do(m, newSession(e, m, nil, moment)); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), faultPatience)
		defer cancel()
		e.rules, _ = m.Rules(ctx) // What went wrong may hold a secret of the house.
	} else {
		session.HealFault(m.Repo().Local(), string(moment.Host), string(moment.Event))
	}
	return errors.Join(err, m.Close())
}

func newSession(e *env, m *memory.Memory, r *recall.Recall, moment agent.Moment) *session.Session {
	return session.New(session.Options{Memory: m, Recall: r, Now: e.now, Entropy: e.entropy, Moment: moment})
}

// informSession tells a session what it is to know at a moment, and where nothing of what is here is trusted, that.
func informSession(ctx context.Context, e *env, m *memory.Memory, moment agent.Moment) (err error) {
	if !moment.Host.Listens(moment.Event) {
		return nil
	}
	holds := recall.IsIndexed(m) || m.User(ctx) != nil || recall.HasDrafts(m)
	if !holds { // No index is made for nothing.
		listed, err := m.Source().Listing(ctx)
		if err != nil {
			return err
		}
		holds = len(listed) > 0
	}
	var r *recall.Recall
	if holds {
		r = recall.Open(ctx, m, recall.Options{Now: e.now})
		defer func() { err = errors.Join(err, r.Close()) }()
	}
	s, started := newSession(e, m, r, moment), moment.Event == agent.SessionStart
	if started {
		ask := s.AskAtStart
		if moment.Source == "compact" {
			ask = func(ctx context.Context) (string, error) {
				due, err := dueQuestion(ctx, e, m.Repo(), moment)
				if err != nil || due == nil {
					return "", err
				}
				return due.Put(ctx, m, e.now(), e.entropy)
			}
		}
		text, failed := ask(ctx)
		s.Also(text)
		defer func() { err = errors.Join(err, failed) }()
	}
	answer, err := s.Answer(ctx)
	if err == nil && len(answer) == 0 && started && moment.Source != "resume" && holds {
		var heard replay.Heard
		heard, err = r.Heard(ctx, replay.Unasked)
		if text := command.Unheard(heard); err == nil && text != "" && s.Once("unheard") {
			answer, err = moment.Host.Answer(moment.Event, text)
		}
	}
	if err == nil && moment.Host.TellsPerson(moment.Event) {
		var lines, others string
		if lines, err = s.NewDrafts(ctx); err == nil {
			others, err = newArrivals(ctx, e, m, r)
		}
		goesOn := moment.Source == "compact" || moment.Source == "resume"
		if err == nil && holds && !goesOn {
			if why := stoppedSharing(e, m.Repo()); why != "" && s.Once("stopped") {
				others += "\n" + session.NotTravelling(why)
			}
		}
		if err == nil {
			answer, err = moment.Host.Say(moment.Event, answer, strings.TrimSpace(lines+"\n"+others))
		}
	}
	return e.writeOut(answer, err)
}

// draftMark is the variable that tells the process which writes the draft from the one that an agent waits
// for.
const draftMark = "GIT_LTM_DRAFT"

// draftPatience is how long the draft of a session may take, with those before it. A model that works on one
// takes ten minutes at most.
const draftPatience = 30 * time.Minute

// leaveDraft lets a process of its own write the draft of a session, and ends at once: agents give the end of
// a session a second, and end the processes that they know.
func leaveDraft(e *env, repo *git.Repo, moment agent.Moment, data []byte) error {
	self, err := e.self()
	if err != nil {
		return err
	}
	return program.Detached{
		Program: self, Args: []string{"git-ltm", "hook", string(moment.Host), string(moment.Event)},
		Dir: repo.Dir, Env: append(slices.Clip(e.vars), draftMark+"=1"), Input: data,
	}.Start()
}

// writesDrafts tells whether this process is the one that writes drafts.
func writesDrafts(e *env) bool {
	mark, _ := e.getenv(draftMark)
	return mark != ""
}

// keepDraft lets memory travel, and writes the draft of a session while no other process of this clone writes
// one.
func keepDraft(ctx context.Context, e *env, repo *git.Repo, moment agent.Moment, data []byte) error {
	travels := letTravel(ctx, e, repo, moment.Event) // At once: nothing of a draft is ever sent.
	release, err := awaitDraftTurn(ctx, e, repo.Local(), moment)
	if err == nil && release != nil {
		err = errors.Join(writeDraft(ctx, e, moment, data), release())
	}
	return errors.Join(err, travels)
}

// awaitDraftTurn waits for the other process that writes a draft, which may read a transcript of hundreds of
// megabytes. It returns nothing where one waits already for this event of the session: that one reads its
// transcript later than now.
func awaitDraftTurn(ctx context.Context, e *env, dir *local.Dir,
	moment agent.Moment,
) (release func() error, err error) {
	if transcriptFile(transcriptAt(e, moment)) != "" {
		sum := sha256.Sum256(
			[]byte(string(moment.Host) + "\x00" + moment.Session + "\x00" + string(moment.Event)))
		waits, locked := dir.OwnFile("draft-" + hex.EncodeToString(sum[:8]) + ".again").TryLock()
		if errors.Is(locked, local.ErrLocked) {
			return nil, nil //nolint:nilnil // Its turn is that of the other.
		}
		if locked != nil {
			return nil, locked
		}
		defer func() { err = errors.Join(err, waits()) }()
	}
	return dir.OwnFile("draft.lock").Lock(ctx, draftPatience)
}

// writeDraft writes the draft of a session. Of one whose transcript has no form that is known, it is what
// hooks saw.
func writeDraft(ctx context.Context, e *env, moment agent.Moment, data []byte) error {
	return inSession(ctx, e, moment, func(m *memory.Memory, s *session.Session) error {
		req := session.KeepRequest{
			Host: transcript.Format(moment.Host), Session: moment.Session, Summary: moment.Summary,
			Failures: s.Failures(), Now: e.now(),
		}
		file := transcriptAt(e, moment)
		awaitTranscript(ctx, file) // Copilot CLI does not name it when a session ends.
		// What a host hands over of a session without a file is its transcript; that of Cursor has the form
		// of one of the others, if any.
		switch req.Transcript = transcriptFile(file); {
		case moment.Host == agent.OpenCode && req.Transcript == "":
			req.Source = bytes.NewReader(data)
		case moment.Host == agent.Cursor && req.Transcript != "":
			req.Host = ""
		}
		if empty := req.Transcript == "" && req.Source == nil && req.Summary == ""; empty {
			// One that knows less would take the place of what an earlier moment of the session left.
			drafts, err := m.Drafts().All(ctx)
			if err != nil || slices.ContainsFunc(drafts, func(d draft.Draft) bool {
				return d.Host == string(req.Host) && d.Session == req.Session
			}) {
				return err
			}
		}
		var refused error
		if moment.Event == agent.SessionEnd { // At every stop a model would be asked again and again.
			req.Refine, refused = session.Refiner(ctx, m, e.vars)
		}
		_, err := session.Keep(ctx, m, req)
		if errors.Is(err, session.ErrForm) {
			req.Host, req.Transcript = transcript.Format(moment.Host), ""
			_, err = session.Keep(ctx, m, req)
		}
		if errors.Is(err, session.ErrNothing) {
			return nil
		}
		return errors.Join(err, refused)
	})
}

// transcriptAt is where the transcript of a session is, or would be.
func transcriptAt(e *env, moment agent.Moment) string {
	if moment.Transcript != "" {
		return moment.Transcript
	}
	return transcript.SessionPath(e.homeDir(), e.getenv, transcript.Format(moment.Host), moment.Session)
}

// transcriptFile is a file that is a transcript as far as that can be seen, or nothing. Files that a kernel makes up
// look regular, have no size, and may be read for ever.
func transcriptFile(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return ""
	}
	return file
}

// How long a transcript is looked at, and how often. Copilot CLI was seen to write its own a tenth of a
// second after the hooks of its last answer, and nothing of it before.
const (
	settleLook  = 250 * time.Millisecond
	settleLooks = 12
)

// awaitTranscript waits, and not for long, until a transcript is there and does not grow: agents may write theirs
// after they call hooks.
func awaitTranscript(ctx context.Context, file string) {
	if file == "" {
		return
	}
	before := int64(0)
	for range settleLooks {
		if info, err := os.Stat(file); err == nil {
			if !info.Mode().IsRegular() || info.Size() > 0 && info.Size() == before {
				return
			}
			before = info.Size()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleLook):
		}
	}
}

// hostWords are the names of the agents, for a person.
func hostWords() string {
	return joinWords(agent.Hosts)() + " or " + agent.Plugin
}
