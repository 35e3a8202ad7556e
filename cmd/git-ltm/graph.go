package main

import "strings"

// graph draws threads from the newest packet down, one column for each that is
// still open. The zero value is ready to draw.
type graph struct {
	columns []string // the id that each column waits for
}

// draw returns what stands before the line of a packet, and the lines that
// follow it where columns join or part.
func (g *graph) draw(id string, parents []string) (before string, after []string) {
	own := -1
	var marks strings.Builder
	for i, waits := range g.columns {
		switch {
		case waits == id && own < 0:
			own = i
			marks.WriteString("* ")
		default:
			marks.WriteString("| ")
		}
	}
	if own < 0 {
		own = len(g.columns)
		g.columns = append(g.columns, id)
		marks.WriteString("* ")
	}
	width := len(g.columns)
	after = g.join(id, own, width)
	g.follow(own, parents)
	if len(parents) > 1 {
		after = append(after, strings.Repeat("| ", own)+"|"+strings.Repeat("\\ ", len(parents)-1))
	}
	return marks.String(), after
}

// join closes the other columns that waited for the same packet.
func (g *graph) join(id string, own, width int) []string {
	kept := g.columns[:0]
	joined := false
	for i, waits := range g.columns {
		if waits == id && i != own {
			joined = true
			continue
		}
		kept = append(kept, waits)
	}
	g.columns = kept
	if !joined {
		return nil
	}
	return []string{strings.TrimRight(strings.Repeat("| ", own)+"|"+strings.Repeat("/ ", width-len(kept)), " ")}
}

// follow lets the packet's column wait for its parents.
func (g *graph) follow(own int, parents []string) {
	var rest []string
	rest = append(rest, g.columns[own+1:]...)
	g.columns = append(g.columns[:own], parents...)
	g.columns = append(g.columns, rest...)
}
