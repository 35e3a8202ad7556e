package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// mostDeadEnds is how many skips and failed attempts are compared with an action: those that share most words with it, of so many
// times more that gates may keep out.
const (
	mostDeadEnds = 60
	deadEndsMore = 4
)

// DeadEnd is something that did not work, or that somebody decided not to do, and that an action is about to do.
type DeadEnd struct {
	Found

	Match    deadend.Match
	Verified bool // somebody who counts here vouches for it
}

// DeadEnds returns the skips and the failed attempts that an action meets, the surest first.
func (r *Recall) DeadEnds(ctx context.Context, action deadend.Action, reading memory.Reading) ([]DeadEnd, error) {
	ends, err := mended(r, func() ([]DeadEnd, error) { return r.deadEnds(ctx, action, reading) })
	if err != nil || r.wide == nil {
		return ends, err
	}
	wide, err := mended(r.wide, func() ([]DeadEnd, error) { return r.wide.deadEnds(ctx, action, reading) })
	if err != nil {
		r.memory.ForgetUser(err) // What others keep elsewhere does not take away what is known here.
		return ends, nil
	}
	all := slices.Concat(ends, wide)
	slices.SortStableFunc(all, func(a, b DeadEnd) int { return a.Match.Compare(b.Match) })
	return all, nil
}

// deadEnds are those of one memory.
func (r *Recall) deadEnds(ctx context.Context, action deadend.Action, reading memory.Reading) ([]DeadEnd, error) {
	words := deadend.Keywords(strings.Join(append([]string{action.Command, action.Prompt}, action.Paths...), " "))
	if len(words) == 0 {
		return nil, nil
	}
	if err := r.refresh(ctx); err != nil {
		return nil, err
	}
	found, rules, err := r.compared(ctx, strings.Join(words, " "), reading)
	if err != nil {
		return nil, err
	}
	var ends []DeadEnd
	for _, match := range deadend.Check(rules, action) {
		f := found[match.Rule]
		verified, err := r.memory.Verified(ctx, f.Entry)
		if err != nil {
			return nil, err
		}
		ends = append(ends, DeadEnd{f, match, verified})
	}
	return ends, nil
}

// compared finds what an action is compared with. Where gates keep out too many of those that share words with it, more are
// looked at.
func (r *Recall) compared(ctx context.Context, words string, reading memory.Reading) (found []Found, rules []deadend.Rule, err error) {
	for n := deadEndsMore * mostDeadEnds; ; n *= further {
		hits, err := r.index.Search(ctx, index.Query{Text: words, Kinds: []string{packet.ItemSkip, packet.ItemAttempt}, Limit: n})
		if err != nil {
			return nil, nil, err
		}
		full := len(hits) == n && n == deadEndsMore*mostDeadEnds
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return h.Kind == packet.ItemAttempt && !h.Failed })
		glance, err := r.glance(ctx, hits)
		if err != nil {
			return nil, nil, err
		}
		found, rules, err = r.rules(ctx, hits, glance, reading)
		if err != nil || !full || len(rules) == mostDeadEnds {
			return found, rules, err
		}
	}
}

// rules makes rules of the skips and attempts that no gate keeps out.
func (r *Recall) rules(ctx context.Context, hits []index.Hit, g *memory.Glance, reading memory.Reading) ([]Found, []deadend.Rule, error) {
	var found []Found
	var rules []deadend.Rule
	for _, h := range hits {
		life, purged := g.Life(packet.ID(h.ID))
		if rests(h, life) || r.gate(h, life, purged) != "" {
			continue
		}
		f := Found{Hit: h, Use: r.usage.of(packet.ID(h.ID))}
		f.Score = r.preset.Found(h.Relevance, subject(h, life, f.Use), r.now())
		why, err := r.read(ctx, g, &f, reading)
		if err != nil {
			return nil, nil, err
		}
		if why == "" {
			found, rules = append(found, f), append(rules, rule(f))
		}
		if len(rules) == mostDeadEnds {
			break
		}
	}
	return found, rules, nil
}

// rule is what a skip or a failed attempt forbids.
func rule(f Found) deadend.Rule {
	if f.Hit.Kind == packet.ItemAttempt {
		return deadend.Rule{Words: f.Item.Text, Derived: true, Confidence: f.Item.Confidence}
	}
	m := f.Entry.Skip.Match
	if m == (packet.Match{}) {
		m.Words, m.Command = f.Entry.Skip.Item, f.Entry.Skip.Item
	}
	return deadend.Rule{Words: m.Words, Path: m.Path, Command: m.Command}
}
