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
	Event     packet.Event  // valid where Record is an event
	Verdict   sign.Verdict
	Signed    bool       // it is stored behind a signature
	Endorsers []Endorser // who signed it later
	Life      Life
}

// Life is what the events made of a record.
type Life struct {
	Retracted bool
	By        packet.ID // the event that decided
	Expired   bool
}

// Hidden tells whether lists leave the record out.
func (l Life) Hidden() bool { return l.Retracted || l.Expired }

// bound is the number of bytes that a record of this kind may have.
func bound(kind refs.Kind) int64 {
	if kind == refs.Packets {
		return packet.MaxPacket
	}
	return packet.MaxSmall
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
	if rec.Kind() == packet.KindEvent {
		e.Event = rec.Event()
	} else {
		e.Packet = rec.Packet()
	}
	return e, nil
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

// fits checks that a record is of the kind, and has the id, that its ref says.
func fits(rec *packet.Record, name refs.Name) error {
	want := packet.KindPacket
	if name.Kind == refs.Events {
		want = packet.KindEvent
	}
	if rec.Kind() != want {
		return &MismatchError{Why: fmt.Sprintf("it is no %s", want)}
	}
	if own, err := packet.ParseID(rec.OwnID()); err == nil && own != name.ID {
		return &MismatchError{Why: "the id inside is that of another record"}
	}
	return nil
}

// admit scans what another clone sent. A packet passes in which people here allowed everything that was found.
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
	if len(hits) > 0 && ref.Name.Kind == refs.Packets && !ref.Conflict {
		if hits, err = m.notAllowed(ctx, ref, hits); err != nil {
			return err
		}
	}
	if len(hits) > 0 {
		return &SecretError{Findings: hits, Stored: true}
	}
	return nil
}

// packet reads a packet and what became of it.
func (m *Memory) packet(ctx context.Context, ref refs.Ref) (Entry, error) {
	e, err := m.read(ctx, ref)
	if err != nil {
		return Entry{}, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return Entry{}, err
	}
	e.Life = s.lives[e.ID]
	e.Life.Expired = expired(e.Packet.ExpiresAt, m.opts.Now())
	if e.Verdict.Standing.Withheld() {
		e.Packet = packet.Packet{CreatedAt: e.Packet.CreatedAt, Goal: withheld}
	}
	return e, nil
}

// withheld stands for the text of a packet that must not reach a reader, who
// may be an agent that asks for a list.
const withheld = "(withheld)"

func expired(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }
