package session

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// start tells what counts here and now. A session that comes back with its context is told what it was not
// told before.
func (s *Session) start(ctx context.Context) (told, error) {
	c, err := s.recall.Context(ctx, replay.Unasked)
	if err != nil {
		return nil, err
	}
	c.Known = filtered(c.Known, func(k briefing.Known) bool {
		return k.Section != briefing.Drafted || !s.isOwn(k.Text.Origin().ID)
	})
	if s.moment.Source == resumed {
		c.Known = unsaid(s, c.Known, keyOf)
		c.More = 0
	}
	if len(c.Known) == 0 {
		return nil, nil
	}
	if mine, err := s.state.begin(s.moment.Source, s.now(), s.draw); err == nil && !mine {
		return nil, nil
	}
	c.Nonce, err = briefing.Nonce(s.draw)
	return beginning{c}, err
}

// beginning is a context to be told.
type beginning struct{ briefing.Context }

func (b beginning) within(budget int) told {
	b.Budget = budget
	b.Context = b.Fit()
	return b
}

func (b beginning) keys() []string { return keysOf(b.Known, keyOf) }

func (b beginning) only(wanted func(string) bool) told {
	b.Known = filtered(b.Known, func(k briefing.Known) bool { return wanted(keyOf(k)) })
	return b
}
