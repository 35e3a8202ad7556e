// Package session says what a session of an agent is told at each moment, and keeps what it ran into.
//
// A session is told little, once, and only what this clone made, a trusted key signed, or the remote
// delivered and is labelled as what somebody says: at its start what counts here and now, at a prompt what is
// known about it, before the call of a tool that the same did not work before. What it is told is data
// between marks and permits nothing. A call that certainly meets a dead end is held back once, and goes on
// when it is made again. Silence is the usual answer.
//
// What a session was told and asked, and which of its tools failed, stands in a file of this clone until the
// session has been over for some weeks. No secret is written there: what failed goes through the rules of the
// scan first.
package session

import (
	"context"
	"io"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// Session answers the moments of one session. It is not safe for concurrent use; processes of the same
// session may run at once.
type Session struct {
	memory *memory.Memory
	recall *recall.Recall
	now    func() time.Time
	draw   io.Reader
	state  *state
	moment agent.Moment
	also   string
}

// Options are what a Session takes.
type Options struct {
	Memory  *memory.Memory   // required
	Recall  *recall.Recall   // nil where nothing is known
	Now     func() time.Time // required
	Entropy io.Reader        // required
	Moment  agent.Moment     // required
}

// New makes a session ready to answer a moment.
func New(o Options) *Session {
	return &Session{
		memory: o.Memory, recall: o.Recall, now: o.Now, draw: o.Entropy, moment: o.Moment,
		state: openState(o.Memory.Repo().Local(), o.Moment),
	}
}

// Also adds a word of git ltm's own to the next answer, below what is told, or alone.
func (s *Session) Also(text string) { s.also += text }

// Answer returns what the host is told, in its own form; nothing where there is nothing to say.
func (s *Session) Answer(ctx context.Context) ([]byte, error) {
	if !s.moment.Host.Listens(s.moment.Event) {
		return nil, nil
	}
	answer, err := []byte(nil), error(nil)
	switch {
	case s.recall == nil:
	case s.moment.Event.OfTool():
		answer, err = s.atCall(ctx)
	case s.moment.Event == agent.SessionStart:
		answer, err = s.tellStart(ctx)
	case s.moment.Event == agent.Prompt && !isCommand(s.moment.Prompt):
		if err = s.tellArrived(ctx); err == nil {
			answer, err = s.tellPrompt(ctx)
		}
	}
	if len(answer) > 0 || err != nil {
		return answer, err
	}
	return s.moment.Host.Answer(s.moment.Event, s.also)
}

// Once reports whether this process is the one to tell the session of something that is no record. Where
// nothing can be noted, each is.
func (s *Session) Once(what string) bool {
	if s.state.wasTold(what) {
		return false
	}
	mine, err := s.state.claimKeys([]string{what}, s.draw)
	return err != nil || len(mine) > 0
}
