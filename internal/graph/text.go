package graph

import (
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
	// maxMentions bounds what is told below one node.
	maxMentions = 32
)

// Text writes a line for each record, the newest first, and below it what it has to do with. It uses plain
// ASCII beside the labels, and no colour. Lines are about this many columns wide; the default is 100. A
// record stands in one place, and others refer to it.
func (g Graph) Text(w io.Writer, columns int) error {
	if columns <= 0 {
		columns = textColumns
	}
	columns = max(columns, 40)
	g = g.Sorted()
	index := indexOf(g.Nodes)
	told, named := make([][]string, len(g.Nodes)), make([]bool, len(g.Nodes))
	for _, e := range g.Edges {
		from, to := index[e.From], index[e.To]
		said := relationOf(e.Kind).said
		told[from] = append(told[from], e.mention(said, g.Nodes[from], g.Nodes[to], columns))
		named[to] = true
	}
	for _, e := range g.Edges {
		from, to := index[e.From], index[e.To]
		if heard := relationOf(e.Kind).heard; heard != "" && from != to {
			told[to] = append(told[to], e.mention(heard, g.Nodes[to], g.Nodes[from], columns))
		}
	}
	out := new(strings.Builder)
	for i, n := range g.Nodes {
		if slices.Contains([]Kind{File, Commit, Missing}, n.Kind) && named[i] {
			continue // It is told at those that speak of it, and not in a place of its own.
		}
		day := "----------" // as wide as a date
		if !n.At.IsZero() {
			day = n.At.Format(time.DateOnly)
		}
		head, tail := fmt.Sprintf("* %s %s %-6s", nodeName(n), day, kindOf(n)), whoOf(n)
		if states := statesOf(n); states != "" {
			head += " [" + states + "]"
		}
		if tail != "" {
			tail = " (" + tail + ")"
		}
		room := max(columns-clean.Width(head)-clean.Width(tail)-1, 16)
		out.WriteString(strings.TrimRight(head+" "+cutLine(labelOf(n), room), " ") + tail + "\n")
		for k, line := range told[i] {
			if k == maxMentions {
				fmt.Fprintf(out, "      and %d more\n", len(told[i])-k)
				break
			}
			out.WriteString("      " + line + "\n")
		}
	}
	return writePicture(w, out)
}

// mention says what a node has to do with another one by an edge.
func (e Edge) mention(words string, n, other Node, columns int) string {
	from := n
	if e.From != n.ID {
		from = other
	}
	line := words + " " + nodeName(other)
	switch said := e.wordsFrom(from); {
	case said == "":
	case e.Kind == Cites && other.Kind == File:
		line += ":" + said
	default:
		line += " (" + said + ")"
	}
	if label := labelOf(other); label != "" && other.Kind != File {
		line += ": " + cutLine(label, max(columns-clean.Width(line)-8, 16))
		if by := other.Author(); by != "" && by != n.Author() {
			line += " (by " + cutLine(by, 24) + ")"
		}
	}
	return line
}

// whoOf says who wrote a node, and on which branch.
func whoOf(n Node) string {
	who := []string{cutLine(n.Author(), 24), cutLine(n.Branch, 32)}
	return strings.Join(slices.DeleteFunc(who, func(part string) bool { return part == "" }), ", ")
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
