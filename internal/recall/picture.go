package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// ErrNoPlace says that a picture cannot be drawn around a record: it is an event, or private where nothing
// private is drawn.
var ErrNoPlace = errors.New("it has no place in the picture")

// PictureQuery says what is drawn. The zero value draws all packets, notes and skips that are not hidden.
type PictureQuery struct {
	// draw what lies near this record, as [replay.Reader.FindAny] takes it; then nothing else narrows
	ID      string
	Depth   int       // how many edges away from it
	Branch  string    // made on it
	Since   time.Time // made at or after
	Limit   int       // so many of the newest; zero is no bound
	Hidden  bool      // also what was retracted or has expired
	Private bool      // also what never leaves this clone
	Commits bool      // also the commits at which records were made
}

// Picture is some records and how they hang together. Clones that hold the same records have the same
// picture.
type Picture struct {
	Graph graph.Graph
	More  bool // there are records beyond the limit
}

// Draw makes a picture of a memory. An edge that names a record leads to it, whether it was asked for or not:
// but what was retracted or has expired is drawn without text unless it was asked for, and what is withheld
// always is.
func Draw(ctx context.Context, m *memory.Memory, q PictureQuery) (Picture, error) {
	p := &painter{memory: m, query: q, drawn: map[packet.ID]sketch{}, aside: map[packet.ID]sketch{}}
	if q.ID != "" { // Whatever names it may be anywhere, so that everything is read.
		e, err := m.FindAny(ctx, q.ID)
		switch {
		case err != nil:
			return Picture{}, err
		case e.Kind() == packet.KindEvent:
			return Picture{}, fmt.Errorf("record %s: %w: it is an event", e.ID, ErrNoPlace)
		case !p.admits(e):
			return Picture{}, fmt.Errorf("record %s: %w: it is private, and nothing private was asked for",
				e.ID, ErrNoPlace)
		}
		p.focus = e.ID
		p.query.Branch, p.query.Since, p.query.Limit = "", time.Time{}, 0
	}
	if p.chooseRecords(ctx); p.focus == "" {
		p.drawReplaced(ctx)
	}
	if p.fetchEnds(ctx); p.fault != nil {
		return Picture{}, p.fault
	}
	drawn := Picture{p.buildGraph(), p.more}
	if p.focus != "" {
		drawn.Graph = drawn.Graph.Around(string(p.focus), q.Depth)
	}
	return drawn, nil
}

// painter gathers what a picture is made of.
type painter struct {
	memory *memory.Memory
	query  PictureQuery
	focus  packet.ID
	drawn  map[packet.ID]sketch // what was asked for
	aside  map[packet.ID]sketch // what was read, and is drawn where an edge leads to it
	reach  map[packet.ID]bool   // what edges lead to
	more   bool
	fault  error // why the picture cannot be drawn
}

// admits tells whether a record may be drawn at all.
func (p *painter) admits(e replay.Entry) bool { return p.query.Private || e.Store != replay.OfClone }

// chooseRecords reads the newest records, and parts those that were asked for from the others.
func (p *painter) chooseRecords(ctx context.Context) {
	var chosen []packet.ID
	for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
		of := 0 // One more is read than is asked for.
		q := replay.Query{Kind: kind, Hidden: true}
		q.Branch, q.Since = p.query.Branch, p.query.Since
		for e, err := range p.memory.List(ctx, q) {
			if p.fault = err; err != nil {
				return
			}
			if !p.admits(e) {
				continue
			}
			p.aside[e.ID] = p.sketchRecord(e)
			if !e.Life.Hidden() || p.query.Hidden || e.ID == p.focus {
				chosen = append(chosen, e.ID)
				of++
			}
			if p.query.Limit > 0 && of > p.query.Limit {
				break
			}
		}
	}
	slices.SortFunc(chosen, func(a, b packet.ID) int { return cmp.Compare(b, a) })
	if limit := p.query.Limit; limit > 0 && len(chosen) > limit {
		p.more = true
		chosen = chosen[:limit]
	}
	for _, id := range chosen {
		p.drawn[id] = p.aside[id]
		delete(p.aside, id)
	}
}

// drawReplaced finds the records that a drawn one has taken the place of: only events know of them.
func (p *painter) drawReplaced(ctx context.Context) {
	for e, err := range p.memory.List(ctx, replay.Query{Kind: packet.KindEvent, Hidden: true}) {
		if p.fault = cmp.Or(p.fault, err); p.fault != nil {
			return
		}
		shown, why := e.Open(replay.Asked)
		if why != "" || !slices.ContainsFunc(shown.Event().By, func(by string) bool {
			return p.isDrawn(packet.ID(by))
		}) {
			continue
		}
		for _, id := range replay.IDs(shown.Event().Targets) {
			p.fetchRecord(ctx, id)
		}
	}
}

func (p *painter) isDrawn(id packet.ID) bool {
	_, drawn := p.drawn[id]
	return drawn
}

// fetchRecord reads a record that was not read yet. One that is not here, or cannot be read, stays missing.
func (p *painter) fetchRecord(ctx context.Context, id packet.ID) {
	if _, known := p.aside[id]; known || p.isDrawn(id) || p.fault != nil {
		return
	}
	e, err := p.memory.FindAny(ctx, string(id))
	switch {
	case errors.Is(err, replay.ErrNotFound), replay.IsUnreadable(err):
	case err != nil:
		p.fault = err
	case e.Kind() != packet.KindEvent && p.admits(e):
		p.aside[id] = p.sketchRecord(e)
	}
}

// fetchEnds finds the records that lie at the other ends of the edges of what is drawn.
func (p *painter) fetchEnds(ctx context.Context) {
	p.reach = map[packet.ID]bool{}
	for _, s := range p.drawn {
		for _, other := range s.named {
			p.fetchRecord(ctx, other)
			p.reach[other] = true
		}
	}
	for id, s := range p.aside {
		if slices.ContainsFunc(s.replacedBy, p.isDrawn) {
			p.reach[id] = true
		}
	}
}

// buildGraph puts everything together: all edges of what was asked for, and of the others those between what
// is drawn.
func (p *painter) buildGraph() graph.Graph {
	var g graph.Graph
	inside := map[string]bool{}
	for id, s := range p.drawn {
		inside[string(id)] = true
		g.Nodes = append(g.Nodes, s.node)
		g.Edges = append(g.Edges, s.edges...)
	}
	var outer []graph.Edge
	for id, s := range p.aside {
		if p.reach[id] {
			inside[string(id)] = true
			g.Nodes = append(g.Nodes, s.node)
			outer = append(outer, s.edges...)
		}
	}
	g.Edges = append(g.Edges, slices.DeleteFunc(outer, func(e graph.Edge) bool {
		return !inside[e.From] || !inside[e.To]
	})...)
	// Lets edges that name a packet by an id of its own lead to that packet.
	own := map[string]string{}
	for _, n := range g.Nodes {
		own[packet.ID(n.ID).Suffix()] = n.ID
	}
	for i, e := range g.Edges {
		if _, err := packet.ParseID(e.To); err == nil || e.Kind == graph.Cites || e.Kind == graph.AtCommit {
			continue
		}
		if id, ok := own[packet.DerivedSuffix(e.To)]; ok {
			g.Edges[i].To = id
		}
	}
	return g
}
