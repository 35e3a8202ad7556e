// Package session says what a session of an agent is told at each moment, and keeps what it ran into.
//
// A session is told little, once, and only what this clone made or a trusted key signed: at its start what counts here and now,
// at a prompt what is known about it, before the call of a tool that the same did not work before. What it is told is data between
// marks; it decides nothing and permits nothing. Silence is the usual answer.
//
// What a session was told, and which of its tools failed, stands in a file of this clone until the session has been over for
// some weeks. No secret is written there: what failed goes through the rules of the scan first.
package session

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// The characters of what is told. Agents read it at every start, prompt and call, beside all else that they are told.
const (
	startBudget   = 3000
	promptBudget  = 1500
	warningBudget = 900
	leastBudget   = 300 // below it nothing is told
)

// Session answers the moments of one session. It is not safe for concurrent use; processes of the same session may run at once.
type Session struct {
	memory *memory.Memory
	recall *recall.Recall
	now    func() time.Time
	draw   io.Reader
	state  *state
	moment agent.Moment
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
		state: openState(o.Memory.Repo().CommonDir, o.Moment),
	}
}

// Answer returns what the host is told, in its own form; nothing where there is nothing to say.
func (s *Session) Answer(ctx context.Context) ([]byte, error) {
	if s.recall == nil || !s.moment.Host.Hears(s.moment.Event) {
		return nil, nil
	}
	told, err := s.tell(ctx)
	if err != nil || told == nil {
		return nil, err
	}
	return s.fitted(told)
}

// Once reports whether this process is the one to tell the session of something that is no record. Where nothing can be noted, each
// is.
func (s *Session) Once(what string) bool {
	if s.state.told(what) {
		return false
	}
	mine, err := s.state.claim([]string{what}, s.draw)
	return err != nil || len(mine) > 0
}

// tell asks for what this moment is told; nil is nothing.
func (s *Session) tell(ctx context.Context) (told, error) {
	switch s.moment.Event {
	case agent.SessionStart:
		return s.start(ctx)
	case agent.Prompt:
		return s.prompt(ctx)
	case agent.Tool, agent.AfterTool, agent.ToolFailure:
		return s.warn(ctx)
	default:
		return nil, nil
	}
}

// told is something to be told, made of things that each have a key.
type told interface {
	Markdown() string
	keys() []string
	within(budget int) told                 // what of it fits some characters
	only(wanted func(key string) bool) told // some of its things
}

// fitted writes what fits the host, and notes that it is told. Of processes that tell the same at once, one does. Where nothing
// can be noted, a start is told all the same, which comes once; what comes at every prompt and call is not.
func (s *Session) fitted(all told) ([]byte, error) {
	t, err := s.fit(all)
	if err != nil || t == nil {
		return nil, err
	}
	mine, err := s.state.claim(t.keys(), s.draw)
	if err != nil && s.moment.Event == agent.SessionStart {
		mine, err = t.keys(), nil
	}
	if err != nil || len(mine) == 0 {
		return nil, err
	}
	s.recall.Shown(records(mine)...)
	return s.write(t.only(func(key string) bool { return slices.Contains(mine, key) }))
}

// fit leaves out what the host would cut; nil where nothing fits.
func (s *Session) fit(all told) (told, error) {
	for budget := s.budget(); budget >= leastBudget; budget /= 2 {
		t := all.within(budget)
		_, err := s.write(t)
		if errors.Is(err, agent.ErrTooLong) {
			continue
		}
		if err != nil || len(t.keys()) == 0 {
			return nil, err
		}
		return t, nil
	}
	return nil, nil
}

func (s *Session) write(t told) ([]byte, error) {
	return s.moment.Host.Answer(s.moment.Event, t.Markdown())
}

// records are the records that some keys are about.
func records(keys []string) []packet.ID {
	var ids []packet.ID
	for _, key := range keys {
		name, _, _ := strings.Cut(strings.TrimPrefix(key, warned), " ")
		if id, err := packet.ParseID(name); err == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// budget is how many characters this moment is told at most.
func (s *Session) budget() int {
	switch s.moment.Event {
	case agent.SessionStart:
		return startBudget
	case agent.Prompt:
		return promptBudget
	default:
		return warningBudget
	}
}

// nonce returns 64 random bits in hex.
func (s *Session) nonce() (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(s.draw, b[:]); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// unsaid are the things that the session was not told yet.
func unsaid[T any](s *Session, all []T, of func(T) string) []T {
	return filtered(all, func(one T) bool { return !s.state.told(of(one)) })
}

// filtered are the things that are wanted.
func filtered[T any](all []T, wanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !wanted(one) })
}

func keysOf[T any](all []T, of func(T) string) []string {
	keys := make([]string, len(all))
	for i, one := range all {
		keys[i] = of(one)
	}
	return keys
}

// keyOf names a thing that is told.
func keyOf(k briefing.Known) string { return key(k.ID, k.Place) }

func key(id, place string) string { return id + " " + place }
