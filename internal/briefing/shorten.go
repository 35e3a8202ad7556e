package briefing

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// keepWhole are those of some things that fit together, the first of them first: one that does not fit makes
// room for the next.
func keepWhole[T any](all []T, fits func([]T) bool) (kept []T) {
	if fits(all) {
		return all
	}
	for _, one := range all {
		if more := append(slices.Clone(kept), one); fits(more) {
			kept = more
		}
	}
	return kept
}

// keepFitting are the same. Where not even one fits, the first is shortened, for silence would be worse.
func keepFitting[T any](all []T, shortened func(T, int) T, fits func([]T) bool) []T {
	kept := keepWhole(all, fits)
	for _, columns := range []int{320, 160, 80} {
		if len(kept) > 0 || len(all) == 0 {
			break
		}
		if short := []T{shortened(all[0], columns)}; fits(short) {
			kept = short
		}
	}
	return kept
}

// shortenKnown leaves so many columns of each text, and says that there is more.
func (k Known) shortenKnown(most int) Known {
	short := func(text string) string { return clean.Truncate(joinLines(text), most) }
	k.Text, k.Why, k.Next = provenance.Then(k.Text, short), provenance.Then(k.Why, short), provenance.Text{}
	k.Digest = provenance.Then(k.Digest, short)
	k.Marks = append(slices.Clone(k.Marks), "shortened"+wholeRecord+k.ID())
	return k
}
