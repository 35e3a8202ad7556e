package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// DeadEndKey is the key of the configuration that says what happens before a call that certainly meets a known dead end: warn, once
// or ask.
const DeadEndKey = "ltm.deadEnd"

const (
	inOneTurn   = 2 * time.Second // Calls that are no further apart were made before the model read an answer: all are held back.
	mostLearned = 1000            // sessions of this clone in which is looked up what worked
)

// hold holds a call back that certainly meets a known dead end, once in a session, and returns the answer that does so; nothing
// where the call goes on. A call goes on, too, where it cannot be kept that it was held back.
func (s *Session) hold(ctx context.Context, action deadend.Action, all []met) ([]byte, error) {
	all = filtered(all, func(m met) bool { return m.certain })
	if len(all) == 0 || !s.moment.Host.Holds(s.moment.Event) {
		return nil, nil
	}
	how, holds := s.holding(ctx)
	if !holds {
		return nil, nil
	}
	s.state.load()
	open := filtered(all, func(m met) bool {
		at, held := s.state.held[keyOf(m.Known)]
		return (!held || s.now().Sub(at).Abs() <= inOneTurn) && (m.by != deadend.ByCommand || !s.state.worked(keyOf(m.Known)))
	})
	if len(open) == 0 {
		return nil, s.state.goes(s.now(), sumOf(action), all, s.moment.Host.TellsFailures())
	}
	held := briefing.Held{Met: open[0].Met, To: replay.Unasked, Now: s.now(), Asked: how == agent.Ask}
	var err error
	if held.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return nil, err
	}
	answer, err := s.moment.Host.Hold(s.moment.Event, how, held.Markdown())
	if err != nil || len(answer) == 0 || !s.state.hold(s.now(), all) {
		return nil, err
	}
	_, _ = s.state.claim([]string{warned + keyOf(held.Known)}, s.draw) // Without it, it is told again with the result.
	return answer, nil
}

// isCertain tells whether a dead end holds a call back: one that is trusted and undisputed, and that names this very call.
func isCertain(e recall.DeadEnd) bool {
	return e.Match.Certain && e.Entry.Trusted() && !e.Entry.Life.Contradicted
}

// holding is how calls are held back here; false where they are not. A value that a checkout may have brought, and one that is none,
// let the call go on: nothing that comes with a repository makes an agent wait.
func (s *Session) holding(ctx context.Context) (agent.Holding, bool) {
	all, err := s.memory.Repo().ScopedSettings(ctx, DeadEndKey)
	value := "once"
	for _, one := range all {
		value = strings.ToLower(one.Value)
	}
	switch {
	case err == nil && value == "once":
		return agent.Deny, true
	case err == nil && value == "ask":
		return agent.Ask, true
	default:
		return "", false
	}
}

// sumOf names a call by what it does.
func sumOf(action deadend.Action) string {
	sum := sha256.Sum256([]byte(action.Command + "\x00" + strings.Join(action.Paths, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// outcome is what became of a call that went on although a dead end was met.
type outcome struct {
	at   time.Time
	call string
	ok   bool
}

// hold keeps that a call was held back for some dead ends, and reports whether that can be read again.
func (s *state) hold(now time.Time, all []met) bool {
	var lines strings.Builder
	for _, m := range all {
		fmt.Fprintf(&lines, "held %d %s\n", now.UnixMilli(), keyOf(m.Known))
	}
	if s.append(lines.String()) != nil {
		return false
	}
	s.load()
	return !slices.ContainsFunc(all, func(m met) bool { return s.held[keyOf(m.Known)].IsZero() })
}

// goes keeps that a call goes on. It counts as one that worked until the host says that it failed, so that nothing is kept for a host
// that never says so.
func (s *state) goes(now time.Time, call string, all []met, toldOfFailures bool) error {
	var lines strings.Builder
	for _, m := range all {
		if toldOfFailures && m.by == deadend.ByCommand && !s.ran[keyOf(m.Known)].ok {
			fmt.Fprintf(&lines, "ran %d %s %s\n", now.UnixMilli(), call, keyOf(m.Known))
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	return s.append(lines.String())
}

// didNotWork keeps that a call failed or was ended, if it was one that had gone on.
func (s *state) didNotWork(now time.Time, call string) error {
	s.load()
	for _, o := range s.ran {
		if o.ok && o.call == call {
			return s.append(fmt.Sprintf("ran %d %s\n", now.UnixMilli(), call))
		}
	}
	return nil
}

// takeRan reads that a call went on for a dead end, or, without one, that it did not work.
func (s *state) takeRan(milli, rest string) {
	ms, err := strconv.ParseInt(milli, 10, 64)
	if err != nil {
		return
	}
	call, key, worked := strings.Cut(rest, " ")
	if worked {
		s.ran[key] = outcome{time.UnixMilli(ms), call, true}
		return
	}
	for key, o := range s.ran {
		if o.call == call {
			s.ran[key] = outcome{time.UnixMilli(ms), call, false}
		}
	}
}

// worked tells whether what a dead end speaks of worked since, in whichever session of this clone it was tried last.
func (s *state) worked(key string) bool {
	last := s.ran[key]
	list, err := os.ReadDir(filepath.Dir(s.file.Path()))
	if err != nil {
		return last.ok
	}
	for _, e := range list[:min(len(list), mostLearned)] {
		other := state{file: local.At(filepath.Join(filepath.Dir(s.file.Path()), e.Name()))}
		other.load()
		if o := other.ran[key]; o.at.After(last.at) {
			last = o
		}
	}
	return last.ok
}
