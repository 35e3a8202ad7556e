package web

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/graph"
)

// draw lays out what belongs to the rows.
func (p *picture) draw(g graph.Graph) {
	at := map[string]int{}
	for i, n := range p.Rows {
		at[n.ID] = i
	}
	p.left = asideWide
	if slices.ContainsFunc(g.Edges, func(e graph.Edge) bool { return bows(at, e) }) {
		p.left = arcsWide
	}
	var threads lanes
	widest := 1
	for i, n := range p.Rows {
		strip := threads.row(n, at, i)
		widest = max(widest, strip.Lanes)
		p.place(i, strip)
	}
	for _, e := range g.Edges {
		if from, to, _ := ends(at, e); bows(at, e) {
			p.Arcs = append(p.Arcs, arc{p.arcPath(from, to), string(e.Kind)})
		}
	}
	p.Width, p.Height = p.left+asideWide+lineOf(widest-1)+laneEdge, rowHigh*len(p.Rows)
}

// ends are the rows of the ends of an edge.
func ends(at map[string]int, e graph.Edge) (from, to int, ok bool) {
	from, known := at[e.From]
	to, ok = at[e.To]
	return from, to, ok && known
}

// bows tells an edge that is drawn as an arc: one of two rows that no lane joins.
func bows(at map[string]int, e graph.Edge) bool {
	from, to, ok := ends(at, e)
	return ok && from != to && (e.Kind != graph.Continues || to < from)
}

// row gives the record of a row its strip. What is in no thread lies left of them all.
func (l *lanes) row(n node, at map[string]int, row int) strip {
	waits := slices.ContainsFunc(l.columns, func(c lane) bool { return c.to == n.ID })
	if n.Kind == string(graph.Packet) || waits {
		below := slices.DeleteFunc(slices.Clone(n.parents), func(id string) bool { to, ok := at[id]; return !ok || to <= row })
		return l.draw(n.ID, below, false)
	}
	s := strip{Column: beside, Lanes: len(l.columns)}
	for i, c := range l.columns {
		if c.to != "" {
			s.Pass = append(s.Pass, rail{i, c.color})
		}
	}
	return s
}

// place puts a strip at its height. Its bends end with the row.
func (p *picture) place(i int, s strip) {
	top, bottom := i*rowHigh, (i+1)*rowHigh
	middle := top + rowHigh/2
	x := func(column int) int {
		if column == beside {
			return p.left
		}
		return p.left + asideWide + lineOf(column)
	}
	line := func(column, y1, y2, color int) {
		p.Straight = append(p.Straight, straight{X: x(column), Y1: y1, Y2: strconv.Itoa(y2), Color: color})
	}
	p.Rows[i].X, p.Rows[i].Y, p.Rows[i].Color = x(s.Column), middle, s.Color
	for _, r := range s.Pass {
		line(r.Column, top, bottom, r.Color)
	}
	if s.Above {
		line(s.Column, top, middle, s.Color)
	}
	if s.Below {
		line(s.Column, middle, bottom, s.Color)
	}
	for _, r := range s.Into {
		p.Bends = append(p.Bends, curve(x(r.Column), top, x(s.Column), middle, r.Color))
	}
	for _, r := range s.Out {
		p.Bends = append(p.Bends, curve(x(s.Column), middle, x(r.Column), bottom, r.Color))
	}
}

// curve joins two points, upright at both.
func curve(x1, y1, x2, y2, color int) bend {
	mid := (y1 + y2) / 2
	return bend{fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1, mid, x2, mid, x2, y2), color}
}

// arcPath swings out to the left, the farther the more rows lie between.
func (p *picture) arcPath(from, to int) string {
	a, b := p.Rows[from], p.Rows[to]
	swing := 22 + int(8*math.Sqrt(float64(max(from-to, to-from))))
	left := max(-14, min(a.X, b.X)-swing)
	return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", a.X, a.Y, left, a.Y, left, b.Y, b.X, b.Y)
}
