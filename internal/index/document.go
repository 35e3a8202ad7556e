package index

import (
	"cmp"
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Listed is the name of a record that is known, and the object that it names.
type Listed struct {
	Ref, Object string

	// Record is what stays the same where another ref counts for the record; the ref where it is not given.
	Record string
	Young  bool // Young says that the packed part of a stamp does not speak of the record.
	// Aside says of an event that [Index.Events] leaves it out, unless all are asked for: it is no more than a
	// claim of a stranger.
	Aside bool
}

// recordName is what names the record.
func (l Listed) recordName() string { return cmp.Or(l.Record, l.Ref) }

// version is the object as it is kept: an event that begins to count, or stops, is another one.
func (l Listed) version() string {
	if l.Aside {
		return l.Object + " aside"
	}
	return l.Object
}

// Document is what a record says, before anybody asked who vouches for it. An event has no content of its own.
type Document struct {
	Ref     string         // Ref is required.
	Content packet.Content // Content says the kind of the record.
	Event   packet.Event   // Event is valid where the kind of Content is event.
	Rules   []Rule         // Rules are those of its items.
	// Signer says in a word who put it here, such as the fingerprint of a key; it is for [Query.Signers].
	Signer  string
	Private bool // Private says that it never leaves this clone.
	Remote  bool // Remote says that a remote alone holds it.
	Signed  bool // Signed says that it lies behind a signature, by whomever.
}

// Load returns the documents of some refs. One that it leaves out has nothing to say until its ref names
// another object. It is called from another goroutine than the one that waits for it, and never twice at
// once.
type Load func(context.Context, []Listed) ([]Document, error)

// List returns records in any order, each once. It is asked when a Sync goes along it, and maybe twice.
type List = func() ([]Listed, error)

// Synced says what a Sync has done.
type Synced struct {
	Added, Removed int // Added and Removed count records. One that has changed counts in both.
	// Busy says that another process is at it: nothing was done, or something that was taken out is still
	// left in the file.
	Busy bool
}

// Query says what is searched for. What is left out does not narrow it.
type Query struct {
	Text string   // Text is words in any order; quotes, signs and colons say nothing.
	Also []string // Also are other words for what Text asks for. They count less.
	// Kinds are of items or of records, or as "note/pitfall" of notes alone; one of them is enough.
	Kinds []string
	Filter
	Limit int  // Limit is 20 where it is not given.
	Full  bool // Full wants items that hold all the words that are not too many.

	Counter string // Counter is one to which the record adds: of an author or a branch.

	// Signers are those of whom one must have put the record here; nil is anybody.
	Signers []string
}

// Hit is an item that was found.
type Hit struct {
	Ref, ID     string
	packet.Item // Item is without words; its confidence is that of the record where it has none.
	// Record is what holds for the whole record, for all of its hits. Nobody writes to it.
	Record     *packet.Content
	Cites      bool   // Cites says that the record cites places.
	CitesLines bool   // CitesLines says that it cites lines of one of them.
	Signer     string // Signer is the word of the document that says who put the record here.

	Score    float64  // Score is that of BM25 for the heaviest words of the query.
	Evidence float64  // Evidence says how much of the query meets by what meets by chance, which is 1.
	Asked    []string // Asked are the words of the query but those too common to count.
	// Matched are those of the heaviest that the item holds, the rarest first, and other words behind them.
	Matched []string
	Full    bool // Full says that it holds all that were asked.
}
