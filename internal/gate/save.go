package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Options is what a Writer works with. All is required, but for the agent and what it was shown.
type Options struct {
	replay.Options

	Config  func(context.Context) (git.Config, error)
	Signer  *Signer
	Reader  *replay.Reader
	Threads *replay.Threads
	Heal    func(context.Context) error // mends what a crash left, before anything is written
	Entropy io.Reader                   // for new ids
	Agent   string                      // the agent that the person uses to write here; "" for none
	// what that agent was shown, which is not stored under the person's name; nil where a person writes
	Shown Shown
}

// Tools are what the packages above work with: what a Writer does, and the Writer.
type Tools struct {
	Options

	Writer *Writer
}

// Writer stores records that passed the gate. It is not safe for concurrent use.
type Writer struct{ opts Options }

// New returns one.
func New(o Options) *Writer { return &Writer{o} }

// Secrets is what to do with a packet that holds some.
type Secrets int

// The answers to a secret.
const (
	Refuse Secrets = iota // store nothing
	Hide                  // put a mask in its place
	Allow                 // store it as it is, and say so in the packet
)

// Answer is what to do with what the scan finds in a record. The zero value refuses it.
type Answer struct {
	Secrets Secrets
	Allowed []string // fingerprints of findings that are no secrets, as a refusal names them
	Why     string   // required with Allowed: the reason, kept in the event that allows them
}

// Form is how much a save may add to a packet.
type Form int

// The forms of a save.
const (
	Complete Form = iota // fill what is missing and write the newest version
	AsIs                 // add nothing
)

// Link is how a packet that names no parent joins a thread.
type Link int

// The links of a packet that names no parent.
const (
	Choose Link = iota // the thread of its session, else what [replay.Threads.Continued] finds, else none
	Begin              // none
)

// SaveRequest is a record to store: a packet, a note or a skip.
type SaveRequest struct {
	Data     []byte // required: the record as JSON
	Continue string // the packet that it continues, as Find takes it; "" leaves that to the packet and Link
	Link     Link
	Session  packet.ID // the last packet of the session that saves; "" where that is not known
	Form     Form      // of a packet; others are completed
	Answer   Answer
	Signing  Signing
	Reach    replay.Reach
	Fresh    bool // give it a new id even if it brings one
	DryRun   bool // do everything but store it
}

// Receipt says what a save stored.
type Receipt struct {
	ID       packet.ID
	Ref      string
	Data     []byte           // the stored bytes
	Findings []redact.Finding // warnings, and what was hidden or allowed
	Secrets  Secrets          // how blocking findings were answered
	Allowed  int              // how many of them the answer allowed one by one
	Known    bool             // the same record was there before
	Relative int              // places of this machine that were written anew
	Parent   string
	Signed   bool      // it lies behind a signature
	Newest   packet.ID // the newest packet that was known before; empty where there was none
	// an open packet of this branch that could be continued, where a new thread begins; without an id for
	// none
	Beside replay.Choice
	name   refs.Name
	away   bool // only a remote holds it
	// records of others of which it repeated twelve words or more, which are not stored again
	Copied []packet.ID
	// members that the packet brought and that were left out, because they speak of places in a project
	Left []string
}

// Save puts a packet through the gate and stores it. It fails with an
// *[packet.InvalidError], a *[SecretError] or [ErrExists], and then nothing is
// stored.
func (w *Writer) Save(ctx context.Context, req SaveRequest) (Receipt, error) {
	mode := packet.Draft
	if req.Form == AsIs {
		mode = packet.Stored
	}
	rec, err := packet.Parse(req.Data, mode)
	if err != nil {
		// Where they cannot be read, the built-in ones do: nothing is stored.
		rules, _ := w.opts.Rules.Rules(ctx)
		return Receipt{}, rules.CleanError(err, req.Data)
	}
	if rec.Kind() != packet.KindPacket {
		return Receipt{}, &packet.InvalidError{Problems: []packet.Problem{{
			Path: "/type",
			Text: "this is a record of another kind, save stores packets",
		}}}
	}
	at := place{time: w.opts.Now().UTC()}
	if req.Form == Complete {
		if err := refuseBlank(rec); err != nil {
			return Receipt{}, err
		}
		at.origin = w.surveyPlace(ctx, rec.Clone())
		defer func() { _, _, _ = at.origin() }() // Nothing of it goes on.
	}
	if !req.DryRun {
		if err := w.opts.Heal(ctx); err != nil {
			return Receipt{}, err
		}
	}
	left := w.leaveOut(rec, req.Form)
	if req.Fresh {
		rec.Remove("id")
	}
	newest, err := w.newestOf(ctx, refs.Packets)
	if err != nil {
		return Receipt{}, err
	}
	at.newest = newest
	receipt, err := w.prepareRecord(ctx, rec, req, &at)
	if err != nil {
		return Receipt{}, err
	}
	receipt.Newest, receipt.Beside, receipt.Left = newest, at.beside, left
	all := []Receipt{receipt}
	if err := w.keepRecords(ctx, []SaveRequest{req}, all); err != nil {
		return all[0], err
	}
	return all[0], w.linkCopied(ctx, all[0], req.DryRun)
}

