package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of what is compared with an action: rules that it may meet, those first of which it has most; as
// many where few dead ends are wanted and these have them; records that are read, of which most may be kept out;
// and dead ends that are told.
const (
	mostRules    = 2000
	fewRules     = 16
	mostRead     = 300
	mostClaims   = 16 // the same of what is only claimed
	mostDeadEnds = 60
)

// DeadEnd is something that did not work, or that somebody decided not to do, and that an action is about to
// do.
type DeadEnd struct {
	Found // nothing of what stands in a draft

	Known briefing.Known // as it is written
	Match deadend.Match
	Holds agent.Holding // how the call of an agent is held back for it; "" where it goes on
}

// Wanted is how many dead ends of a memory are wanted at most, of those that count: no more are read, but for
// what an action meets for certain. Nothing of it is all of them.
type Wanted struct {
	Most   int
	Counts func(DeadEnd) bool
}

// DeadEnds returns the skips and the failed attempts that an action meets, the surest first, and behind them
// those of the drafts that this user keeps here, unless what is trusted alone is asked for.
func (r *Recall) DeadEnds(ctx context.Context, action deadend.Action,
	reading replay.Reading, w Wanted,
) ([]DeadEnd, error) {
	deed := action.Read()
	traits := deed.Traits()
	if traits.Empty() {
		return nil, nil
	}
	ends, wide, err := askBoth(r, func(r *Recall) []DeadEnd { return r.deadEnds(ctx, deed, traits, reading, w) })
	if err != nil {
		return nil, err
	}
	for i, end := range ends { // What is known for certain of one folder is only likely in another.
		ends[i].Match.Certain = end.Match.Certain && r.memory.Repo().Holds(end.Match.Dir) &&
			citation.IsNear(end.Match.Dir, citation.PathsOf(end.Entry.Content().Cites))
	}
	if len(wide) > 0 {
		ends = append(ends, wide...)
		slices.SortStableFunc(ends, func(a, b DeadEnd) int {
			return cmp.Or(a.claimed()-b.claimed(), a.Match.Compare(b.Match))
		})
	}
	if reading != replay.Strictly {
		ends = append(ends, r.draftEnds(ctx, deed, traits)...)
	}
	// Which of them hold a call back, and how: never those of drafts, which nobody reviewed. This is the one
	// place that says so, for hooks and for whoever asks what they would do.
	how := sync.OnceValue(func() agent.Holding { return r.holdingSetting(ctx) })
	for i, end := range ends {
		if end.Match.Certain && end.Entry.Trusted() && !end.Entry.Life.Contradicted {
			ends[i].Holds = how()
		}
	}
	return ends, nil
}

// Likely returns skips that words find: those that say just that, and those that a person may judge, of which
// nothing else says that an action meets them.
func (r *Recall) Likely(
	ctx context.Context, text string, reading replay.Reading,
) (same, perhaps []DeadEnd, err error) {
	const most = 3
	answer, err := r.Find(ctx, Query{
		Query:   index.Query{Text: text, Kinds: []string{string(packet.KindSkip)}, Limit: alikeFound},
		Reading: reading,
	})
	sure := answer.isSure()
	for _, f := range answer.Found {
		end := DeadEnd{Found: f, Known: knownOf(f), Match: deadend.Match{By: deadend.ByWords, On: f.Hit.Matched}}
		switch {
		case isResting(f.Hit, f.Entry.Life): // Questions find it, and it forbids nothing.
		case garden.Fold(f.Entry.Skip().Item) == garden.Fold(text):
			end.Match.On, end.Match.Sure = strings.Fields(text), deadend.High
			same = append(same, end)
		case len(perhaps) < most && (!f.Weak || !sure):
			end.Match.Sure = "perhaps"
			perhaps = append(perhaps, end)
		}
	}
	return same, perhaps, err
}

