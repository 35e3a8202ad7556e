package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Entry is a record as it was found, and what is known about it. What it says is sealed: only [Entry.Open]
// hands that out.
type Entry struct {
	ID        packet.ID // the last part of its ref
	Ref       string
	Store     Store  // the memory that it lies in
	Remote    string // the remote that holds it; empty for a record of this clone
	Conflict  bool   // a remote holds another record under this name
	Verdict   sign.Verdict
	Made      bool             // this clone made it
	Signed    bool             // it is stored behind a signature
	Endorsers []trust.Endorser // who signed it later
	Life      Life

	data   []byte // the stored bytes
	kind   packet.Kind
	record *packet.Record
	*says  // set of every entry that was read

	origin *provenance.Origin
	// why it is kept from each audience, as [Entry.Withheld] counts them; empty where it is shown
	kept [4]string
}

// says is what a record says. It is most of an entry, which is copied often, so that entries share it, and nobody
// writes to it.
type says struct {
	packet packet.Packet // valid where record is a packet
	note   packet.Note   // valid where record is a note, and as it was stored
	skip   packet.Skip   // valid where record is a skip
	event  packet.Event  // valid where record is an event
	about  about
}

// said is what the record says; nothing of one that was not read.
func (e Entry) said() *says {
	if e.says == nil {
		return new(says)
	}
	return e.says
}

// Read returns the record that a ref names, checked.
func (r *Reader) Read(ctx context.Context, ref refs.Ref) (Entry, error) {
	obj, err := r.opts.Store.Read(ctx, ref)
	if err != nil {
		return Entry{}, err
	}
	// Returns the record that lies behind a ref, checked. An event of another clone has to be what this
	// one would accept.
	rec, err := r.parseRecord(ctx, ref, obj)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{
		ID: ref.Name.ID, Ref: ref.Name.Ref(), Remote: ref.Remote, Conflict: ref.Conflict, data: obj.Data,
		kind: rec.Kind(), record: rec,
		Signed: obj.TagOID != "",
	}
	switch {
	case r.IsUser():
		e.Store = OfUser
	case ref.Name.Private:
		e.Store = OfClone
	}
	v, err := r.opts.Judge.Vouch(ctx, ref.Name.ID, obj)
	if err != nil {
		return Entry{}, err
	}
	e.Verdict, e.Endorsers = r.opts.Seen.Compare(v, ref.Name, obj), v.Endorsers
	e.Made = r.opts.Seen.Made(ref.Name)
	if err := r.scanForeign(ctx, ref, obj.Data); err != nil {
		return Entry{}, err
	}
	e.says = viewOf(rec)
	return r.decideReach(ctx, e, ref.Name)
}

// parseRecord returns the record that an object holds. What is none is remembered, so that lists do not read
// it again.
func (r *Reader) parseRecord(ctx context.Context, ref refs.Ref, obj refs.Object) (*packet.Record, error) {
	rec, err := packet.Parse(obj.Data, packet.Stored)
	if err != nil {
		// Where they cannot be read, the built-in ones do: nothing is shown.
		rules, _ := r.opts.Rules.Rules(ctx)
		err = rules.CleanError(err, obj.Data)
		r.NoteInvalid(ref, err)
		return nil, err
	}
	if err := Fits(rec, ref.Name); err != nil {
		return nil, err
	}
	if rec.Kind() == packet.KindEvent && !r.opts.Seen.Made(ref.Name) && !rec.EncodesAs(obj.Data) {
		err := &MismatchError{Why: "the bytes are not the canonical encoding of the record"}
		r.NoteInvalid(ref, err)
		return nil, err
	}
	return rec, nil
}

// about is what a record of any kind says of itself.
type about struct {
	created, expires time.Time
	anchor           packet.Anchor
	by               packet.Provenance
	tags             []string
}

// viewOf is what a record says, by the view that its kind has.
func viewOf(record *packet.Record) *says {
	switch record.Kind() {
	case packet.KindEvent:
		v := record.Event()
		return &says{event: v, about: about{created: v.CreatedAt, by: v.Provenance}}
	case packet.KindNote:
		v := record.Note()
		return &says{note: v, about: about{v.CreatedAt, v.ExpiresAt, v.Anchor, v.Provenance, v.Tags}}
	case packet.KindSkip:
		v := record.Skip()
		return &says{skip: v, about: about{v.CreatedAt, v.ExpiresAt, v.Anchor, v.Provenance, v.Tags}}
	default:
		v := record.Packet()
		return &says{packet: v, about: about{v.CreatedAt, v.ExpiresAt, v.Anchor, v.Provenance, v.Tags}}
	}
}

// Kind is the kind of the record.
func (e Entry) Kind() packet.Kind { return e.kind }

// EventKind is the word of an event; "" for any other record.
func (e Entry) EventKind() string { return e.said().event.Event }

