package web

import (
	"fmt"
	"slices"
	"strconv"
)

// mostLanes bounds how many threads are drawn beside each other. Whoever can push can make any number.
const mostLanes = 8

// lanes are the columns of a drawing of threads, newest first: each holds the name of the packet that it
// leads down to. The zero value is ready to draw.
type lanes struct {
	columns []lane
	begun   int // how many threads began, which gives each its colour
}

// A lane leads from packets that were drawn down to one that is still to come. The zero value is free.
type lane struct {
	to    string
	color int
}

// colors is how many colours there are.
const colors = 6

// A strip is what one row of the drawing shows.
type strip struct {
	Column int
	Color  int
	Above  bool   // a line comes down to the packet
	Below  bool   // and one goes on from it
	Pass   []rail // lanes that pass by
	Into   []rail // lanes that end in the packet
	Out    []rail // lanes that begin in it
	Cut    bool   // it continues what is not here
	Lanes  int    // how many columns the row needs
}

// A rail is a lane in one row.
type rail struct{ Column, Color int }

// drawPacket gives a packet its row. Its parents are those that are still to come; cut says that it has
// others.
func (l *lanes) drawPacket(name string, parents []string, cut bool) strip {
	own := l.takeColumn(name)
	s := strip{
		Column: own, Color: l.columns[own].color, Above: l.columns[own].to == name, Cut: cut,
		Lanes: len(l.columns),
	}
	l.columns[own].to = ""
	for i, c := range l.columns {
		switch {
		case c.to == name:
			s.Into = append(s.Into, rail{i, c.color})
			l.columns[i] = lane{}
		case c.to != "":
			s.Pass = append(s.Pass, rail{i, c.color})
		}
	}
	if len(parents) > 0 {
		s.Below = true
		l.columns[own].to = parents[0]
		for _, parent := range parents[1:] {
			s.Out = append(s.Out, l.branchLane(parent)...)
		}
	}
	s.Lanes = max(s.Lanes, len(l.columns))
	l.trimColumns()
	return s
}

// skipPacket leads every lane that waits for a packet which is not drawn on to its first parent.
func (l *lanes) skipPacket(name string, parents []string) {
	for i, c := range l.columns {
		switch {
		case c.to != name:
		case len(parents) > 0:
			l.columns[i].to = parents[0]
		default:
			l.columns[i] = lane{}
		}
	}
	l.trimColumns()
}

// takeColumn returns the first column that waits for a packet, or else a free one. Where there is none
// left, the last is taken.
func (l *lanes) takeColumn(name string) int {
	if i := slices.IndexFunc(l.columns, func(c lane) bool { return c.to == name }); i >= 0 {
		return i
	}
	i := slices.IndexFunc(l.columns, func(c lane) bool { return c.to == "" })
	switch {
	case i >= 0:
	case len(l.columns) < mostLanes:
		l.columns = append(l.columns, lane{})
		i = len(l.columns) - 1
	default:
		i = mostLanes - 1
	}
	l.columns[i] = lane{color: l.begun % colors}
	l.begun++
	return i
}

// branchLane lets another lane lead to a further parent; nothing where no column is left.
func (l *lanes) branchLane(parent string) []rail {
	if i := slices.IndexFunc(l.columns, func(c lane) bool { return c.to == parent }); i >= 0 {
		return []rail{{i, l.columns[i].color}}
	}
	free := slices.ContainsFunc(l.columns, func(c lane) bool { return c.to == "" })
	if !free && len(l.columns) == mostLanes {
		return nil
	}
	i := l.takeColumn(parent)
	l.columns[i].to = parent
	return []rail{{i, l.columns[i].color}}
}

// trimColumns drops free columns at the end.
func (l *lanes) trimColumns() {
	for len(l.columns) > 0 && l.columns[len(l.columns)-1].to == "" {
		l.columns = l.columns[:len(l.columns)-1]
	}
}

// The measures of a drawing of threads, in pixels.
const (
	laneWide = 18 // from one column to the next
	laneEdge = 12 // from the edge to the first
	nodeDown = 27 // from the top of a row to its packet
	bendDown = 54 // from there on all lanes are straight
)

// A drawing is one row of threads, ready to be written as SVG. Below its bends it is as high as its row turns
// out to be.
type drawing struct {
	Width, X, Y int
	Color       int
	Straight    []straight
	Bends       []bend
}

// A straight goes down from one height to another, which may be that of the row.
type straight struct {
	X     int
	Y1    int
	Y2    string
	Color int
	Loose bool // it leads to what is not here
}

// A bend joins two columns.
type bend struct {
	Path  string
	Color int
}

// bottom is the height of a row, whatever it is.
const bottom = "100%"

// drawStrip draws a strip among so many columns.
func (s strip) drawStrip(columns int) drawing {
	d := drawing{
		Width: 2*laneEdge + (columns-1)*laneWide, X: lineOf(s.Column), Y: nodeDown, Color: s.Color,
	}
	line := func(column, from int, to string, color int, loose bool) {
		d.Straight = append(d.Straight, straight{lineOf(column), from, to, color, loose})
	}
	// A bend joins two points, upright at both.
	join := func(from, y1, to, y2, color int) {
		x1, x2, mid := lineOf(from), lineOf(to), (y1+y2)/2
		path := fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1, mid, x2, mid, x2, y2)
		d.Bends = append(d.Bends, bend{path, color})
	}
	for _, r := range s.Pass {
		line(r.Column, 0, bottom, r.Color, false)
	}
	if s.Above {
		line(s.Column, 0, strconv.Itoa(nodeDown), s.Color, false)
	}
	switch {
	case s.Below:
		line(s.Column, nodeDown, bottom, s.Color, false)
	case s.Cut:
		line(s.Column, nodeDown, strconv.Itoa(bendDown), s.Color, true)
	}
	for _, r := range s.Into {
		join(r.Column, 0, s.Column, nodeDown, r.Color)
	}
	for _, r := range s.Out {
		join(s.Column, nodeDown, r.Column, bendDown, r.Color)
		line(r.Column, bendDown, bottom, r.Color, false)
	}
	return d
}

// lineOf is where a column lies.
func lineOf(column int) int { return laneEdge + column*laneWide }
