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
	"fmt"
	"io"
	"strings"
	"time"
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
	ID     string    // required; a ULID, the path of a file, the hash of a commit
	Kind   Kind      // default Packet
	Short  string    // default the last 8 characters of a record's ID, the first 8 of a commit's, all of a path
	Label  string    // what it says, in a line
	States []State   // in any order; Superseded and Consolidated also follow from the edges
	Author string    // who wrote it
	Branch string    // where it was written
	At     time.Time // when; zero where that is not known
}

// An Edge is one relation of two nodes.
type Edge struct {
	From, To string   // required; the IDs of nodes
	Kind     Relation // default Links
	Label    string   // of Cites the lines, such as 12 or 12-20; else the words of a link
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
