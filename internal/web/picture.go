package web

import (
	"context"
	"errors"
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

// picture is a page that draws records and how they hang together, newest first: a row each, threads as lanes, and all other
// relations as arcs beside them.
type picture struct {
	Width, Height int
	Rows          []node
	Straight      []straight
	Bends         []bend
	Arcs          []arc
	Around        card
	More          bool

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
	q := recall.PictureQuery{Limit: mostNodes, Private: s.export == nil}
	title := "Graph"
	var p picture
	if around != "" {
		id, err := packet.ParseID(around)
		if err != nil {
			return view{}, errNoPage
		}
		q = recall.PictureQuery{ID: string(id), Depth: aroundDeep, Private: s.export == nil}
		title = "Graph around " + short(id)
		p.Around = card{ID: string(id), Short: short(id), Href: s.href(id)}
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
	if err := s.rows(ctx, &p, g); err != nil {
		return view{}, err
	}
	p.draw(g)
	return view{template: "graph", title: title, tab: graphName, body: p}, nil
}

// rows makes a row of each record.
func (s *shelf) rows(ctx context.Context, p *picture, g graph.Graph) error {
	var exhibits []exhibit
	for _, n := range g.Nodes {
		if n.Kind == graph.File || n.Kind == graph.Commit {
			continue
		}
		x, here, err := s.drawn(ctx, n)
		if err != nil {
			return err
		}
		if here || s.export == nil {
			p.Rows, exhibits = append(p.Rows, newNode(n)), append(exhibits, x)
		}
	}
	if err := s.cite(ctx, s.memory, exhibits); err != nil {
		return err
	}
	for i, x := range exhibits {
		p.Rows[i].tell(s, x)
		p.Rows[i].relations(g)
	}
	return nil
}

// drawn judges the record of a node. What it says is asked of the gate once more, because a picture is drawn of what policy
// withholds, too.
func (s *shelf) drawn(ctx context.Context, n graph.Node) (x exhibit, here bool, err error) {
	if n.Kind == graph.Missing {
		return exhibit{}, false, nil
	}
	e, err := s.memory.FindAny(ctx, n.ID)
	if errors.Is(err, replay.ErrNotFound) || replay.IsUnreadable(err) {
		return exhibit{}, false, nil
	}
	if err != nil || !s.lets(e) {
		return exhibit{}, false, err
	}
	return exhibitOf(e), true, nil
}

// newNode is a record that is not here, until it is told.
func newNode(n graph.Node) node {
	label, _ := n.Label.For(replay.Asked)
	return node{ID: clean.Line(n.ID), Short: clean.Line(n.Short), Kind: string(graph.Missing), Label: "not here", said: cut(label, titleColumns)}
}

// tell says what is known of a record that is here.
func (n *node) tell(s *shelf, x exhibit) {
	if x.ID == "" {
		return
	}
	n.Kind, n.Label, n.Href, n.Past = string(x.Kind()), n.said, s.href(x.ID), x.Life.Hidden()
	n.Time, n.Marks = s.moment(x.CreatedAt()), s.marks(x)
	if x.withheld != "" {
		n.Label = noText
		return
	}
	n.Author = cut(x.Origin().By(), nameColumns)
	n.parents = parentsOf(x.Shown)
}

// relations says in words what a record has to do with others, and names the files that it cites.
func (n *node) relations(g graph.Graph) {
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
func lastPart(id string) string { return short(packet.ID(clean.Line(id))) }
