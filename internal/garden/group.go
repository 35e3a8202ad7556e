package garden

import (
	"cmp"
	"maps"
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
	tags := slices.SortedFunc(maps.Keys(count), func(a, b string) int { // The most frequent first.
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	if g.Conflict == "" {
		g.Draft = draftOf(g.Cards, tags)
	}
	g.Tags = slices.DeleteFunc(tags, func(tag string) bool { return count[tag] < 2 })
	return g, true
}

// An edge joins two leaves, named by their places, the lesser first.
type edge struct {
	a, b     int
	strength float64
}

// strongestEdges returns the edges between leaves that share a tag and may be grouped, the strongest first.
func strongestEdges(leaves []*leaf) []edge {
	type shelf struct{ class, store, tag string }
	shelves, near := map[shelf][]int{}, map[int]bool{}
	var all []edge
	for b, l := range leaves {
		clear(near)
		for _, tag := range l.tags {
			s := shelf{l.card.Class, l.card.Store, tag}
			for _, a := range shelves[s] {
				near[a] = true
			}
			shelves[s] = append(shelves[s], b)
		}
		for a := range near {
			if s := leaves[a].strengthWith(l); s > 0 {
				all = append(all, edge{a, b, s})
			}
		}
	}
	slices.SortFunc(all, func(x, y edge) int {
		return cmp.Or(cmp.Compare(y.strength, x.strength), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return all
}

// growClusters joins the clusters of two leaves, the closest first, where each member of the one belongs
// together with each of the other. So a chain of cards, of which only neighbours have something in common,
// never becomes one.
func growClusters(leaves []*leaf) [][]*leaf {
	of, clusters := make([]int, len(leaves)), make([][]*leaf, len(leaves))
	for i, l := range leaves {
		l.place, of[i], clusters[i] = i, i, []*leaf{l}
	}
	looked := make([]int, len(leaves)) // how many edges of each leaf were looked at
	for _, e := range strongestEdges(leaves) {
		looked[e.a]++
		looked[e.b]++
		if min(looked[e.a], looked[e.b]) > neighbours {
			continue
		}
		a, b := min(of[e.a], of[e.b]), max(of[e.a], of[e.b])
		if a == b || len(clusters[a])+len(clusters[b]) > mostCards ||
			slices.ContainsFunc(clusters[a], func(some *leaf) bool {
				return slices.ContainsFunc(clusters[b], func(o *leaf) bool { return some.strengthWith(o) == 0 })
			}) {
			continue
		}
		for _, l := range clusters[b] {
			of[l.place] = a
		}
		clusters[a] = append(clusters[a], clusters[b]...)
		clusters[b] = nil
	}
	for _, cluster := range clusters {
		slices.SortFunc(cluster, func(a, b *leaf) int { return a.place - b.place })
	}
	return clusters
}

// A leaf is a card with all that grouping asks again and again.
type leaf struct {
	card    Card
	place   int      // among all leaves
	tags    []string // what it is about, without hubs, in order
	text    texture
	figures []figure
	denies  bool
}

// newLeaf prepares a card.
func newLeaf(c Card) *leaf {
	figures, denies := figuresOf(c.Text)
	return &leaf{
		card: c, tags: subjectTags(c.Tags), text: textureOf(c.Text),
		figures: figures, denies: denies,
	}
}

// textAtLeast returns the similarity of the texts of a and b, or zero where it
// is below the least that counts.
func (a *leaf) textAtLeast(b *leaf, least float64) float64 {
	if s := a.text.similarityTo(b.text); s >= least {
		return s
	}
	return 0
}

// strengthWith says how closely two cards belong together: zero where they do not,
// and more the more tags and text they share. They belong together with two
// tags, or with one tag and close texts. A decision and a pitfall never do.
func (a *leaf) strengthWith(b *leaf) float64 {
	tags := countShared(a.tags, b.tags)
	if tags == 0 || a.card.Kind == kindDecision && b.card.Kind == kindPitfall ||
		a.card.Kind == kindPitfall && b.card.Kind == kindDecision {
		return 0
	}
	text := a.textAtLeast(b, alikeText)
	if tags < 2 && text == 0 {
		return 0
	}
	s := shareOf(tags, len(a.tags)+len(b.tags)-tags) + text
	if text > 0 && findConflict(a, b) != "" {
		s += 2 // What contradicts stands together, so that it is seen.
	}
	return s
}
