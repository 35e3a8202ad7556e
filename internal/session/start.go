package session

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// tellStart tells what counts here and now. A session that comes back with its context is told what it was
// not told before.
func (s *Session) tellStart(ctx context.Context) ([]byte, error) {
	c, err := s.recall.Context(ctx, replay.Unasked)
	if err != nil {
		return nil, err
	}
	c.Known = filterItems(c.Known, func(k briefing.Known) bool {
		return k.Section != briefing.Drafted || !s.isOwn(k.Text.Origin().ID)
	})
	if s.moment.Source == resumed {
		c.Known = filterItems(c.Known, func(k briefing.Known) bool { return !s.state.wasTold(keyOf(k)) })
		c.More = 0
	}
	if len(c.Known) == 0 {
		return nil, nil
	}
	if mine, err := s.state.claimStart(s.moment.Source, s.now(), s.draw); err == nil && !mine {
		return nil, nil
	}
	if c.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return nil, err
	}
	return telling[briefing.Known]{
		c.Known, keyOf,
		func(some []briefing.Known, budget int) ([]briefing.Known, string) {
			c.Known, c.Budget = some, budget
			fit := c.Fit()
			return fit.Known, fit.Markdown()
		},
	}.answerOnce(s)
}
