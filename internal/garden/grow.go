package garden

import (
	"cmp"
	"slices"
)

// An edge joins two leaves, named by their places, the lesser first.
type edge struct {
	a, b     int
	strength float64
}

// stronger orders edges: the strongest first, and equal ones by their ends.
func stronger(x, y edge) int {
	return cmp.Or(cmp.Compare(y.strength, x.strength), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
}

// strongestEdges returns the strongest edges of every leaf, the strongest first.
func strongestEdges(leaves []*leaf) []edge {
	best := make([][]edge, len(leaves))
	for a, near := range byTag(leaves) {
		for b := range near {
			if s := leaves[a].strength(leaves[b]); s > 0 {
				e := edge{a, b, s}
				best[a], best[b] = keep(best[a], e), keep(best[b], e)
			}
		}
	}
	var list []edge
	for _, own := range best {
		list = append(list, strongest(own)...)
	}
	slices.SortFunc(list, stronger)
	return slices.Compact(list)
}

// keep appends an edge, and now and then lets go of those that are too weak.
func keep(list []edge, e edge) []edge {
	if list = append(list, e); len(list) >= 4*neighbours {
		list = strongest(list)
	}
	return list
}

// strongest returns the edges that a leaf keeps.
func strongest(list []edge) []edge {
	slices.SortFunc(list, stronger)
	return list[:min(len(list), neighbours)]
}

// byTag yields each leaf by its place, with the places of the later ones that
// share a tag with it and may be grouped with it.
func byTag(leaves []*leaf) func(yield func(int, map[int]bool) bool) {
	type shelf struct{ class, store, tag string }
	return func(yield func(int, map[int]bool) bool) {
		shelves, near := map[shelf][]int{}, map[int]bool{}
		for i, l := range slices.Backward(leaves) {
			clear(near)
			for _, tag := range l.tags {
				s := shelf{l.card.Class, l.card.Store, tag}
				for _, j := range shelves[s] {
					near[j] = true
				}
				shelves[s] = append(shelves[s], i)
			}
			if !yield(i, near) {
				return
			}
		}
	}
}

// A grower joins leaves to clusters. A cluster is named by the least place of
// its members.
type grower struct {
	leaves  []*leaf
	of      []int   // the cluster of each leaf
	members [][]int // of each cluster, in order
}

func newGrower(leaves []*leaf) *grower {
	g := &grower{leaves: leaves, of: make([]int, len(leaves)), members: make([][]int, len(leaves))}
	for i := range leaves {
		g.of[i], g.members[i] = i, []int{i}
	}
	return g
}

// join makes one cluster of the clusters of two leaves, where each member of
// the one belongs together with each of the other. So a chain of cards, of
// which only neighbours have something in common, never becomes one.
func (g *grower) join(e edge) {
	a, b := g.of[e.a], g.of[e.b]
	if a == b || len(g.members[a])+len(g.members[b]) > mostCards {
		return
	}
	for _, i := range g.members[a] {
		for _, j := range g.members[b] {
			if g.leaves[i].strength(g.leaves[j]) == 0 {
				return
			}
		}
	}
	a, b = min(a, b), max(a, b)
	for _, j := range g.members[b] {
		g.of[j] = a
	}
	g.members[a] = append(g.members[a], g.members[b]...)
	slices.Sort(g.members[a])
	g.members[b] = nil
}

// clusters returns the leaves of each cluster.
func (g *grower) clusters() [][]*leaf {
	var all [][]*leaf
	for _, members := range g.members {
		var cluster []*leaf
		for _, i := range members {
			cluster = append(cluster, g.leaves[i])
		}
		if len(cluster) > 1 {
			all = append(all, cluster)
		}
	}
	return all
}