// deadEnds are those of one memory. The index says which rules the action meets; only those are read.
func (r *Recall) deadEnds(ctx context.Context, deed deadend.Deed, traits deadend.Traits, reading replay.Reading,
	w Wanted,
) []DeadEnd {
	crowds := r.listCrowds(ctx, reading)
	if r.fault != nil {
		return nil
	}
	most := mostRules
	if w.Most > 0 {
		most = fewRules
	}
	ends, full := r.deadEndsAmong(ctx, deed, traits, reading, w, crowds, most)
	if full && most < mostRules {
		counted := ends
		if w.Counts != nil {
			counted = slices.DeleteFunc(slices.Clone(ends), func(e DeadEnd) bool { return !w.Counts(e) })
		}
		if len(counted) < w.Most {
			ends, _ = r.deadEndsAmong(ctx, deed, traits, reading, w, crowds, mostRules)
		}
	}
	return ends
}

// deadEndsAmong are those among so many rules, and whether the action may meet others.
func (r *Recall) deadEndsAmong(ctx context.Context, deed deadend.Deed, traits deadend.Traits,
	reading replay.Reading, w Wanted, crowds []crowd, most int,
) (ends []DeadEnd, full bool) {
	ruled, full := r.findRules(ctx, traits, reading, crowds, most)
	claimed := crowds[len(crowds)-1]
	// The items whose rules an action meets, the surest first, and of equal ones the newest.
	slices.SortFunc(ruled, func(a, b index.RuleHit) int {
		return cmp.Or(b.Record.CreatedAt.Compare(a.Record.CreatedAt), strings.Compare(b.Ref, a.Ref),
			strings.Compare(a.Place, b.Place))
	})
	rules := make([]deadend.Rule, len(ruled))
	for i, one := range ruled {
		rules[i] = one.Rule
	}
	var hits, worked []index.Hit
	met := map[[2]string]deadend.Match{} // by record and place
	for _, match := range deadend.New(rules).Meet(deed) {
		h := ruled[match.Rule].Hit
		if h.Kind == packet.ItemAttempt && !h.Failed {
			worked = append(worked, h)
			continue
		}
		hits = append(hits, h)
		met[[2]string{h.Ref, h.Place}] = match
	}
	if len(hits) == 0 {
		return nil, full
	}
	worked = r.withoutStrangers(ctx, worked, reading, crowd{})
	glance := r.glanceAt(ctx, slices.Concat(hits, worked))
	// Reads the records that no gate keeps out, and compares the action with what they say now. What is only
	// claimed comes last.
	var let, others []index.Hit
	for _, h := range hits {
		life, purged := glance.Life(packet.ID(h.ID))
		if isResting(h, life) || r.gateReason(h, life, purged) != "" {
			continue
		}
		if claimed.claimed && slices.Contains(claimed.signers, h.Signer) {
			others = append(others, h)
			continue
		}
		if r.strangerReason(ctx, h, reading) == "" {
			let = append(let, h)
		}
	}
	counted := 0
	for _, h := range slices.Concat(let[:min(len(let), mostRead)], others[:min(len(others), mostClaims)]) {
		match := met[[2]string{h.Ref, h.Place}]
		if w.Most > 0 && counted >= w.Most && !match.Certain {
			continue
		}
		f := Found{Hit: h}
		why := r.readFound(ctx, glance, &f, reading)
		rule, ok := index.RuleOf(f.Item, f.Entry.Skip())
		if why != "" || !ok || r.isOvercome(ctx, glance, f, worked, reading) {
			continue
		}
		if rule != rules[match.Rule] { // The index is behind: what the item says now counts.
			matches := deadend.New([]deadend.Rule{rule}).Meet(deed)
			if len(matches) == 0 {
				continue
			}
			match = matches[0]
		}
		end := DeadEnd{Found: f, Known: knownOf(f), Match: match}
		if w.Counts == nil || w.Counts(end) {
			counted++
		}
		if ends = append(ends, end); len(ends) == mostDeadEnds {
			break
		}
	}
	return ends, full
}
