package garden

import (
	"cmp"
	"slices"
)

const (
	alikeTags = .5 // of all tags of two cards, both have at least this part
	alikeText = .3 // of all runs of two texts, both have at least this part
	alikeGoal = .4 // the same of two goals, which have no tags beside them
)

// Likeness says how much of two cards is the same, each from 0 to 1.
type Likeness struct {
	Tags float64 // of all tags of both, the part that both have; those that name a source do not count
	Text float64 // of all runs of three characters, or of three words in long texts, the part that both have
}

// A Duplicate is a card that says what another says already.
type Duplicate struct {
	Card     Card
	Likeness Likeness
	Conflict string // what the two state differently: "size: 20 or 50"; empty where nothing was seen
}

// Duplicates returns those of the others of which one would do beside c, the closest first: where both the
// tags and the texts are close, or where the texts differ in nothing but case, white space and marks. Tags
// alone never do, and neither does a text alone that is only close. A card of the same id is c itself and not
// among them.
func Duplicates(c Card, others []Card) []Duplicate {
	var found []Duplicate
	tags, text := subjectTags(c.Tags), textureOf(c.Text)
	for _, o := range others {
		if o.ID == c.ID && c.ID != "" {
			continue
		}
		l := Likeness{Tags: tagLikeness(tags, subjectTags(o.Tags))}
		switch {
		case sameText(c.Text, o.Text):
			l.Text = 1
		case l.Tags < alikeTags:
			continue
		default:
			if l.Text = text.similarityTo(textureOf(o.Text)); l.Text < alikeText {
				continue
			}
		}
		found = append(found, Duplicate{Card: o, Likeness: l, Conflict: findConflict(newLeaf(c), newLeaf(o))})
	}
	slices.SortFunc(found, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(b.Likeness.Text, a.Likeness.Text),
			cmp.Compare(b.Likeness.Tags, a.Likeness.Tags), compareCards(a.Card, b.Card))
	})
	return found
}

// Related tells whether the tags of two cards are so much the same that close texts would make them
// duplicates.
func Related(a, b []string) bool { return tagLikeness(subjectTags(a), subjectTags(b)) >= alikeTags }

// SameMatter tells whether two texts, such as goals, are about the same thing, as far as their words tell:
// they are close, and one of them has no word of its own. "Fix the login" and "Fix the logout" are close,
// too.
func SameMatter(a, b string) bool {
	x, y := tokensOf(a), tokensOf(b)
	return (repeatsText(x, y) || repeatsText(y, x)) && textureOf(a).similarityTo(textureOf(b)) >= alikeGoal
}

// tagLikeness is the part of all tags that both cards have. Both lists are sorted.
func tagLikeness(a, b []string) float64 {
	both := countShared(a, b)
	return shareOf(both, len(a)+len(b)-both)
}

// countShared counts what two sorted lists have in common.
func countShared[T cmp.Ordered](a, b []T) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0], b[0]); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			n, a, b = n+1, a[1:], b[1:]
		}
	}
	return n
}
