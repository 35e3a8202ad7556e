// Package graph draws records and how they hang together: which continues
// which, what replaced what, which files and commits they speak of.
//
// A picture has four forms: text for a terminal, DOT for Graphviz, a flowchart
// of Mermaid, and one page of HTML that needs nothing else. The same records
// give the same bytes, whatever order they come in. Every text of a record is
// hostile: it is shown, on one line and cut, but it can neither move a
// terminal nor break out of the form that it stands in.
//
// The package is pure. It reads no repository and knows no clock.
package graph

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// A Kind says what a node stands for. Another word than these is shown as it
// is and drawn like a packet.
type Kind string

// The kinds of nodes.
const (
	Packet  Kind = "packet"
	Note    Kind = "note"
	Skip    Kind = "skip"
	File    Kind = "file"
	Commit  Kind = "commit"
	Missing Kind = "missing" // A record that others name and that is not here.
)

// A Relation says what an edge means. It goes from the record that says so,
// mostly the newer one, to what it speaks of.
type Relation string

// The relations between nodes.
const (
	Continues    Relation = "continues"
	Supersedes   Relation = "supersedes"
	Consolidates Relation = "consolidates"
	Links        Relation = "links"
	Cites        Relation = "cites"
	AtCommit     Relation = "at-commit"
)

// A State is a mark of a record. Any other word may be one.
type State string

// The states that change how a node is drawn.
const (
	Retracted    State = "retracted"
	Superseded   State = "superseded"
	Consolidated State = "consolidated"
	Archived     State = "archived"
	Expired      State = "expired"
)

// A Node is a record, or a file or commit that records speak of.
type Node struct {
	ID     string          // required; a ULID, the path of a file, the hash of a commit
	Kind   Kind            // default Packet
	Short  string          // default the last 8 characters of a record's ID, the first 8 of a commit's, all of a path
	Label  provenance.Text // what it says, with who wrote it
	States []State         // in any order; Superseded and Consolidated also follow from the edges
	Branch string          // where it was written
	At     time.Time       // when; zero where that is not known
}

// An Edge is one relation of two nodes.
type Edge struct {
	From, To string          // required; the IDs of nodes
	Kind     Relation        // default Links
	Lines    string          // of Cites: such as 12 or 12-20
	Label    provenance.Text // the words of a link, with who wrote them
}

// Text is what a node says, to those who asked for the picture.
func (n Node) Text() string {
	text, ok := n.Label.For(provenance.Requested)
	if !ok && n.Label.Origin().ID != "" {
		return "(withheld)"
	}
	return clean.Line(text)
}

// Author is who wrote a node; nobody where that is kept.
func (n Node) Author() string {
	if _, ok := n.Label.For(provenance.Requested); !ok {
		return ""
	}
	return n.Label.Origin().By()
}

// Text is the lines that an edge leads to, or what somebody wrote on it.
func (e Edge) Text() string {
	text, _ := e.Label.For(provenance.Requested)
	return shown(cmp.Or(clean.Line(text), e.Lines), 40)
}

// Author is who wrote on an edge; nobody where it only leads to lines.
func (e Edge) Author() string {
	if _, ok := e.Label.For(provenance.Requested); !ok || e.Label.Origin().ID == "" {
		return ""
	}
	return e.Label.Origin().By()
}

// words are the text of an edge with its author, unless that is who wrote the node that it comes from.
func (e Edge) words(from Node) string {
	text := e.Text()
	if by := e.Author(); text != "" && by != "" && by != from.Author() {
		text += ", by " + shown(by, 24)
	}
	return text
}

// A Graph is a set of nodes and edges in any order. Where an edge names a node
// that is not among them, one is drawn: a file, a commit, or a missing record.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// write writes a finished picture, all of it or, where it cannot be, none that
// would be taken for it.
func write(w io.Writer, picture *strings.Builder) error {
	if _, err := io.WriteString(w, picture.String()); err != nil {
		return fmt.Errorf("write graph: %w", err)
	}
	return nil
}
