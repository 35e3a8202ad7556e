package main

import "strings"

// graph draws threads from the newest packet down, one column for each that is
// still open. The zero value is ready to draw.
type graph struct {
	columns []string // the id that each column waits for
}

// draw returns the lines above a packet, where columns meet in it, what stands
// before its own line, and the lines below it, where columns part.
func (g *graph) draw(id string, parents []string) (above []string, before string, below []string) {
	own := g.column(id)
	above = g.join(own)
	var marks strings.Builder
	for i := range g.columns {
		if i == own {
			marks.WriteString("* ")
			continue
		}
		marks.WriteString("| ")
	}
	if len(parents) > 1 {
		right := len(g.columns) - own - 1
		below = []string{strings.Repeat("| ", own) + "|" +
			strings.TrimRight(strings.Repeat("\\ ", len(parents)-1+right), " ")}
	}
	g.follow(own, parents)
	return above, marks.String(), below
}

// column returns the first column that waits for a packet, or a new one.
func (g *graph) column(id string) int {
	for i, waits := range g.columns {
		if waits == id {
			return i
		}
	}
	g.columns = append(g.columns, id)
	return len(g.columns) - 1
}

// join closes the other columns that wait for the same packet, one line each.
func (g *graph) join(own int) []string {
	var lines []string
	for i := own + 1; i < len(g.columns); {
		if g.columns[i] != g.columns[own] {
			i++
			continue
		}
		right := len(g.columns) - i - 1
		lines = append(lines,
			strings.Repeat("| ", own)+"|"+strings.Repeat("_|", i-own-1)+"/"+strings.Repeat(" /", right))
		g.columns = append(g.columns[:i], g.columns[i+1:]...)
	}
	return lines
}

// follow lets the packet's column wait for its parents.
func (g *graph) follow(own int, parents []string) {
	var rest []string
	rest = append(rest, g.columns[own+1:]...)
	g.columns = append(g.columns[:own], parents...)
	g.columns = append(g.columns, rest...)
}