// prepareRecord makes a record ready to be stored.
func (w *Writer) prepareRecord(ctx context.Context, rec *packet.Record, req SaveRequest,
	at *place,
) (receipt Receipt, err error) {
	kind, drawn := rec.Kind(), rec.OwnID() == ""
	if at.id, at.known, err = w.nameFor(ctx, rec, req.Reach, *at); err != nil {
		return Receipt{}, err
	}
	if drawn {
		at.newest = at.id
	}
	var copied []packet.ID
	if at.known == nil {
		rest, of, whole, err := w.withoutCopies(ctx, rec)
		switch {
		case err != nil:
			return Receipt{}, err
		case len(of) > 0 && req.Form == AsIs:
			return Receipt{}, fmt.Errorf("%s %s: %w", kind, of[0], ErrCopied)
		case whole != nil:
			return receiptOf(*whole, of), nil
		}
		rec, copied = rest, of
	}
	if err := w.completeRecord(ctx, rec, req, at); err != nil {
		return Receipt{}, err
	}
	if err := w.refusePrivateNames(ctx, rec, req.Reach); err != nil {
		return Receipt{}, err
	}
	rules, err := w.opts.Rules.Rules(ctx)
	if err != nil {
		return Receipt{}, err
	}
	pass := w.passWritten
	if req.Form == AsIs {
		pass = w.passAsIs
	}
	if receipt, err = pass(rules, rec, req.Answer); err != nil {
		return Receipt{}, err
	}
	receipt.name = refs.Name{Kind: refs.KindFor(kind), ID: at.id, Private: req.Reach == replay.Private}
	receipt.ID, receipt.Ref, receipt.Copied = at.id, receipt.name.Ref(), copied
	return receipt, receipt.compareWith(at.known, kind)
}

// compareWith holds a record that passed against the one that is there already, or nil.
func (r *Receipt) compareWith(known *Stored, kind packet.Kind) error {
	if known == nil {
		return nil
	}
	r.Known, r.Signed, r.away = bytes.Equal(known.data, r.Data), known.signed, known.Ref.Remote != ""
	if !r.Known {
		return fmt.Errorf("%s %s: %w", kind, r.ID, replay.ErrExists)
	}
	return nil
}

// allowFound stores the events that allow what an answer let through, in the very object that was stored.
func (w *Writer) allowFound(ctx context.Context, receipt Receipt, made refs.Ref, answer Answer) error {
	var events []Event
	for _, f := range redact.Blocking(receipt.Findings) {
		if slices.Contains(answer.Allowed, f.Fingerprint("")) {
			events = append(events, Event{
				Kind: replay.AllowEvent, Targets: []packet.ID{receipt.ID}, Why: answer.Why,
				Value:  f.Fingerprint(string(receipt.ID)),
				Object: made.Object, Until: w.opts.Now().Add(replay.DefaultAllowed),
			})
		}
	}
	if len(events) == 0 {
		return nil
	}
	if _, err := w.StoreEvents(ctx, events...); err != nil {
		return fmt.Errorf("%s is stored, and what was found in it is not allowed yet: %w", receipt.ID, err)
	}
	return nil
}

// NameFor decides under which id a record is stored, and returns the one that
// stands there already, among those of the same reach.
func (w *Writer) NameFor(ctx context.Context, rec *packet.Record, reach replay.Reach) (packet.ID, *Stored, error) {
	return w.nameFor(ctx, rec, reach, place{time: w.opts.Now()})
}

