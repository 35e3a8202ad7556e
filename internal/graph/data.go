package graph

import (
	"encoding/json"
	"time"
)

// Drawn is what the script of the page draws from. Nodes are meant by where
// they stand in the list.
type drawn struct {
	Nodes  []drawnNode `json:"nodes"`
	Edges  []drawnEdge `json:"edges"`
	Chains [][]int     `json:"chains"` // Lines of threads, the newest node first.
}

// A drawnNode is a node of the page.
type drawnNode struct {
	Short  string   `json:"short"`
	Kind   string   `json:"kind"`
	Class  string   `json:"class"`
	Label  string   `json:"label"`
	States []string `json:"states,omitempty"`
	Past   bool     `json:"past,omitempty"`
	Aside  bool     `json:"aside,omitempty"`
	Author string   `json:"author,omitempty"`
	Branch string   `json:"branch,omitempty"`
	At     string   `json:"at,omitempty"`
	On     int      `json:"on"` // The node that it hangs on, or -1.
}

// A drawnEdge is an edge that is not part of a thread.
type drawnEdge struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Kind  string `json:"kind"`
	Label string `json:"label,omitempty"`
}

// data returns the nodes and edges as JSON in which no character can end the
// element that it stands in: <, > and & are spelled as \u003c and the like.
func (p *page) data() string {
	d := drawn{Nodes: []drawnNode{}, Edges: []drawnEdge{}, Chains: [][]int{}}
	for i := range p.Nodes {
		d.Nodes = append(d.Nodes, p.drawnNode(i))
	}
	for _, e := range p.Edges {
		from, to := p.index[e.From], p.index[e.To]
		if e.Kind != Continues || p.trunkOf[from] != to {
			d.Edges = append(d.Edges, drawnEdge{from, to, said(e.Kind), e.words(p.Nodes[from])})
		}
	}
	for _, root := range p.roots {
		d.Chains = append(d.Chains, p.chains(root)...)
	}
	text, err := json.Marshal(d)
	if err != nil { // Strings and numbers can always be encoded.
		return "{}"
	}
	return string(text)
}

// drawnNode returns what the script knows of a node.
func (p *page) drawnNode(i int) drawnNode {
	n := p.Nodes[i]
	d := drawnNode{
		Short: name(n), Kind: kindOf(n), Class: class(n.Kind), Label: p.caption(i), Past: isPast(n),
		Aside: p.trunkOf[i] == none && p.isAside(i), Author: shown(n.Author(), 60), Branch: shown(n.Branch, 60), On: p.trunkOf[i],
	}
	for _, s := range n.States {
		d.States = append(d.States, shown(string(s), 24))
	}
	if !n.At.IsZero() {
		d.At = n.At.Format(time.RFC3339)
	}
	return d
}

// chains returns the line that ends at root and all that branch off from it.
func (f *forest) chains(root int) [][]int {
	var all [][]int
	todo := []int{root}
	for len(todo) > 0 {
		line := f.chain(todo[0])
		todo = todo[1:]
		all = append(all, line)
		for _, i := range line {
			if sides := f.children[i]; len(sides) > 1 {
				todo = append(todo, sides[1:]...)
			}
		}
	}
	return all
}
