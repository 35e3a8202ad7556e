package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds and measures of a picture.
const (
	mostNodes  = 150
	aroundDeep = 2
	rowHigh    = 36 // the style has the same
	arcsWide   = 64 // room for the arcs, left of what is in no thread
	asideWide  = 14 // and for that
	beside     = -1 // the column of that
	mostNamed  = 3  // files that a row names
)

// picture is a page that draws records and how they hang together, newest first: a row each, threads as
// lanes, and all other relations as arcs beside them.
type picture struct {
	Width, Height int
	Rows          []node
	Arcs          []arc
	Around        card
	More          bool

	lines
	left int // where what is in no thread lies
}

// A node is one record of a picture.
type node struct {
	ID, Short, Href string
	Kind            string
	Label           string
	Author          string
	Time            moment
	Marks           []mark
	Past            bool
	Files           []string // the places that it cites
	Others          int      // how many more
	Says            string   // its relations in words, for who does not see the arcs
	X, Y            int
	Color           int

	said    string // what the picture says of it, before the gate was asked
	parents []string
}

// An arc is a relation of two rows.
type arc struct{ Path, Kind string }

func (s *shelf) graphView(ctx context.Context, around string) (view, error) {
	q := recall.PictureQuery{Limit: mostNodes, Private: true}
	title := "Graph"
	var p picture
	if around != "" {
		id, err := packet.ParseID(around)
		if err != nil {
			return view{}, errNoPage
		}
		q = recall.PictureQuery{ID: string(id), Depth: aroundDeep, Private: true}
		title = "Graph around " + shortID(id)
		p.Around = card{ID: string(id), Short: shortID(id), Href: s.href(id)}
	}
	drawn, err := recall.Draw(ctx, s.memory, q)
	if errors.Is(err, recall.ErrNoPlace) {
		return view{}, errNoPage
	}
	if err != nil {
		return view{}, err
	}
	p.More = drawn.More
	g := drawn.Graph.Sorted()
	if err := s.makeRows(ctx, &p, g); err != nil {
		return view{}, err
	}
	p.layOut(g)
	return view{template: "graph", title: title, tab: graphName, body: p}, nil
}

// makeRows makes a row of each record. What it says is asked of the gate once more, because a picture is
// drawn of what policy withholds, too.
func (s *shelf) makeRows(ctx context.Context, p *picture, g graph.Graph) error {
	var exhibits []exhibit
	for _, n := range g.Nodes {
		if n.Kind == graph.File || n.Kind == graph.Commit {
			continue
		}
		var x exhibit
		if n.Kind != graph.Missing {
			e, err := s.memory.FindAny(ctx, n.ID)
			switch {
			case err == nil:
				x = exhibitOf(e)
			case !errors.Is(err, replay.ErrNotFound) && !replay.IsUnreadable(err):
				return err
			}
		}
		label, _ := n.Label.For(replay.Asked)
		exhibits = append(exhibits, x)
		p.Rows = append(p.Rows, node{
			ID: clean.Line(n.ID), Short: clean.Line(n.Short), Kind: string(graph.Missing),
			Label: "not here", said: cutLine(label, titleColumns),
		})
	}
	if err := s.checkCites(ctx, s.memory, exhibits); err != nil {
		return err
	}
	for i, x := range exhibits {
		n := &p.Rows[i]
		if x.ID != "" {
			n.Kind, n.Label, n.Href, n.Past = string(x.Kind()), n.said, s.href(x.ID), x.Life.Hidden()
			n.Time, n.Marks = s.momentOf(x.CreatedAt()), s.marksOf(x)
			if x.withheld != "" {
				n.Label = noText
			} else {
				n.Author, n.parents = cutLine(x.Origin().By(), nameColumns), parentsOf(x.Shown)
			}
		}
		n.tellRelations(g)
	}
	return nil
}

// tellRelations says in words what a record has to do with others, and names the files that it cites.
func (n *node) tellRelations(g graph.Graph) {
	var says []string
	for _, e := range g.Edges {
		switch {
		case e.From != n.ID || n.Label == noText:
		case e.Kind == graph.Cites:
			if len(n.Files) == mostNamed {
				n.Others++
				continue
			}
			// A cited place as a row names it: the file without its folders, and the lines.
			name := clean.Line(e.To)
			name = name[strings.LastIndexByte(name, '/')+1:]
			if e.Lines != "" {
				name += ":" + e.Lines
			}
			n.Files = append(n.Files, clean.Truncate(name, nameColumns/2))
		case e.Kind != graph.AtCommit:
			says = append(says, string(e.Kind)+" "+lastPart(e.To))
		}
	}
	n.Says = strings.Join(says, ", ")
}

// lastPart is the part of an id that tells it from others.
func lastPart(id string) string { return shortID(packet.ID(clean.Line(id))) }

// layOut lays out what belongs to the rows.
func (p *picture) layOut(g graph.Graph) {
	at := map[string]int{}
	for i, n := range p.Rows {
		at[n.ID] = i
	}
	p.left = asideWide
	if slices.ContainsFunc(g.Edges, func(e graph.Edge) bool { return isArc(at, e) }) {
		p.left = arcsWide
	}
	var threads lanes
	widest := 1
	for i, n := range p.Rows {
		strip := threads.stripOf(n, at, i)
		widest = max(widest, strip.Lanes)
		p.placeStrip(i, strip)
	}
	for _, e := range g.Edges {
		if from, to, _ := rowsOf(at, e); isArc(at, e) {
			p.Arcs = append(p.Arcs, arc{p.arcPath(from, to), string(e.Kind)})
		}
	}
	p.Width, p.Height = p.left+asideWide+lineOf(widest-1)+laneEdge, rowHigh*len(p.Rows)
}

// rowsOf are the rows of the ends of an edge.
func rowsOf(at map[string]int, e graph.Edge) (from, to int, ok bool) {
	from, known := at[e.From]
	to, ok = at[e.To]
	return from, to, ok && known
}

// isArc tells an edge that is drawn as an arc: one of two rows that no lane joins.
func isArc(at map[string]int, e graph.Edge) bool {
	from, to, ok := rowsOf(at, e)
	return ok && from != to && (e.Kind != graph.Continues || to < from)
}

// stripOf gives the record of a row its strip. What is in no thread lies left of them all.
func (l *lanes) stripOf(n node, at map[string]int, row int) strip {
	waits := slices.ContainsFunc(l.columns, func(c lane) bool { return c.to == n.ID })
	if n.Kind == string(graph.Packet) || waits {
		below := slices.DeleteFunc(slices.Clone(n.parents), func(id string) bool {
			to, ok := at[id]
			return !ok || to <= row
		})
		return l.drawPacket(n.ID, below, false)
	}
	s := strip{Column: beside, Lanes: len(l.columns)}
	for i, c := range l.columns {
		if c.to != "" {
			s.Pass = append(s.Pass, rail{i, c.color})
		}
	}
	return s
}

// placeStrip puts a strip at its height. Its bends end with the row.
func (p *picture) placeStrip(i int, s strip) {
	top, bottom := i*rowHigh, (i+1)*rowHigh
	x := func(column int) int {
		if column == beside {
			return p.left
		}
		return p.left + asideWide + lineOf(column)
	}
	p.Rows[i].X, p.Rows[i].Y, p.Rows[i].Color = x(s.Column), top+rowHigh/2, s.Color
	p.addStrip(s, band{top, top + rowHigh/2, bottom, strconv.Itoa(bottom)}, x)
}

// curveTo joins two points, upright at both.
func curveTo(x1, y1, x2, y2, color int) bend {
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
