package briefing

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// shorter is how many columns each text of a thing is shortened to that does not fit a budget alone, one after the other.
func shorter() []int { return []int{320, 160, 80} }

// shortened leaves so many columns of each text, and says that there is more.
func (k Known) shortened(most int) Known {
	short := func(text string) string { return clean.Truncate(parts(text), most) }
	k.Text, k.Why, k.Next = provenance.Then(k.Text, short), provenance.Then(k.Why, short), provenance.Text{}
	k.Digest = provenance.Then(k.Digest, short)
	k.Marks = append(slices.Clone(k.Marks), "shortened; all of it: git ltm show "+k.ID())
	return k
}
