package graph

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Mermaid writes the graph as a flowchart. Mermaid itself draws no more than
// 500 edges and 50,000 characters unless the page that shows it says so; Around
// makes a part of a larger graph.
func (g Graph) Mermaid(w io.Writer) error {
	g = g.Sorted()
	out := new(strings.Builder)
	out.WriteString("flowchart TB\n")
	var past, missing []string
	for k, group := range g.byBranch() {
		if group.branch != "" {
			fmt.Fprintf(out, "  subgraph b%d [\"%s\"]\n", k, mermaidEscape("branch "+cutLine(group.branch, 60)))
		}
		for _, i := range group.nodes {
			id := "n" + strconv.Itoa(i+1)
			lines, drawn := drawnLines(g.Nodes[i]), lookOf(g.Nodes[i].Kind)
			for k, line := range lines {
				lines[k] = mermaidEscape(line)
			}
			fmt.Fprintf(out, "    %s%s%s%s\n", id, drawn.open, strings.Join(lines, "<br/>"), drawn.end)
			switch {
			case g.Nodes[i].Kind == Missing:
				missing = append(missing, id)
			case isPast(g.Nodes[i]):
				past = append(past, id)
			}
		}
		if group.branch != "" {
			out.WriteString("  end\n")
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
