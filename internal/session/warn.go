package session

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// mostWarnings is how many known dead ends one call is told.
const mostWarnings = 2

// atCall answers a call that meets something that did not work before: it is held back where that is certain,
// and else the session is told. What is not sure is not told: a warning that comes often is not read.
func (s *Session) atCall(ctx context.Context) ([]byte, error) {
	action := quiet.Action(s.memory.Repo(), s.moment.Call)
	if action.Command == "" && len(action.Paths) == 0 {
		return nil, nil
	}
	own := func(e recall.DeadEnd) bool { return s.isOwn(packet.ID(e.Known.ID())) }
	news := func(e recall.DeadEnd) bool {
		return !own(e) && e.Match.Sure != deadend.Low && !s.state.wasTold(warned+keyOf(e.Known))
	}
	all, err := s.recall.DeadEnds(ctx, action, replay.Unasked, recall.Wanted{Most: mostWarnings, Counts: news})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, own)
	answer, err := s.holdCall(action, all)
	if err != nil || len(answer) > 0 || !s.moment.Host.Hears(s.moment.Event) {
		return answer, err
	}
	all = filterItems(all, news)
	if len(all) == 0 {
		return nil, nil
	}
	w := s.recall.Warn(all[:min(len(all), mostWarnings)], replay.Unasked)
	if w.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return nil, err
	}
	return telling[briefing.Met]{
		w.Met, func(m briefing.Met) string { return warned + keyOf(m.Known) },
		func(some []briefing.Met, budget int) ([]briefing.Met, string) {
			w.Met, w.Budget = some, budget
			fit := w.Fit()
			return fit.Met, fit.Markdown()
		},
	}.answerOnce(s)
}

// warned stands before the key of a warning: what a session was told at its start is told again when it is
// about to be done.
const warned = "!"
