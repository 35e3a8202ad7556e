// Package graph draws records and how they hang together: which continues
// which, what replaced what, which files and commits they speak of.
//
// A picture has three forms: text for a terminal, DOT for Graphviz, and a flowchart
// of Mermaid. The same records give the same bytes,
// whatever order they come in. Every text of a record is hostile: it is cleaned, on one
// line and cut, and it can neither move a terminal nor break out of the form that it stands in.
//
// The package is pure. It reads no repository and knows no clock.
package graph

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// A Kind says what a node stands for.
type Kind string

// The kinds of nodes.
const (
	Packet  Kind = "packet"
	Note    Kind = "note"
	Skip    Kind = "skip"
	File    Kind = "file"
	Commit  Kind = "commit"
	Missing Kind = "missing" // A record that others name and that is not here.
)

// A Relation says what an edge means. It goes from the record that says so,
// mostly the newer one, to what it speaks of.
type Relation string

// The relations between nodes.
const (
	Continues    Relation = "continues"
	Supersedes   Relation = "supersedes"
	Consolidates Relation = "consolidates"
	Links        Relation = "links"
	Cites        Relation = "cites"
	AtCommit     Relation = "at-commit"
)

// A State is a mark of a record. Any other word may be one.
type State string

// The states that change how a node is drawn.
const (
	Retracted    State = "retracted"
	Superseded   State = "superseded"
	Consolidated State = "consolidated"
	Archived     State = "archived"
	Expired      State = "expired"
)

// A Node is a record, or a file or commit that records speak of.
type Node struct {
	ID     string          // required; a ULID, the path of a file, the hash of a commit
	Kind   Kind            // required
	Label  provenance.Text // what it says, with who wrote it
	States []State         // in any order; Superseded and Consolidated also follow from the edges
	Branch string          // where it was written
	At     time.Time       // when; zero where that is not known
}

// An Edge is one relation of two nodes.
type Edge struct {
	From, To string          // required; the IDs of nodes
	Kind     Relation        // required
	Lines    string          // of Cites: such as 12 or 12-20
	Label    provenance.Text // the words of a link, with who wrote them
}

// Text is what a node says, to those who asked for the picture.
func (n Node) Text() string {
	text, ok := n.Label.For(provenance.Requested)
	if !ok && n.Label.Origin().ID != "" {
		return "(withheld)"
	}
	return clean.Line(text)
}

// Author is who wrote a node; nobody where that is kept.
func (n Node) Author() string {
	if _, ok := n.Label.For(provenance.Requested); !ok {
		return ""
	}
	return n.Label.Origin().By()
}

// Text is the lines that an edge leads to, or what somebody wrote on it.
func (e Edge) Text() string {
	text, _ := e.Label.For(provenance.Requested)
	return cutLine(cmp.Or(clean.Line(text), e.Lines), 40)
}

// Author is who wrote on an edge; nobody where it only leads to lines.
func (e Edge) Author() string {
	if _, ok := e.Label.For(provenance.Requested); !ok || e.Label.Origin().ID == "" {
		return ""
	}
	return e.Label.Origin().By()
}

// wordsFrom are the text of an edge with its author, unless that is who wrote the node that it comes from.
func (e Edge) wordsFrom(from Node) string {
	text := e.Text()
	if by := e.Author(); text != "" && by != "" && by != from.Author() {
		text += ", by " + cutLine(by, 24)
	}
	return text
}

// A Graph is a set of nodes and edges in any order. Where an edge names a node
// that is not among them, one is drawn: a file, a commit, or a missing record.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// writePicture writes a finished picture, all of it or, where it cannot be, none that
// would be taken for it.
func writePicture(w io.Writer, picture *strings.Builder) error {
	if _, err := io.WriteString(w, picture.String()); err != nil {
		return fmt.Errorf("write graph: %w", err)
	}
	return nil
}

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
	// Returns the nodes beside each node.
	near := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		from, to := index[e.From], index[e.To]
		near[from] = append(near[from], to)
		near[to] = append(near[to], from)
	}
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
			kind := map[Relation]Kind{Cites: File, AtCommit: Commit}[e.Kind]
			nodes = append(nodes, Node{ID: e.To, Kind: cmp.Or(kind, Missing)})
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
	return Graph{Nodes: nodes, Edges: edges}
}

// compareNodes orders nodes newest first, what has no time last.
func compareNodes(a, b Node) int {
	return cmp.Or(
		b.At.Compare(a.At),
		strings.Compare(b.ID, a.ID),
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.Text(), b.Text()),
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
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Edge) int {
		return cmp.Or(
			strings.Compare(a.From, b.From),
			cmp.Compare(relationRank(a.Kind), relationRank(b.Kind)),
			strings.Compare(a.To, b.To),
			cmp.Compare(len(a.wordsFrom(Node{})), len(b.wordsFrom(Node{}))), // Line 9 before line 12.
			strings.Compare(a.wordsFrom(Node{}), b.wordsFrom(Node{})))
	})
	return slices.CompactFunc(all, func(a, b Edge) bool {
		return a.From == b.From && a.To == b.To && a.Kind == b.Kind && a.wordsFrom(Node{}) == b.wordsFrom(Node{})
	})
}

// Short is the part of an ID that a person types: the last 8 characters of a record's, the first 8 of a
// commit's, all of a path.
func (n Node) Short() string {
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

// A look is how the nodes of a kind are told and drawn.
type look struct {
	kind         Kind
	shape, style string // in DOT
	open, end    string // around the label in Mermaid
}

// looks are those of all kinds.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var looks = []look{
	{Packet, "box", "rounded", `("`, `")`},
	{Note, "note", "", `["`, `"]`},
	{Skip, "octagon", "", `{{"`, `"}}`},
	{File, "folder", "", `[/"`, `"/]`},
	{Commit, "ellipse", "", `(["`, `"])`},
	{Missing, "box", "dotted", `["`, `"]`},
}

// lookOf is the look of a kind.
func lookOf(k Kind) look {
	return looks[max(0, slices.IndexFunc(looks, func(l look) bool { return l.kind == k }))]
}

// A saying is a relation, with its words from the beginning and from the end of an edge, which says nothing
// of it where they are "".
type saying struct {
	relation    Relation
	said, heard string
}

// relations are the relations in the order in which the edges of a node are told.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var relations = []saying{
	{Continues, "continues", ""},
	{Supersedes, "supersedes", "superseded by"},
	{Consolidates, "consolidates", "consolidated into"},
	{Links, "links to", "linked from"},
	{Cites, "cites", "cited by"},
	{AtCommit, "at commit", "commit of"},
}

// relationRank says in which order the edges of a node are told.
func relationRank(r Relation) int {
	return slices.IndexFunc(relations, func(known saying) bool { return known.relation == r })
}

// relationOf is a relation with its words.
func relationOf(r Relation) saying { return relations[relationRank(r)] }
