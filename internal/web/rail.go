package web

import (
	"fmt"
	"strconv"
)

// The measures of a drawing of threads, in pixels.
const (
	laneWide = 18 // from one column to the next
	laneEdge = 12 // from the edge to the first
	nodeDown = 27 // from the top of a row to its packet
	bendDown = 54 // from there on all lanes are straight
)

// A drawing is one row of threads, ready to be written as SVG. Below its bends it is as high as its row turns out to be.
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

// drawing draws a strip among so many columns.
func (s strip) drawing(columns int) drawing {
	own := lineOf(s.Column)
	d := drawing{Width: 2*laneEdge + (columns-1)*laneWide, X: own, Y: nodeDown, Color: s.Color}
	for _, r := range s.Pass {
		d.Straight = append(d.Straight, straight{X: lineOf(r.Column), Y2: bottom, Color: r.Color})
	}
	if s.Above {
		d.Straight = append(d.Straight, straight{X: own, Y2: strconv.Itoa(nodeDown), Color: s.Color})
	}
	switch {
	case s.Below:
		d.Straight = append(d.Straight, straight{X: own, Y1: nodeDown, Y2: bottom, Color: s.Color})
	case s.Cut:
		d.Straight = append(d.Straight, straight{X: own, Y1: nodeDown, Y2: strconv.Itoa(bendDown), Color: s.Color, Loose: true})
	}
	for _, r := range s.Into {
		from := lineOf(r.Column)
		d.Bends = append(d.Bends, bend{fmt.Sprintf("M%d 0C%d %d %d %d %d %d", from, from, nodeDown*2/3, own, nodeDown/3, own, nodeDown), r.Color})
	}
	for _, r := range s.Out {
		to, mid := lineOf(r.Column), (nodeDown+bendDown)/2
		d.Bends = append(d.Bends, bend{fmt.Sprintf("M%d %dC%d %d %d %d %d %d", own, nodeDown, own, mid+4, to, mid-4, to, bendDown), r.Color})
		d.Straight = append(d.Straight, straight{X: to, Y1: bendDown, Y2: bottom, Color: r.Color})
	}
	return d
}

// lineOf is where a column lies.
func lineOf(column int) int { return laneEdge + column*laneWide }
