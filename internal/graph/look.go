package graph

import "slices"

// A look is how the nodes of a kind are told and drawn.
type look struct {
	kind         Kind
	heading      string // above many of them
	shape, style string // in DOT
	open, end    string // around the label in Mermaid
}

// looks are those of all kinds, in the order in which they are told.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var looks = []look{
	{Packet, "Packets", "box", "rounded", `("`, `")`},
	{Note, "Notes", "note", "", `["`, `"]`},
	{Skip, "Skips", "octagon", "", `{{"`, `"}}`},
	{File, "Files", "folder", "", `[/"`, `"/]`},
	{Commit, "Commits", "ellipse", "", `(["`, `"])`},
	{Missing, "Not here", "box", "dotted", `["`, `"]`},
}

// kindRank orders kinds. That of another word is below zero.
func kindRank(k Kind) int { return slices.IndexFunc(looks, func(l look) bool { return l.kind == k }) }

// lookOf is the look of a kind. Another word than those is drawn like a packet.
func lookOf(k Kind) look {
	if i := kindRank(k); i >= 0 {
		return looks[i]
	}
	other := looks[0]
	other.heading = "Other records"
	return other
}

// otherRelation is where relations of other words stand among those that are known.
const otherRelation = 5

// relations are the relations in the order in which the edges of a node are told, from their beginning and from their end.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var relations = []struct {
	relation    Relation
	said, heard string
}{
	{Continues, "continues", "continued by"},
	{Supersedes, "supersedes", "superseded by"},
	{Consolidates, "consolidates", "consolidated into"},
	{Links, "links to", "linked from"},
	{Cites, "cites", "cited by"},
	otherRelation: {},
	{AtCommit, "at commit", "commit of"},
}

// relationRank says in which order the edges of a node are told.
func relationRank(r Relation) int {
	for i, known := range relations {
		if known.relation == r && r != "" {
			return i
		}
	}
	return otherRelation
}

// said tells a relation from its beginning.
func said(r Relation) string {
	if i := relationRank(r); i != otherRelation {
		return relations[i].said
	}
	return shown(string(r), 24)
}

// heard tells a relation from its end.
func heard(r Relation) string {
	if i := relationRank(r); i != otherRelation {
		return relations[i].heard
	}
	return shown(string(r), 24) + " from"
}
