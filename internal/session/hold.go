package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

const (
	// Calls that are no further apart were made before the model read an answer: all are held back.
	inOneTurn = 2 * time.Second

	// What became of a call that went on although a dead end was met.
	outcomeWorked = "worked"
	outcomeFailed = "failed"
)

// holdCall holds a call back that certainly meets a known dead end, once in a session, and returns the answer
// that does so; nothing where the call goes on. A call goes on, too, where it cannot be kept that it was held
// back.
func (s *Session) holdCall(action deadend.Action, all []recall.DeadEnd) ([]byte, error) {
	all = filterItems(all, func(e recall.DeadEnd) bool { return e.Holds != "" })
	if len(all) == 0 || !s.moment.Host.Holds(s.moment.Event) {
		return nil, nil
	}
	s.state.loadFile()
	open := filterItems(all, func(e recall.DeadEnd) bool {
		at, held := s.state.held[keyOf(e.Known)]
		return (!held || s.now().Sub(at).Abs() <= inOneTurn) && !s.state.hasWorked(e)
	})
	if len(open) == 0 {
		return nil, s.state.noteGoing(sumOf(action), all)
	}
	first := open[0]
	held := briefing.Held{Met: first.Met(), To: replay.Unasked, Now: s.now(), Asked: first.Holds == agent.Ask}
	var err error
	if held.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return nil, err
	}
	answer, err := s.moment.Host.Hold(s.moment.Event, first.Holds, held.Markdown())
	if err != nil || len(answer) == 0 || !s.state.noteHeld(s.now(), all) {
		return nil, err
	}
	// Without it, it is told again with the result.
	_, _ = s.state.claimKeys([]string{warned + keyOf(held.Known)}, s.draw)
	return answer, nil
}

// sumOf names a call by what it does.
func sumOf(action deadend.Action) string {
	sum := sha256.Sum256([]byte(action.Command + "\x00" + strings.Join(action.Paths, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// noteHeld keeps that a call was held back for some dead ends, and reports whether that can be read again.
func (s *state) noteHeld(now time.Time, all []recall.DeadEnd) bool {
	var lines strings.Builder
	for _, e := range all {
		fmt.Fprintf(&lines, "held %d %s\n", now.UnixMilli(), keyOf(e.Known))
	}
	if s.appendLines(lines.String()) != nil {
		return false
	}
	s.loadFile()
	return !slices.ContainsFunc(all, func(e recall.DeadEnd) bool { return s.held[keyOf(e.Known)].IsZero() })
}

// noteGoing keeps that a call goes on. What became of it is not known: the person may not allow it.
func (s *state) noteGoing(call string, all []recall.DeadEnd) error {
	var lines strings.Builder
	for _, e := range all {
		if e.Match.By == deadend.ByCommand && s.went[keyOf(e.Known)] != call {
			fmt.Fprintf(&lines, "ran %s %s\n", call, keyOf(e.Known))
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	return s.appendLines(lines.String())
}

// noteEnded keeps what became of a call, if it is one that had gone on and of which that is not kept already.
func (s *state) noteEnded(call, how string) error {
	s.loadFile()
	var all []journal.Entry
	for key, went := range s.went {
		if last, _ := s.outcomes.Reader().Find(key); went == call && last != how {
			all = append(all, journal.Entry{Key: key, Value: how})
		}
	}
	return s.outcomes.Append(all)
}

// learnOutcomes keeps of the calls that went on how they ended, by the transcript. One that the person did
// not allow is not in it, and a host that tells hooks of no failure has it there.
func (s *state) learnOutcomes(repo *git.Repo, ran []transcript.Command) error {
	if s.loadFile(); len(s.went) == 0 {
		return nil
	}
	last := map[string]string{}
	for _, c := range ran {
		call := sumOf(quiet.Action(repo, agent.Call{Command: c.Text}))
		if last[call] = outcomeWorked; c.Failed {
			last[call] = outcomeFailed
		}
	}
	for call, how := range last {
		if err := s.noteEnded(call, how); err != nil {
			return err
		}
	}
	return nil
}

// workedLast are the commands that worked when they ran last.
func workedLast(repo *git.Repo, ran []transcript.Command) []deadend.Action {
	var all []deadend.Action
	for i, c := range ran {
		if !c.Failed && !slices.ContainsFunc(ran[i+1:], func(later transcript.Command) bool {
			return later.Text == c.Text
		}) {
			all = append(all, quiet.Action(repo, agent.Call{Command: c.Text}))
		}
	}
	return all
}

// hasWorked tells whether the command that a dead end speaks of worked when it was tried last in this clone.
// For a file there is no such thing. What cannot be read did not work.
func (s *state) hasWorked(e recall.DeadEnd) bool {
	last, _ := s.outcomes.Reader().Find(keyOf(e.Known))
	return e.Match.By == deadend.ByCommand && last == outcomeWorked
}

// Release lets those dead ends hold no call back whose command worked since, as hooks do.
func Release(dir *local.Dir, ends []recall.DeadEnd) {
	nobody := openState(dir, agent.Moment{})
	for i, e := range ends {
		if e.Holds != "" && nobody.hasWorked(e) {
			ends[i].Holds = ""
		}
	}
}
