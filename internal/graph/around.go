package graph

// Around returns the node with this ID and what lies at most depth edges away
// from it, in either direction, with all edges between these. It is empty
// where there is no such node; a depth below zero is zero.
func (g Graph) Around(id string, depth int) Graph {
	g = g.Sorted()
	index := indexOf(g.Nodes)
	start, known := index[id]
	if !known {
		return Graph{}
	}
	near := neighbours(g, index)
	seen := make([]bool, len(g.Nodes))
	seen[start] = true
	edge := []int{start}
	for range depth {
		var next []int
		for _, i := range edge {
			for _, k := range near[i] {
				if !seen[k] {
					seen[k] = true
					next = append(next, k)
				}
			}
		}
		if edge = next; len(edge) == 0 {
			break
		}
	}
	var kept Graph
	for i, n := range g.Nodes {
		if seen[i] {
			kept.Nodes = append(kept.Nodes, n)
		}
	}
	for _, e := range g.Edges {
		if seen[index[e.From]] && seen[index[e.To]] {
			kept.Edges = append(kept.Edges, e)
		}
	}
	return kept
}

// neighbours returns the nodes beside each node.
func neighbours(g Graph, index map[string]int) [][]int {
	near := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		from, to := index[e.From], index[e.To]
		near[from] = append(near[from], to)
		near[to] = append(near[to], from)
	}
	return near
}
