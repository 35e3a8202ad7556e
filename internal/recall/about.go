package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// FindAbout answers a question of which a word names a place: what meets its words, as [Recall.Find] does,
// and what stands behind the place, as [Recall.Why] does. What does both comes first, then each that is
// best in one way beside the best in the other, and last what was only written down when the place
// changed. Where the place has answers, none that is weak is among them.
func (r *Recall) FindAbout(ctx context.Context, q Query, p Place) (Answer, error) {
	words, err := r.Find(ctx, q)
	if err != nil {
		return words, err
	}
	behind, err := r.Why(ctx, p)
	if errors.Is(err, replay.ErrNotFound) || err == nil && len(behind.Found) == 0 {
		return words, nil
	}
	if err != nil {
		return words, err
	}
	weak := len(words.Found)
	words.Found = slices.DeleteFunc(words.Found, func(f Found) bool { return f.Weak })
	if weak -= len(words.Found); weak > 0 {
		words.More = 0 // They are weak as well.
	}
	type item struct {
		id    packet.ID
		place string
	}
	// The sum of 1/(60+rank) is the usual way to join two orders whose scores do not compare.
	const damped = 60
	worth, all := map[item]float64{}, []Found(nil)
	for _, list := range [][]Found{behind.Found, words.Found} {
		for rank, f := range list {
			of := item{f.Entry.ID, f.Hit.Place}
			if f.Score.Value < float64(namesFolder) && f.Hit.Asked == nil {
				rank += len(words.Found)
			}
			if worth[of] == 0 {
				all = append(all, f)
			}
			worth[of] += 1 / float64(damped+rank)
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		return cmp.Compare(worth[item{b.Entry.ID, b.Hit.Place}], worth[item{a.Entry.ID, a.Hit.Place}])
	})
	kept := all[:min(limitOf(q), len(all))]
	more := max(behind.More, words.More) + len(all) - len(kept)
	return Answer{Found: kept, Out: slices.Concat(behind.Out, words.Out), More: more}, nil
}
