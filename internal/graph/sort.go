package graph

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Sorted returns g in its one order: nodes newest first and each ID once,
// edges by the order of their nodes and each once, nodes in the place of those
// that only an edge names, defaults filled in. Every form is drawn from it.
func (g Graph) Sorted() Graph {
	edges := sortedEdges(g.Edges)
	all := make([]Node, 0, len(g.Nodes))
	for _, n := range g.Nodes {
		if n.ID == "" {
			continue
		}
		n.Kind = cmp.Or(n.Kind, Packet)
		if !n.At.IsZero() {
			n.At = n.At.UTC()
		} else {
			n.At = time.Time{}
		}
		n.States = slices.Clone(n.States)
		slices.Sort(n.States)
		n.States = slices.Compact(n.States)
		all = append(all, n)
	}
	slices.SortFunc(all, compareNodes)
	seen := make(map[string]bool, len(all))
	nodes := slices.DeleteFunc(all, func(n Node) bool {
		again := seen[n.ID]
		seen[n.ID] = true
		return again
	})
	index := indexOf(nodes)
	for _, e := range edges {
		if _, known := index[e.To]; !known {
			index[e.To] = len(nodes)
			nodes = append(nodes, Node{ID: e.To, Kind: missingKind(e.Kind)})
		}
		if _, known := index[e.From]; !known {
			index[e.From] = len(nodes)
			nodes = append(nodes, Node{ID: e.From, Kind: Missing})
		}
	}
	slices.SortFunc(nodes, compareNodes)
	index = indexOf(nodes)
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(
			cmp.Compare(index[a.From], index[b.From]),
			cmp.Compare(relationRank(a.Kind), relationRank(b.Kind)),
			cmp.Compare(index[a.To], index[b.To]))
	})
	for _, e := range edges {
		var state State
		switch e.Kind {
		case Supersedes:
			state = Superseded
		case Consolidates:
			state = Consolidated
		default:
			continue
		}
		n := &nodes[index[e.To]]
		if at, found := slices.BinarySearch(n.States, state); !found && e.From != e.To {
			n.States = slices.Insert(n.States, at, state)
		}
	}
	for i := range nodes {
		nodes[i].Short = cmp.Or(nodes[i].Short, shortOf(nodes[i]))
	}
	return Graph{Nodes: nodes, Edges: edges}
}

// compareNodes orders nodes newest first, what has no time last.
func compareNodes(a, b Node) int {
	return cmp.Or(
		b.At.Compare(a.At),
		strings.Compare(b.ID, a.ID),
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.Text(), b.Text()),
		strings.Compare(a.Short, b.Short),
		strings.Compare(a.Author(), b.Author()),
		strings.Compare(a.Branch, b.Branch),
		slices.Compare(a.States, b.States))
}

// sortedEdges returns a copy of edges in order, each once.
func sortedEdges(edges []Edge) []Edge {
	all := make([]Edge, 0, len(edges))
	for _, e := range edges {
		if e.From == "" || e.To == "" {
			continue
		}
		e.Kind = cmp.Or(e.Kind, Links)
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Edge) int {
		return cmp.Or(
			strings.Compare(a.From, b.From),
			cmp.Compare(relationRank(a.Kind), relationRank(b.Kind)),
			strings.Compare(string(a.Kind), string(b.Kind)),
			strings.Compare(a.To, b.To),
			compareLabels(a.words(Node{}), b.words(Node{})))
	})
	return slices.CompactFunc(all, func(a, b Edge) bool {
		return a.From == b.From && a.To == b.To && a.Kind == b.Kind && a.words(Node{}) == b.words(Node{})
	})
}

// compareLabels puts line 9 before line 12.
func compareLabels(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// missingKind says what an edge names where there is no such node.
func missingKind(r Relation) Kind {
	switch r {
	case Cites:
		return File
	case AtCommit:
		return Commit
	default:
		return Missing
	}
}

// shortOf returns the part of an ID that a person types.
func shortOf(n Node) string {
	const length = 8
	switch {
	case n.Kind == File, len(n.ID) <= length:
		return n.ID
	case n.Kind == Commit:
		return n.ID[:length]
	default:
		return n.ID[len(n.ID)-length:]
	}
}

// indexOf returns where each node stands.
func indexOf(nodes []Node) map[string]int {
	index := make(map[string]int, len(nodes))
	for i, n := range nodes {
		index[n.ID] = i
	}
	return index
}