// Status is that of a task as events set it, before one closed or reopened it.
func (e Entry) Status() string { return e.said().note.After(e.Life.set).Status }

// CreatedAt is when the record says that it was made.
func (e Entry) CreatedAt() time.Time { return e.said().about.created }

// isOwn tells a record that this clone made and stores itself. Whatever else lies here may have come past the
// gate: plain git fetches to any name.
func (r *Reader) isOwn(ref refs.Ref) bool { return ref.Remote == "" && r.opts.Seen.Made(ref.Name) }

// scanForeign scans what this clone did not make, once for each version of the rules. A record passes in
// which people here allowed everything that was found.
func (r *Reader) scanForeign(ctx context.Context, ref refs.Ref, data []byte) error {
	if r.isOwn(ref) {
		return nil
	}
	rules, err := r.opts.Rules.Rules(ctx)
	clean := examinedVersion + markClean + " " + rules.Version()
	if known, _ := r.examined.Find(ref.Object); err != nil || known == clean {
		return err
	}
	findings, err := rules.Scan(data)
	hits := redact.Blocking(findings)
	switch {
	case err != nil:
		err = fmt.Errorf("scan for secrets: %w", err)
	case len(hits) == 0 && ref.Name.Kind != refs.Events: // Of an event a brief may stand in that place.
		r.examined.Note(ref.Object, clean)
		return nil
	case ref.Name.Kind != refs.Events &&
		!ref.Conflict: // What is allowed stands in events, and of two of one name it speaks of one.
		if hits, err = r.notAllowed(ctx, ref, hits); err != nil {
			return err
		}
	}
	if err == nil && len(hits) > 0 {
		err = &SecretError{Findings: hits, Stored: true}
	}
	r.keptOut = r.keptOut || err != nil
	r.examined.noteScan(ref, rules, err)
	return err
}

// Living reads a record and what became of it.
func (r *Reader) Living(ctx context.Context, ref refs.Ref) (Entry, error) {
	s, err := r.stateOf(ctx, ref.Name.ID)
	if err != nil {
		return Entry{}, err
	}
	return r.livingIn(ctx, ref, s)
}

// livingIn reads a record and what events made of it.
func (r *Reader) livingIn(ctx context.Context, ref refs.Ref, s *State) (Entry, error) {
	e, err := r.Read(ctx, ref)
	if err != nil {
		return Entry{}, err
	}
	e.Life = s.Lives[e.ID]
	e.Life.Expired = isExpired(e.ExpiresAt(), r.opts.Now())
	return e, nil
}

// ExpiresAt is when the record expires, by an event or by its own words; the zero time for never.
func (e Entry) ExpiresAt() time.Time {
	if !e.Life.Until.IsZero() {
		return e.Life.Until
	}
	return e.said().about.expires
}

func isExpired(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }

// Fits checks that a record is of the kind, and has the id, that its ref says.
func Fits(rec *packet.Record, name refs.Name) error {
	if want := refs.RecordKind(name.Kind); rec.Kind() != want {
		return &MismatchError{Why: fmt.Sprintf("it is no %s", want)}
	}
	if own, err := packet.ParseID(rec.OwnID()); err == nil && own != name.ID {
		return errOtherID()
	}
	return nil
}

func errOtherID() error { return &MismatchError{Why: "the id inside is that of another record"} }

// Store says in which memory a record lies.
type Store string

// The stores, as a reader is told them.
const (
	OfRepository Store = ""        // that of the repository at hand
	OfUser       Store = "user"    // that of the user, which is read in every repository
	OfClone      Store = "private" // that of this clone alone
)

// IsUser tells whether this is the user-wide memory.
func (r *Reader) IsUser() bool { return r.opts.User }

// Reach is how far a record goes.
type Reach int

// The reaches of a record.
const (
	Shared  Reach = iota // to every remote that memory is exchanged with
	Private              // nowhere: it stays in this clone
)

// Citations is where the places are looked for that records here cite. The user-wide memory speaks of no
// project that is known.
func (r *Reader) Citations() citation.Tree {
	if r.IsUser() {
		return citation.Tree{}
	}
	return citation.Tree{
		Repo: r.opts.Repo, BlobOID: r.opts.Store.BlobOID, ReadHere: r.opts.Store.ReadHere,
	}
}

// Cited says of each place that some records cite how it is now, in the order of the records.
func (r *Reader) Cited(ctx context.Context, entries []Shown) ([][]citation.Cited, error) {
	records := make([]citation.Record, len(entries))
	for i, e := range entries {
		c := e.Content()
		records[i] = citation.Record{Cites: c.Cites, Anchor: c.Anchor, Elsewhere: e.Store == OfUser}
	}
	return r.Citations().Check(ctx, records)
}
