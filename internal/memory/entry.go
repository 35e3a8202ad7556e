package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Entry is a record as it was found, and what is known about it.
type Entry struct {
	ID        packet.ID // the last part of its ref
	Ref       string
	Store     Store  // the memory that it lies in
	Remote    string // the remote that holds it; empty for a record of this clone
	Conflict  bool   // a remote holds another record under this name
	Data      []byte // the stored bytes
	Record    *packet.Record
	Packet    packet.Packet // valid where Record is a packet
	Note      packet.Note   // valid where Record is a note, and as it was stored
	Skip      packet.Skip   // valid where Record is a skip
	Event     packet.Event  // valid where Record is an event
	Verdict   sign.Verdict
	Signed    bool       // it is stored behind a signature
	Endorsers []Endorser // who signed it later
	Life      Life
}

// read returns the record that a ref names, checked.
func (m *Memory) read(ctx context.Context, ref refs.Ref) (Entry, error) {
	obj, err := m.store.Read(ctx, ref, bound(ref.Name.Kind))
	if err != nil {
		return Entry{}, err
	}
	rec, err := packet.Parse(obj.Data, packet.Stored)
	if err != nil {
		rules, _ := m.Rules(ctx) // Where they cannot be read, the built-in ones do: nothing is shown.
		return Entry{}, rules.told(err, obj.Data)
	}
	if err := fits(rec, ref.Name); err != nil {
		return Entry{}, err
	}
	e := Entry{
		ID: ref.Name.ID, Ref: ref.Name.Ref(), Remote: ref.Remote, Conflict: ref.Conflict, Data: obj.Data, Record: rec,
		Store: m.storeOf(ref.Name), Signed: obj.TagOID != "",
	}
	v, err := m.vouch(ctx, ref.Name.ID, obj)
	if err != nil {
		return Entry{}, err
	}
	e.Verdict, e.Endorsers = m.seen.compare(v, ref.Name, obj), v.endorsers
	if ref.Remote != "" || m.overriddenElsewhere(rec, ref.Name) {
		if err := m.admit(ctx, ref, obj.Data); err != nil {
			return Entry{}, err
		}
	}
	return e.viewed(), nil
}

// viewed returns the entry with the view of the record that its kind has.
func (e Entry) viewed() Entry {
	switch e.Record.Kind() {
	case packet.KindEvent:
		e.Event = e.Record.Event()
	case packet.KindNote:
		e.Note = e.Record.Note()
	case packet.KindSkip:
		e.Skip = e.Record.Skip()
	default:
		e.Packet = e.Record.Packet()
	}
	return e
}

// Kind is the kind of the record.
func (e Entry) Kind() packet.Kind { return e.Record.Kind() }

// Content is what the record says. Of one that is withheld that is nothing.
func (e Entry) Content() packet.Content {
	if e.Verdict.Standing.Withheld() {
		return packet.Content{Kind: e.Kind(), CreatedAt: e.CreatedAt()}
	}
	return e.Record.Content()
}

// CreatedAt is when the record says that it was made.
func (e Entry) CreatedAt() time.Time {
	switch e.Record.Kind() {
	case packet.KindEvent:
		return e.Event.CreatedAt
	case packet.KindNote:
		return e.Note.CreatedAt
	case packet.KindSkip:
		return e.Skip.CreatedAt
	default:
		return e.Packet.CreatedAt
	}
}

// Task is the note of a task as the events left it.
func (e Entry) Task() packet.Note {
	n := e.Note.After(e.Life.Set)
	if e.Life.Closed {
		n.Status = completed
	}
	return n
}

// overriddenElsewhere tells a packet that its author stored although the scan found something, and that this clone did not make:
// a plain fetch that writes below refs/ltm has brought it past the gate.
func (m *Memory) overriddenElsewhere(rec *packet.Record, name refs.Name) bool {
	if rec.Kind() != packet.KindPacket || !rec.Has("scan") || len(rec.Packet().Scan.Overridden) == 0 {
		return false
	}
	was, _ := m.seen.find(name)
	return !was.made
}

// admit scans what another clone sent. A record passes in which people here allowed everything that was found.
func (m *Memory) admit(ctx context.Context, ref refs.Ref, data []byte) error {
	rules, err := m.Rules(ctx)
	if err != nil {
		return err
	}
	findings, err := rules.scan(data)
	if err != nil {
		return fmt.Errorf("scan for secrets: %w", err)
	}
	hits := redact.Blocking(findings)
	// What is allowed stands in events, so that no event can be; and of two records of one name it speaks of one.
	if len(hits) > 0 && ref.Name.Kind != refs.Events && !ref.Conflict {
		if hits, err = m.notAllowed(ctx, ref, hits); err != nil {
			return err
		}
	}
	if len(hits) > 0 {
		return &SecretError{Findings: hits, Stored: true}
	}
	return nil
}

// living reads a record and what became of it.
func (m *Memory) living(ctx context.Context, ref refs.Ref) (Entry, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return Entry{}, err
	}
	return m.livingIn(ctx, ref, s)
}

// livingIn reads a record and what events made of it.
func (m *Memory) livingIn(ctx context.Context, ref refs.Ref, s *state) (Entry, error) {
	e, err := m.read(ctx, ref)
	if err != nil {
		return Entry{}, err
	}
	e.Life = s.lives[e.ID]
	e.Life.Expired = expired(e.ExpiresAt(), m.opts.Now())
	if e.Verdict.Standing.Withheld() {
		e = e.withoutText()
	}
	return e, nil
}

// ExpiresAt is when the record expires, by an event or by its own words; the zero time for never.
func (e Entry) ExpiresAt() time.Time {
	switch {
	case !e.Life.Until.IsZero():
		return e.Life.Until
	case e.Record.Kind() == packet.KindNote:
		return e.Note.ExpiresAt
	case e.Record.Kind() == packet.KindSkip:
		return e.Skip.ExpiresAt
	default:
		return e.Packet.ExpiresAt
	}
}

// withoutText returns the entry without the text in the views.
func (e Entry) withoutText() Entry {
	e.Packet = packet.Packet{CreatedAt: e.Packet.CreatedAt, Goal: withheld}
	e.Note = packet.Note{CreatedAt: e.Note.CreatedAt, Kind: e.Note.Kind, Text: withheld}
	e.Skip = packet.Skip{CreatedAt: e.Skip.CreatedAt, Item: withheld, ExpiresAt: e.Skip.ExpiresAt}
	e.Life.Digest = ""
	return e
}

// withheld stands for the text of a packet that must not reach a reader, who
// may be an agent that asks for a list.
const withheld = "(withheld)"

func expired(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }
