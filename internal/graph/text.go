package graph

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
)

const (
	// textColumns is how wide text is where the caller does not say.
	textColumns = 100
	// maxRails is how many lines of a thread stand side by side. What branches
	// off further stands in the last one, and says what it continues.
	maxRails = 12
	// maxMentions bounds what is told below one node.
	maxMentions = 32
)

// Text writes threads as rails, the newest record first, and below each record
// what else it has to do with. It uses plain ASCII beside the labels, and no
// colour. Lines are about this many columns wide; the default is 100. A record
// stands in one place, and others refer to it.
func (g Graph) Text(w io.Writer, columns int) error {
	if columns <= 0 {
		columns = textColumns
	}
	t := &texter{forest: plantForest(g), out: new(strings.Builder), columns: max(columns, 40)}
	tall := false
	for i, root := range t.roots {
		var lines []string
		t.walk(root, 0, func(s step) {
			rails := strings.Repeat("| ", min(s.depth, maxRails))
			switch {
			case s.joins && s.depth > maxRails:
				lines = append(lines, rails+"~")
			case s.joins:
				lines = append(lines, strings.TrimSuffix(rails, " ")+"/")
			default:
				lines = append(lines, t.nodeLines(s, rails)...)
			}
		})
		block := lines
		if i > 0 && (tall || len(block) > 1) {
			block = append([]string{""}, block...)
		}
		tall = len(block) > 1
		for _, line := range block {
			t.out.WriteString(strings.TrimRight(line, " "))
			t.out.WriteByte('\n')
		}
	}
	return writePicture(w, t.out)
}

// A texter writes the text of one graph.
type texter struct {
	*forest
	out     *strings.Builder
	columns int
}

// nodeLines returns the line of a node and those of what it has to do with.
func (t *texter) nodeLines(s step, rails string) []string {
	below := rails + "| "
	if t.trunkOf[s.node] == none {
		below = rails + "  "
	}
	columns := t.columns - len(rails) - 2
	n := t.Nodes[s.node]
	day := "----------" // as wide as a date
	if !n.At.IsZero() {
		day = n.At.Format(time.DateOnly)
	}
	head := fmt.Sprintf("%s %s %-6s", nodeName(n), day, kindOf(n))
	if states := statesOf(n); states != "" {
		head += " [" + states + "]"
	}
	who, tail := []string{cutLine(n.Author(), 24), cutLine(n.Branch, 32)}, ""
	if who = slices.DeleteFunc(who, func(part string) bool { return part == "" }); len(who) > 0 {
		tail = " (" + strings.Join(who, ", ") + ")"
	}
	room := max(columns-clean.Width(head)-clean.Width(tail)-1, 16)
	lines := []string{rails + "* " + (strings.TrimRight(head+" "+cutLine(labelOf(n), room), " ") + tail)}
	all := t.mentions(s.node)
	if on := t.trunkOf[s.node]; on != none && s.depth > maxRails && t.children[on][0] != s.node {
		all = append([]mention{{none, on, string(Continues)}}, all...)
	}
	for i, m := range all {
		if i == maxMentions {
			lines = append(lines, fmt.Sprintf("%s    and %d more", below, len(all)-i))
			break
		}
		other := t.Nodes[m.other]
		line := m.words + " " + t.targetName(m)
		if label := labelOf(other); label != "" && other.Kind != File {
			line += ": " + cutLine(label, max(t.columns-len(below)-4-clean.Width(line)-2, 16))
			if by := other.Author(); by != "" && by != n.Author() {
				line += " (by " + cutLine(by, 24) + ")"
			}
		}
		lines = append(lines, below+"    "+line)
	}
	return lines
}

// targetName names what an edge leads to, with the words of the edge.
func (f *forest) targetName(m mention) string {
	n := f.Nodes[m.other]
	if m.edge == none {
		return nodeName(n)
	}
	e := f.Edges[m.edge]
	words := e.wordsFrom(f.Nodes[f.index[e.From]])
	switch {
	case words == "":
		return nodeName(n)
	case f.Edges[m.edge].Kind == Cites && n.Kind == File:
		return nodeName(n) + ":" + words
	default:
		return nodeName(n) + " (" + words + ")"
	}
}

// nodeName is how a node is called where it is told of.
func nodeName(n Node) string {
	const path, id = 160, 16
	if n.Kind == File {
		return cutLine(n.Short(), path)
	}
	return cutLine(n.Short(), id)
}

// kindOf is the word for what a node is.
func kindOf(n Node) string {
	return cutLine(string(n.Kind), 16)
}

// labelOf is what a node says, or why it says nothing.
func labelOf(n Node) string {
	text := n.Text()
	if n.Kind == Missing && text == "" {
		return "not here"
	}
	return text
}

// statesOf lists the states of a node.
func statesOf(n Node) string {
	words := make([]string, 0, len(n.States))
	for _, s := range n.States {
		words = append(words, string(s))
	}
	return cutLine(strings.Join(words, ", "), 60)
}

// isPast says whether a node no longer counts, and so is drawn with less ink.
func isPast(n Node) bool {
	return slices.ContainsFunc(n.States, func(s State) bool {
		return slices.Contains([]State{Retracted, Superseded, Consolidated, Archived, Expired}, s)
	})
}

// cutLine returns s as one clean line of at most this many columns.
func cutLine(s string, columns int) string { return clean.Truncate(clean.Line(s), columns) }

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
