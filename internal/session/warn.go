package session

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// mostWarnings is how many known dead ends one call is told.
const mostWarnings = 2

// met is a known dead end that a call meets.
type met struct {
	briefing.Met

	by      deadend.Way
	certain bool // it holds the call back
}

// atCall answers a call that meets something that did not work before: it is held back where that is certain, and else the session is
// told. What is not sure is not told: a warning that comes often is not read.
func (s *Session) atCall(ctx context.Context) ([]byte, error) {
	action := quiet.Action(s.memory.Repo(), s.moment.Call)
	if action.Command == "" && len(action.Paths) == 0 {
		return nil, nil
	}
	ends, err := s.recall.DeadEnds(ctx, action, replay.Unasked)
	if err != nil {
		return nil, err
	}
	w := s.recall.Warn(ends, replay.Unasked)
	all := make([]met, len(ends))
	for i, e := range ends {
		all[i] = met{w.Met[i], e.Match.By, isCertain(e)}
	}
	drafts, err := s.recall.DraftEnds(ctx, action)
	if err != nil {
		return nil, err
	}
	for _, e := range drafts {
		if !s.isOwn(e.Draft) {
			all = append(all, met{e.Met(), e.Match.By, e.Match.Certain && e.Match.By == deadend.ByCommand && e.Twice})
		}
	}
	answer, err := s.hold(ctx, action, all)
	if err != nil || len(answer) > 0 || !s.moment.Host.Hears(s.moment.Event) {
		return answer, err
	}
	w.Met = nil
	for _, m := range all {
		if len(w.Met) < mostWarnings && m.Sure != string(deadend.Low) && !s.state.told(warned+keyOf(m.Known)) {
			w.Met = append(w.Met, m.Met)
		}
	}
	if len(w.Met) == 0 {
		return nil, nil
	}
	if w.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return nil, err
	}
	return s.fitted(warning{w})
}

// warned stands before the key of a warning: what a session was told at its start is told again when it is about to be done.
const warned = "!"

// warning is a warning to be told.
type warning struct{ briefing.Warning }

func (w warning) within(budget int) told {
	w.Budget = budget
	w.Warning = w.Fit()
	return w
}

func (w warning) keys() []string {
	return keysOf(w.Met, func(m briefing.Met) string { return warned + keyOf(m.Known) })
}

func (w warning) only(wanted func(string) bool) told {
	w.Met = filtered(w.Met, func(m briefing.Met) bool { return wanted(warned + keyOf(m.Known)) })
	return w
}
