package session

import (
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
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

const (
	// Calls that are no further apart were made before the model read an answer: all are held back.
	inOneTurn   = 2 * time.Second
	mostLearned = 1000 // sessions of this clone in which is looked up what worked
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
		return nil, s.state.noteGoing(s.now(), sumOf(action), all)
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

// outcome is what became of a call that went on although a dead end was met.
type outcome struct {
	at time.Time
	ok bool
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
func (s *state) noteGoing(now time.Time, call string, all []recall.DeadEnd) error {
	var lines strings.Builder
	for _, e := range all {
		if e.Match.By == deadend.ByCommand && s.went[keyOf(e.Known)] != call {
			fmt.Fprintf(&lines, "ran %d %s %s\n", now.UnixMilli(), call, keyOf(e.Known))
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	return s.appendLines(lines.String())
}

// noteEnded keeps what became of a call, if it is one that had gone on and of which that is not kept already.
func (s *state) noteEnded(now time.Time, call string, ok bool) error {
	s.loadFile()
	for key, went := range s.went {
		if last, known := s.ran[key]; went == call && (!known || last.ok != ok) {
			return s.appendLines(fmt.Sprintf("ended %d %s %t\n", now.UnixMilli(), call, ok))
		}
	}
	return nil
}

// takeRan reads that a call went on for a dead end.
func (s *state) takeRan(rest string) {
	if call, key, found := strings.Cut(rest, " "); found {
		s.went[key] = call
	}
}

// takeEnded reads what became of a call that had gone on.
func (s *state) takeEnded(milli, rest string) {
	ms, err := strconv.ParseInt(milli, 10, 64)
	call, ok, found := strings.Cut(rest, " ")
	for key, went := range s.went {
		if err == nil && found && went == call {
			s.ran[key] = outcome{time.UnixMilli(ms), ok == "true"}
		}
	}
}

// learnOutcomes keeps of the calls that went on how they ended, by the transcript. One that the person did
// not allow is not in it, and a host that tells hooks of no failure has it there.
func (s *state) learnOutcomes(repo *git.Repo, now time.Time, ran []transcript.Command) error {
	s.loadFile()
	if len(s.went) == 0 {
		return nil
	}
	last := map[string]bool{}
	for _, c := range ran {
		last[sumOf(quiet.Action(repo, agent.Call{Command: c.Text}))] = !c.Failed
	}
	for call, ok := range last {
		if err := s.noteEnded(now, call, ok); err != nil {
			return err
		}
	}
	return nil
}

// hasWorked tells whether the command that a dead end speaks of worked since, in whichever session of this
// clone it was tried last. For a file there is no such thing.
func (s *state) hasWorked(e recall.DeadEnd) bool {
	if e.Match.By != deadend.ByCommand {
		return false
	}
	last := s.ran[keyOf(e.Known)]
	list, err := os.ReadDir(filepath.Dir(s.file.Path()))
	if err != nil {
		return last.ok
	}
	for _, f := range list[:min(len(list), mostLearned)] {
		other := state{file: local.At(filepath.Join(filepath.Dir(s.file.Path()), f.Name()))}
		other.loadFile()
		if o := other.ran[keyOf(e.Known)]; o.at.After(last.at) {
			last = o
		}
	}
	return last.ok
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
