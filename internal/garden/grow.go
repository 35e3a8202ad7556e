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
