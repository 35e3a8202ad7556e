package graph

import (
	"cmp"
	"slices"
)

// none stands where there is no node.
const none = -1

// A forest is a graph with its threads: each node hangs on at most one that it
// continues, and no node hangs on itself, however records name each other.
// Nodes and edges are meant by where they stand in the sorted graph.
type forest struct {
	Graph
	index    map[string]int
	out, in  [][]int // The edges of each node.
	trunkOf  []int   // The node that each node hangs on, or none.
	children [][]int // The nodes that hang on each, the one with the newest end first.
	newest   []int   // The newest node of all that hang on each.
	roots    []int   // The nodes that hang on none, the one with the newest end first.
}

// plantForest returns the forest of g.
func plantForest(g Graph) *forest {
	g = g.Sorted()
	f := &forest{Graph: g, index: indexOf(g.Nodes)}
	f.out, f.in = make([][]int, len(g.Nodes)), make([][]int, len(g.Nodes))
	for i, e := range g.Edges {
		from, to := f.index[e.From], f.index[e.To]
		f.out[from] = append(f.out[from], i)
		f.in[to] = append(f.in[to], i)
	}
	f.trunkOf = make([]int, len(f.Nodes))
	for i := range f.Nodes {
		f.trunkOf[i] = none
		for _, e := range f.out[i] {
			to := f.index[f.Edges[e].To]
			if f.Edges[e].Kind == Continues && to != i && (f.trunkOf[i] == none || to < f.trunkOf[i]) {
				f.trunkOf[i] = to
			}
		}
	}
	walk := make([]int, len(f.Nodes)) // The walk that came by, counted from 1.
	for start := range f.Nodes {
		i := start
		for i != none && walk[i] == 0 {
			walk[i] = start + 1
			i = f.trunkOf[i]
		}
		if i == none || walk[i] != start+1 {
			continue
		}
		oldest := i
		for k := f.trunkOf[i]; k != i; k = f.trunkOf[k] {
			oldest = max(oldest, k)
		}
		f.trunkOf[oldest] = none
	}
	// Finds what hangs on each node, and brings it into order.
	f.children = make([][]int, len(f.Nodes))
	f.newest = make([]int, len(f.Nodes))
	var below []int // Each node after the one that it hangs on.
	for i, on := range f.trunkOf {
		f.newest[i] = i
		if on == none {
			below = append(below, i)
		} else {
			f.children[on] = append(f.children[on], i)
		}
	}
	f.roots = slices.Clone(below)
	for i := 0; i < len(below); i++ { // The list grows on the way.
		below = append(below, f.children[below[i]]...)
	}
	byNewest := func(a, b int) int { return cmp.Compare(f.newest[a], f.newest[b]) }
	for _, i := range slices.Backward(below) {
		slices.SortFunc(f.children[i], byNewest)
		if on := f.trunkOf[i]; on != none {
			f.newest[on] = min(f.newest[on], f.newest[i])
		}
	}
	// A file, a commit or what is missing is told at those that speak of it, and not in a place of its own.
	f.roots = slices.DeleteFunc(f.roots, func(i int) bool {
		return slices.Contains([]Kind{File, Commit, Missing}, f.Nodes[i].Kind) &&
			len(f.children[i]) == 0 && len(f.out[i]) == 0 && len(f.in[i]) > 0
	})
	slices.SortFunc(f.roots, byNewest)
	return f
}

// walk visits a thread from its newest end. A side line comes whole, before
// the node that it hangs on, and ends with a step that joins.
func (f *forest) walk(root, depth int, visit func(step)) {
	line := []int{root}
	for len(f.children[root]) > 0 {
		root = f.children[root][0]
		line = append(line, root)
	}
	for _, i := range slices.Backward(line) {
		if sides := f.children[i]; len(sides) > 1 {
			for _, side := range sides[1:] {
				f.walk(side, depth+1, visit)
				visit(step{node: side, depth: depth + 1, joins: true})
			}
		}
		visit(step{node: i, depth: depth})
	}
}

// A step of a walk is a node, or the place where its line joins another.
type step struct {
	node, depth int
	joins       bool
}

// A mention is an edge as one of its nodes tells it.
type mention struct {
	edge, other int
	words       string
}

// mentions returns what is to be told of a node beside its place in a thread.
func (f *forest) mentions(i int) []mention {
	var all []mention
	for _, e := range f.out[i] {
		other := f.index[f.Edges[e].To]
		if f.Edges[e].Kind != Continues || other != f.trunkOf[i] {
			all = append(all, mention{e, other, relations[relationRank(f.Edges[e].Kind)].said})
		}
	}
	for _, e := range f.in[i] {
		other := f.index[f.Edges[e].From]
		if other != i && (f.Edges[e].Kind != Continues || f.trunkOf[other] != i) {
			all = append(all, mention{e, other, relations[relationRank(f.Edges[e].Kind)].heard})
		}
	}
	return all
}