// nameFor does so for a record that is made somewhere. The ids of a batch, which has one time, are of one
// millisecond: by that undo finds all of it.
func (w *Writer) nameFor(ctx context.Context, rec *packet.Record, reach replay.Reach,
	made place,
) (packet.ID, *Stored, error) {
	name := refs.Name{Kind: refs.KindFor(rec.Kind()), Private: reach == replay.Private}
	own := rec.OwnID()
	if own == "" {
		id, err := packet.NewID(made.time, w.opts.Entropy, made.newest)
		return id, nil, err
	}
	if id, err := packet.ParseID(own); err == nil {
		name.ID = id
		ref, err := w.opts.Store.Lookup(ctx, name)
		if errors.Is(err, refs.ErrNotFound) {
			return id, nil, nil
		}
		if err != nil {
			return "", nil, err
		}
		known, err := w.readStored(ctx, ref)
		return id, known, err
	}
	found, err := w.opts.Store.Match(ctx, name, packet.DerivedSuffix(own))
	if err != nil && !errors.Is(err, refs.ErrNotFound) {
		return "", nil, err
	}
	for _, ref := range found {
		known, err := w.readStored(ctx, ref)
		if err != nil {
			return "", nil, err
		}
		if known.record.OwnID() == own {
			return known.Ref.Name.ID, known, nil
		}
	}
	at := made.time
	if created := rec.Packet().CreatedAt; !created.IsZero() && created.UnixMilli() >= 0 {
		at = created
	}
	return packet.DeriveID(own, at), nil, nil
}

// Stored is what stands under a name already.
type Stored struct {
	Ref    refs.Ref
	data   []byte
	record *packet.Record
	signed bool // it lies behind a signature
}

// readStored reads the record that stands under a name already.
func (w *Writer) readStored(ctx context.Context, ref refs.Ref) (*Stored, error) {
	obj, err := w.opts.Store.Read(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", ref.Name.Ref(), err)
	}
	rec, err := packet.Parse(obj.Data, packet.Stored)
	if err != nil {
		// Where they cannot be read, the built-in ones do: nothing is shown.
		rules, _ := w.opts.Rules.Rules(ctx)
		return nil, fmt.Errorf("read %q: %w", ref.Name.Ref(), rules.CleanError(err, obj.Data))
	}
	return &Stored{ref, obj.Data, rec, obj.TagOID != ""}, nil
}

// newestOf returns the newest id of some kinds that is known here, or nothing.
func (w *Writer) newestOf(ctx context.Context, kinds ...refs.Kind) (newest packet.ID, err error) {
	for _, kind := range kinds {
		for ref, err := range w.opts.Reader.Everything(ctx, refs.Query{Kind: kind, Newest: true, Remotes: true}) {
			if err != nil {
				return "", err
			}
			newest = max(newest, ref.Name.ID)
			break
		}
	}
	return newest, nil
}

// encoded is a record as it passed the gate.
type encoded struct {
	name    refs.Name
	data    []byte
	signing Signing
}

// createRefs stores what passed, all or nothing.
func (w *Writer) createRefs(ctx context.Context, passed ...encoded) ([]refs.Ref, error) {
	var all []refs.New
	var names []string
	for _, p := range passed {
		tag, err := w.opts.Signer.TagFor(ctx, p.name.ID, p.data, p.signing)
		if err != nil {
			return nil, err
		}
		all = append(all, refs.New{Name: p.name, Data: p.data, Tag: tag})
		names = append(names, string(p.name.ID))
	}
	made, err := w.opts.Store.Create(ctx, all)
	if failure, ok := errors.AsType[*SignError](err); ok {
		return nil, failure
	}
	if errors.Is(err, refs.ErrExists) {
		return nil, fmt.Errorf("record %s: %w", strings.Join(names, ", "), replay.ErrExists)
	}
	if err != nil {
		return nil, fmt.Errorf("store record %s: %w", strings.Join(names, ", "), err)
	}
	for i, ref := range made {
		blob := w.opts.Store.BlobOID(all[i].Data)
		now := ledger.Sighting{Blob: blob, Made: true}
		if ref.Object != blob {
			now.Tag = ref.Object
			if rec, err := packet.Parse(all[i].Data, packet.Stored); err == nil {
				w.opts.Seen.NoteSigner(rec.AuthorHuman())
			}
		}
		w.opts.Seen.Note(ref.Name, now)
	}
	w.opts.Seen.Keep()
	w.opts.Reader.Stored()
	return made, nil
}
