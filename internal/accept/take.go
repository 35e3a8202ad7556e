package accept

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Brought is a record that was made elsewhere and has its name and its time, such as one of another clone or
// system.
type Brought struct {
	Kind  packet.Kind // required
	ID    packet.ID   // required: the name under which it is to be kept
	Data  []byte      // required: the record, with nothing missing
	Tag   []byte      // the raw tag object that signs Data; nil for none
	Reach replay.Reach
	Made  bool // it was made here of what another system wrote, so that this clone answers for it
}

// TakeRequest is records to take in.
type TakeRequest struct {
	Records []Brought
	Secrets gate.Secrets // Allow is refused
	// Signing is of those that bring no signature. As configured, only those are signed for which this clone
	// answers.
	Signing gate.Signing
	Publish bool // what is private here and is brought to travel travels from then on
	DryRun  bool // do everything but store it

	Progress func(done, of int) // told how many are stored; may be nil
}

// Fate is what becomes of a record that is brought.
type Fate string

// The fates of a record.
const (
	Added   Fate = "added"    // it was not here, and now it is
	Present Fate = "known"    // it was here
	Beside  Fate = "conflict" // another record has its name here, so that it is kept under one of its own
	Buried  Fate = "purged"   // it was purged here, and stays away
	Refused Fate = "refused"  // it is not kept
)

// Taken is what became of one record.
type Taken struct {
	Fate     Fate
	ID       packet.ID // under which it is kept
	Private  bool
	Signed   bool
	Findings []redact.Finding // warnings, and what was masked
	Notes    []string         // what else is to be known, in plain words
	Err      error            // why it is buried or refused, else nil
}

// Takings is what became of all that was brought.
type Takings struct {
	Records []Taken  // in the order of the request
	Removed []string // the full names of refs that are gone, because a purge was among what was brought
}

// The reasons to refuse what is brought, beside those of a save.
var (
	// ErrSignature says that a signature is not of the record that it comes with, or not valid.
	ErrSignature = errors.New("the signature that it comes with is bad")
)

// Take puts records that were made elsewhere through the gate, each alone, and stores those that pass: what
// is refused keeps no other one. Records keep each byte, so that what is brought a second time is known.
// Where another record has the name already, that one stays, and the new one is kept under a name made of its
// bytes.
func (n *Intake) Take(ctx context.Context, req TakeRequest) (Takings, error) {
	if req.Secrets == gate.Allow {
		return Takings{}, gate.ErrOverride
	}
	if !req.DryRun {
		if err := n.opts.Heal(ctx); err != nil {
			return Takings{}, err
		}
	}
	t := taker{intake: n, req: req, out: make([]Taken, len(req.Records)), blobs: map[refs.Name]string{}}
	var err error
	if t.rules, err = n.opts.Rules.Rules(ctx); err != nil {
		return Takings{}, err
	}
	if err := t.makePrivate(ctx); err != nil {
		return Takings{}, err
	}
	for i := range req.Records {
		b, out := t.req.Records[i], &t.out[i]
		out.ID, out.Private = b.ID, b.Reach == replay.Private
		p, err := t.passGate(ctx, i)
		if err == nil {
			err = t.placeRecord(ctx, p)
		}
		if isFault(err) { // What is wrong with the record is its fate.
			out.noteFault(err)
		} else if err != nil {
			return Takings{}, err
		}
	}
	if req.DryRun {
		return Takings{Records: t.out}, nil
	}
	removed, err := t.storeAll(ctx)
	return Takings{t.out, removed}, err
}

// A taker takes records in.
type taker struct {
	intake *Intake
	req    TakeRequest
	rules  *scan.Rules
	out    []Taken
	ready  []passing
	blobs  map[refs.Name]string // what passed so far
	public []refs.Ref           // private records that are to travel
	stored int                  // how many of them are stored
	purges bool                 // one of them is a purge
}

// passing is a record that passed the gate.
type passing struct {
	at   int
	name refs.Name
	data []byte
	tag  []byte
}

// noteFault notes why a record is not kept.
func (o *Taken) noteFault(err error) {
	o.Fate, o.Err = Refused, err
	if errors.Is(err, replay.ErrPurged) {
		o.Fate = Buried
	}
}

// isFault tells whether a record is at fault, and not the machine.
func isFault(err error) bool {
	return replay.IsUnreadable(err) || errors.Is(err, ErrSignature) || errors.Is(err, replay.ErrPurged) ||
		errors.Is(err, replay.ErrExists)
}

// passGate puts one record through the gate.
func (t *taker) passGate(ctx context.Context, at int) (passing, error) {
	b, out := t.req.Records[at], &t.out[at]
	if err := t.intake.opts.Reader.Buried(ctx, b.ID); err != nil {
		return passing{}, err
	}
	rec, err := packet.Parse(b.Data, packet.Stored)
	if err != nil {
		return passing{}, t.rules.CleanError(err, b.Data)
	}
	p := passing{
		at:   at,
		name: refs.Name{Kind: refs.KindFor(b.Kind), ID: b.ID, Private: b.Reach == replay.Private},
	}
	own := rec.OwnID()
	_, notID := packet.ParseID(own)
	if notID != nil && own != "" && b.Tag == nil && b.Kind == packet.KindPacket {
		// One whose own id is no ULID may be here under another time.
		_, known, err := t.intake.opts.Writer.NameFor(ctx, rec, b.Reach)
		if err != nil {
			return passing{}, err
		}
		if known != nil {
			p.name.ID = known.Ref.Name.ID
		}
	}
	if err := replay.Fits(rec, p.name); err != nil {
		return passing{}, err
	}
	receipt, err := gate.Pass(t.rules, rec, gate.Answer{Secrets: t.req.Secrets})
	if err != nil {
		return passing{}, err
	}
	out.ID, out.Findings, p.data = p.name.ID, receipt.Findings, receipt.Data
	if rec.Kind() == packet.KindEvent && rec.Event().Event == replay.PurgeEvent {
		t.purges = true
		note := "it is a purge, and was applied here"
		if t.req.DryRun {
			note = "it is a purge, and would be applied here"
		}
		out.addNote(note)
	}
	p.tag, err = t.signatureOf(ctx, p, b, out)
	return p, err
}

// signatureOf returns the tag object with which a record is stored, or nil where it brings none that can be
// kept.
func (t *taker) signatureOf(ctx context.Context, p passing, b Brought, out *Taken) ([]byte, error) {
	if len(b.Tag) == 0 {
		return nil, nil
	}
	if len(redact.Blocking(out.Findings)) > 0 {
		out.addNote("a mask changes it, so that its signature does not hold any more and was left out")
		return nil, nil
	}
	blob := t.intake.opts.Store.BlobOID(p.data)
	if parsed, err := sign.ParseTag(b.Tag); err == nil && len(parsed.Object) != len(blob) {
		out.addNote("it was signed in a repository that names objects otherwise, and its signature was left out")
		return nil, nil
	}
	tag, err := sign.Examine(b.Tag, string(p.name.ID), blob, p.data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if err := t.intake.opts.Signer.ScanTag(ctx, b.Tag); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	// Whose key it is counts when the record is read. What no key could have made would only stand in the way
	// of a good one.
	var nobody sign.Trust
	if verdict, err := nobody.Verify(tag, t.intake.opts.Now()); err == nil && verdict.Standing == sign.Bad {
		return nil, fmt.Errorf("%w: %s", ErrSignature, verdict.Why)
	}
	return b.Tag, nil
}

func (o *Taken) addNote(text string) { o.Notes = append(o.Notes, text) }
