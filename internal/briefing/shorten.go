package briefing

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// shorter is how many columns each text of a thing is shortened to that does not fit a budget alone, one after the other.
func shorter() []int { return []int{320, 160, 80} }

// shortened leaves so many columns of each text, and says that there is more.
func (k Known) shortened(most int) Known {
	k.Text, k.Why, k.Next = clean.Truncate(parts(k.Text), most), clean.Truncate(parts(k.Why), most), ""
	k.Digest = clean.Truncate(parts(k.Digest), most)
	k.Marks = append(slices.Clone(k.Marks), "shortened; all of it: git ltm show "+k.ID)
	return k
}
