package recall

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// sketch is what a picture needs of one record. It holds nothing that differs from clone to clone.
type sketch struct {
	node       graph.Node
	edges      []graph.Edge
	named      []packet.ID // the records that its edges lead to
	replacedBy []packet.ID
}

// sketchRecord draws one record. The views of a withheld one hold no text and name nothing.
func (p *painter) sketchRecord(of replay.Entry) sketch {
	e, _ := of.Open(replay.Asked)
	c := e.Content()
	s := sketch{node: graph.Node{
		ID: string(e.ID), Kind: graph.Kind(e.Kind()), Label: e.Text(p.labelOf(e)), States: stateWords(of),
		At:     e.CreatedAt(),
		Branch: clean.Line(c.Anchor.Branch),
	}}
	for _, id := range append([]string{e.Packet().ParentID}, e.Packet().Parents...) {
		s.addEdge(graph.Continues, id, provenance.Text{})
	}
	for _, id := range e.Packet().Supersedes {
		s.addEdge(graph.Supersedes, id, provenance.Text{})
	}
	for _, id := range e.Note().Links {
		s.addEdge(graph.Links, id, provenance.Text{})
	}
	l := e.Life
	for _, by := range []struct {
		id   packet.ID
		kind graph.Relation
	}{{l.Superseded, graph.Supersedes}, {l.Consolidated, graph.Consolidates}} {
		if by.id != "" {
			s.edges = append(s.edges, graph.Edge{From: string(by.id), To: s.node.ID, Kind: by.kind})
			s.named, s.replacedBy = append(s.named, by.id), append(s.replacedBy, by.id)
		}
	}
	for _, other := range l.Links {
		s.addEdge(graph.Links, string(other.ID), other.Label)
	}
	for _, cite := range c.Cites {
		lines := strings.TrimPrefix(strings.TrimPrefix(cite.String(), cite.Path), ":")
		s.edges = append(s.edges,
			graph.Edge{From: s.node.ID, To: filePath(cite.Path), Kind: graph.Cites, Lines: lines})
	}
	if p.query.Commits && c.Anchor.Commit != "" {
		s.edges = append(s.edges, graph.Edge{From: s.node.ID, To: c.Anchor.Commit, Kind: graph.AtCommit})
	}
	return s
}

// addEdge adds an edge to another record.
func (s *sketch) addEdge(kind graph.Relation, other string, label provenance.Text) {
	if other = clean.Line(other); other == "" {
		return
	}
	s.edges = append(s.edges, graph.Edge{From: s.node.ID, To: other, Kind: kind, Label: label})
	if id, err := packet.ParseID(other); err == nil {
		s.named = append(s.named, id)
	}
}

// labelOf is what a record says first. What was taken out of every list says nothing here either, unless it
// was asked for.
func (p *painter) labelOf(e replay.Shown) string {
	if (e.Life.Retracted || e.Life.Expired) && !p.query.Hidden && e.ID != p.focus {
		return ""
	}
	switch e.Kind() {
	case packet.KindNote:
		return e.Note().Kind + ": " + clean.Line(e.Note().Text)
	case packet.KindSkip:
		return clean.Line(e.Skip().Item)
	default:
		return clean.Line(e.Packet().Goal)
	}
}

// stateWords are the words for what became of a record.
func stateWords(e replay.Entry) []graph.State {
	var all []graph.State
	for _, s := range []struct {
		word graph.State
		is   bool
	}{
		{graph.Retracted, e.Life.Retracted},
		{graph.Superseded, e.Life.Superseded != ""},
		{graph.Consolidated, e.Life.Consolidated != ""},
		{graph.Archived, e.Life.Archived},
		{graph.Expired, e.Life.Expired},
		{"closed", e.Life.Closed},
		{"wrong", e.Life.Contradicted},
	} {
		if s.is {
			all = append(all, s.word)
		}
	}
	return all
}

// filePath is the name of a file in the picture. One that is named like a record or a commit is told from
// these.
func filePath(path string) string {
	path = clean.Line(path)
	if _, err := packet.ParseID(path); err == nil || git.IsObjectID(path) {
		return "./" + path
	}
	return path
}
