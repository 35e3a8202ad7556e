package graph

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// drawnColumns is how wide a label of a drawing may be, on up to three lines.
const drawnColumns = 90

// DOT writes the graph for Graphviz: a shape for each kind, dashed where a
// record no longer counts.
func (g Graph) DOT(w io.Writer) error {
	g = g.Sorted()
	out := new(strings.Builder)
	out.WriteString("digraph ltm {\n" +
		"  graph [rankdir=TB, fontname=\"Helvetica\", fontsize=11, nodesep=0.3, ranksep=0.4];\n" +
		"  node [fontname=\"Helvetica\", fontsize=10, margin=\"0.12,0.06\"];\n" +
		"  edge [fontname=\"Helvetica\", fontsize=9, color=\"#57606a\", fontcolor=\"#57606a\", arrowsize=0.7];\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(out, "  n%d [%s];\n", i+1, dotNode(n))
	}
	index := indexOf(g.Nodes)
	for _, e := range g.Edges {
		fmt.Fprintf(out, "  n%d -> n%d [%s];\n", index[e.From]+1, index[e.To]+1, dotEdge(e))
	}
	out.WriteString("}\n")
	return writePicture(w, out)
}

// dotNode returns the attributes of a node.
func dotNode(n Node) string {
	drawn, style := lookOf(n.Kind), []string(nil)
	if drawn.style != "" {
		style = append(style, drawn.style)
	}
	ink := "#24292f"
	if isPast(n) {
		style, ink = append(style, "dashed"), "#6e7781"
	}
	lines := drawnLines(n)
	for i, line := range lines {
		lines[i] = dotEscape(line)
	}
	return fmt.Sprintf(`label="%s", shape=%s, style="%s", color="%s", fontcolor="%s"`,
		strings.Join(lines, `\n`), drawn.shape, strings.Join(style, ","), ink, ink)
}

// dotEdge returns the attributes of an edge. Only what continues and what
// supersedes has a say in where the nodes stand.
func dotEdge(e Edge) string {
	var style string
	switch e.Kind {
	case Continues:
		return `style="bold"`
	case Supersedes, Consolidates:
		style = `style="dashed"`
	case Cites, AtCommit:
		style = `style="solid", color="#b7bdc6"`
	default:
		style = `style="dotted", constraint=false`
	}
	return fmt.Sprintf("label=%s, %s", dotQuote(edgeWords(e)), style)
}

// dotQuote returns s as a quoted string. A label that stands in quotes is
// never read as HTML.
func dotQuote(s string) string {
	return `"` + dotEscape(s) + `"`
}

// dotEscape returns s for the inside of a quoted string of a label, in which
// Graphviz knows escapes that begin with a backslash, and entities of HTML.
func dotEscape(s string) string {
	if !strings.ContainsAny(s, `\"&`) {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`).Replace(s)
}

// edgeWords says what a drawn edge means.
func edgeWords(e Edge) string {
	words := relationOf(e.Kind).said
	label := e.wordsFrom(Node{})
	switch {
	case e.Kind == Links && label == "":
		return "links"
	case e.Kind == Links:
		return "links: " + label
	case label == "":
		return words
	default:
		return words + " " + label
	}
}

// drawnLines returns what stands in the drawing of a node, line by line.
func drawnLines(n Node) []string {
	if n.Kind == File {
		return []string{nodeName(n)}
	}
	head := kindOf(n) + " " + nodeName(n)
	if states := statesOf(n); states != "" {
		head += " [" + states + "]"
	}
	lines := append([]string{head}, wrapLine(cutLine(labelOf(n), drawnColumns), drawnColumns/3)...)
	if who := whoOf(n); who != "" {
		lines = append(lines, who)
	}
	return lines
}

// wrapLine breaks a shown line at blanks where it can, and anywhere where it must.
func wrapLine(s string, columns int) []string {
	var lines []string
	for s != "" {
		end, blank, width := len(s), 0, 0
		for i, r := range s {
			if width += clean.Width(string(r)); width > columns && i > 0 {
				end = i
				break
			}
			if r == ' ' {
				blank = i
			}
		}
		if end < len(s) && s[end] != ' ' && blank > 0 {
			end = blank
		}
		lines = append(lines, strings.TrimRight(s[:end], " "))
		s = strings.TrimLeft(s[end:], " ")
	}
	return lines
}

// Mermaid writes the graph as a flowchart. Mermaid itself draws no more than
// 500 edges and 50,000 characters unless the page that shows it says so; Around
// makes a part of a larger graph.
func (g Graph) Mermaid(w io.Writer) error {
	g = g.Sorted()
	out := new(strings.Builder)
	out.WriteString("flowchart TB\n")
	var past, missing []string
	for i, n := range g.Nodes {
		id := "n" + strconv.Itoa(i+1)
		lines, drawn := drawnLines(n), lookOf(n.Kind)
		for k, line := range lines {
			lines[k] = mermaidEscape(line)
		}
		fmt.Fprintf(out, "  %s%s%s%s\n", id, drawn.open, strings.Join(lines, "<br/>"), drawn.end)
		switch {
		case n.Kind == Missing:
			missing = append(missing, id)
		case isPast(n):
			past = append(past, id)
		}
	}
	index := indexOf(g.Nodes)
	for _, e := range g.Edges {
		fmt.Fprintf(out, "  n%d %s n%d\n", index[e.From]+1, mermaidEdge(e), index[e.To]+1)
	}
	mermaidClass(out, "past", "stroke-dasharray:5 4,opacity:0.65", past)
	mermaidClass(out, "missing", "stroke-dasharray:1 4,opacity:0.65", missing)
	return writePicture(w, out)
}

// mermaidClass gives nodes a style.
func mermaidClass(out *strings.Builder, class, style string, ids []string) {
	if len(ids) > 0 {
		fmt.Fprintf(out, "  classDef %s %s\n  class %s %s\n", class, style, strings.Join(ids, ","), class)
	}
}

// mermaidEdge returns the arrow of an edge with its words.
func mermaidEdge(e Edge) string {
	switch e.Kind {
	case Continues:
		return "==>"
	case Supersedes, Consolidates:
		return `-.->|"` + mermaidEscape(edgeWords(e)) + `"|`
	default:
		return `-->|"` + mermaidEscape(edgeWords(e)) + `"|`
	}
}

// mermaidEscape returns s for the inside of a quoted label. All but letters,
// digits and blanks is spelled as the number of its character: Mermaid reads
// directives, comments, lists, icons, formulas and entities of HTML in labels
// too, and some of it before it looks for quotes.
func mermaidEscape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
