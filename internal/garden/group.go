package garden

import (
	"cmp"
	"slices"
)

const (
	leastCards = 3  // of a group that could become one note
	mostCards  = 12 // of any group
	hubPart    = 5  // a tag on more than the fifth part of all cards binds nothing
	leastHub   = 6  // but one on fewer cards than this is no hub, however few there are
	neighbours = 24 // of each card that are looked at: the strongest

	kindDecision = "decision"
	kindPitfall  = "pitfall"
	kindTask     = "task"
	kindIdentity = "identity"
)

// A Group is cards that could become one.
type Group struct {
	Cards []Card   // by id, at most twelve
	Tags  []string // what more than one of them is about
	// what two of them state differently; such a group is never merged, has no draft, and may have two cards
	Conflict string
	Draft    Draft // what could stand in their place
}

// Groups proposes which of the live cards could become one note. Every card of
// a group belongs together with every other: they share two tags, or one tag
// and much of their text. Tags that name a source, and those that a fifth of
// all cards have, do not count. Only cards of one class and of one store meet,
// a decision never meets a pitfall, and tasks and identities stay as they are.
// No card is in two groups, and the order of the cards does not matter.
func Groups(cards []Card) []Group {
	var groups []Group
	for _, members := range growClusters(leavesOf(cards)) {
		if group, ok := groupOf(members); ok {
			groups = append(groups, group)
		}
	}
	return groups
}

// leavesOf prepares the cards that may be grouped, by id, each once.
func leavesOf(cards []Card) []*leaf {
	cards = slices.Clone(cards)
	slices.SortFunc(cards, compareCards)
	cards = slices.CompactFunc(cards, func(a, b Card) bool { return a.ID == b.ID })
	count := map[string]int{}
	for _, c := range cards {
		for _, tag := range subjectTags(c.Tags) {
			count[tag]++
		}
	}
	var leaves []*leaf
	for _, c := range cards {
		if c.Kind == kindTask || c.Kind == kindIdentity {
			continue
		}
		l := newLeaf(c)
		l.tags = slices.DeleteFunc(l.tags, func(tag string) bool {
			n := count[tag] // A tag that stands on so many cards tells nothing.
			return n >= leastHub && n*hubPart > len(cards)
		})
		leaves = append(leaves, l)
	}
	return leaves
}

// groupOf makes a group of cards that hang together, where there are enough.
func groupOf(members []*leaf) (Group, bool) {
	var g Group
	for i, a := range members { // Of several conflicts the first is told.
		for _, b := range members[i+1:] {
			g.Conflict = cmp.Or(g.Conflict, findConflict(a, b))
		}
	}
	if len(members) < leastCards && g.Conflict == "" || len(members) < 2 {
		return Group{}, false
	}
	for _, l := range members {
		g.Cards = append(g.Cards, l.card)
	}
	count := map[string]int{}
	for _, l := range members {
		for _, tag := range l.tags {
			count[tag]++
		}
	}
	var tags []countedTag // the most frequent first
	for name, n := range count {
		tags = append(tags, countedTag{name, n})
	}
	slices.SortFunc(tags, func(a, b countedTag) int {
		return cmp.Or(cmp.Compare(b.cards, a.cards), cmp.Compare(a.name, b.name))
	})
	for _, tag := range tags {
		if tag.cards > 1 {
			g.Tags = append(g.Tags, tag.name)
		}
	}
	if g.Conflict == "" {
		g.Draft = draftOf(g.Cards, tags)
	}
	return g, true
}

// A countedTag is a tag, and how many cards of a group have it.
type countedTag struct {
	name  string
	cards int
}
