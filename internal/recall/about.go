package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// FindAbout answers a question of which a word names a place: what meets its other words, as [Recall.Find] does,
// and what stands behind the place, as [Recall.Why] does. What does both comes first, then each that is
// best in one way beside the best in the other. Where there are no other words, what cites the place comes
// first, then what speaks of it, then what only names it. Last comes what was only written down when the
// place changed. Where the place has answers, none that is weak is among them.
func (r *Recall) FindAbout(ctx context.Context, q Query, p Place) (Answer, error) {
	alone := q.Text == ""
	if alone {
		q.Text = p.Path
	}
	behind, err := r.Why(ctx, p)
	unknown := errors.Is(err, replay.ErrNotFound)
	if err != nil && !unknown {
		return behind, err
	}
	limit := limitOf(q)
	if alone && len(behind.Found) >= limit && behind.Found[limit-1].nearness() >= namesFolder {
		return behind, nil // Nobody reads more of them.
	}
	words, failure := r.Find(ctx, q)
	if failure != nil {
		return words, failure
	}
	if weak := func(f Found) bool { return f.Weak }; alone {
		words.Found = slices.DeleteFunc(words.Found, func(f Found) bool { return !p.isNamedIn(f.Item) })
		words.More = 0
	} else if len(behind.Found) > 0 && slices.ContainsFunc(words.Found, weak) {
		words.Found = slices.DeleteFunc(words.Found, weak)
		words.More = 0 // They are weak as well.
	}
	if unknown && alone && len(words.Found) == 0 {
		return behind, err
	}
	type item struct {
		id    packet.ID
		place string
	}
	of := func(f Found) item { return item{f.Entry.ID, f.Hit.Place} }
	// The sum of 1/(60+rank) is the usual way to join two orders whose scores do not compare.
	const damped = 60
	worth, near, all := map[item]float64{}, map[item]step{}, []Found(nil)
	for _, list := range [][]Found{behind.Found, words.Found} {
		for rank, f := range list {
			if worth[of(f)] == 0 {
				all = append(all, f)
			}
			worth[of(f)] += 1 / float64(damped+rank)
			near[of(f)] = max(near[of(f)], f.nearness())
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		x, y := near[of(a)], near[of(b)]
		if !alone {
			x, y = min(x, namesFolder), min(y, namesFolder)
		}
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(worth[of(b)], worth[of(a)]))
	})
	kept := all[:min(limit, len(all))]
	more := max(behind.More, words.More) + len(all) - len(kept)
	return Answer{Found: kept, Out: slices.Concat(behind.Out, words.Out), More: more}, nil
}

// nearness is how near an answer is to the place that was asked for. One that meets the words says something
// of it.
func (f Found) nearness() step {
	if f.Hit.Asked != nil {
		return speaksOf
	}
	return step(f.Score.Value)
}

// WithoutChanges leaves out what was only written down when the place changed, where something says more of it.
func (a Answer) WithoutChanges() Answer {
	if len(a.Found) > 0 && a.Found[0].nearness() >= namesFolder {
		a.Found = slices.DeleteFunc(a.Found, func(f Found) bool { return f.nearness() < namesFolder })
	}
	return a
}
