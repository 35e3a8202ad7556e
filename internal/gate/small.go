package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// SmallRequest is a note or a skip to store.
type SmallRequest struct {
	Data    []byte // required: one note or skip as JSON; what it does not say of time and place is filled in
	Answer  Answer // Allow is refused: nobody overrides the scan for a small record
	Signing Signing
	Reach   replay.Reach
	DryRun  bool // do everything but store it
}

// ErrOverride says that the scan cannot be overridden for a record.
var ErrOverride = errors.New("the scan is never overridden for notes and skips")

// BatchError is what is wrong with records of a batch, which were not stored. The others were.
type BatchError struct {
	Failed []FailedItem // in the order of the batch, never empty
}

// FailedItem is what is wrong with one record of a batch.
type FailedItem struct {
	Index int // from 0
	Err   error
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("%d of the records cannot be stored, the first is record %d: %v", len(e.Failed),
		e.Failed[0].Index+1, e.Failed[0].Err)
}

// Unwrap returns what is wrong with each record.
func (e *BatchError) Unwrap() []error {
	all := make([]error, len(e.Failed))
	for i, f := range e.Failed {
		all[i] = f.Err
	}
	return all
}

// SaveSmall puts a note or a skip through the gate and stores it. It fails as [Writer.Save] does, and then
// nothing is stored.
func (w *Writer) SaveSmall(ctx context.Context, req SmallRequest) (Receipt, error) {
	all, err := w.SaveBatch(ctx, []SmallRequest{req})
	if batch, ok := errors.AsType[*BatchError](err); ok {
		return Receipt{}, batch.Failed[0].Err
	}
	if err != nil {
		return Receipt{}, err
	}
	return all[0], nil
}

// SaveBatch stores the notes and skips of a batch that pass, in one transaction. What is wrong with the
// others is a *[BatchError], and their receipts are empty.
func (w *Writer) SaveBatch(ctx context.Context, reqs []SmallRequest) ([]Receipt, error) {
	if slices.ContainsFunc(reqs, func(r SmallRequest) bool { return !r.DryRun }) {
		if err := w.opts.Heal(ctx); err != nil {
			return nil, err
		}
	}
	now, err := w.lookAround(ctx)
	if err != nil {
		return nil, err
	}
	receipts := make([]Receipt, len(reqs))
	var wrong BatchError
	twice := map[packet.ID]bool{}
	for i, req := range reqs {
		receipts[i], err = w.prepareSmall(ctx, req, &now)
		if err == nil && twice[receipts[i].ID] && len(receipts[i].Copied) == 0 {
			err = fmt.Errorf("record %s stands twice in the batch: %w", receipts[i].ID, replay.ErrExists)
		}
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			wrong.Failed = append(wrong.Failed, FailedItem{i, err})
			receipts[i] = Receipt{}
			continue
		}
		twice[receipts[i].ID] = true
	}
	if err := w.keepRecords(ctx, reqs, receipts); err != nil {
		return receipts, err
	}
	for i, r := range receipts {
		if err := w.linkCopied(ctx, r, reqs[i].DryRun); err != nil {
			return receipts, err
		}
	}
	if len(wrong.Failed) > 0 {
		return receipts, &wrong
	}
	return receipts, nil
}

// situation is what is filled into records that are made here and now.
type situation struct {
	at     time.Time
	author string
	anchor map[string]any
	newest packet.ID // the newest id that is known or was given
}

// lookAround looks around.
func (w *Writer) lookAround(ctx context.Context) (situation, error) {
	now := situation{at: w.opts.Now().UTC(), anchor: map[string]any{}}
	author, err := w.Author(ctx)
	if err != nil {
		return now, err
	}
	now.author = author
	if !w.opts.Reader.IsUser() {
		head, err := w.HeadNow(ctx)
		if err != nil {
			return now, err
		}
		now.anchor = Survey{Head: head}.Anchor()
	}
	for _, kind := range []refs.Kind{refs.Notes, refs.Skips} {
		for ref, err := range w.opts.Reader.Everything(ctx,
			refs.Query{Kind: kind, Newest: true, Remotes: true}) {
			if err != nil {
				return now, err
			}
			now.newest = max(now.newest, ref.Name.ID)
			break
		}
	}
	return now, nil
}

// prepareSmall makes a record ready to be stored.
func (w *Writer) prepareSmall(ctx context.Context, req SmallRequest, now *situation) (Receipt, error) {
	rules, err := w.opts.Rules.Rules(ctx)
	if err != nil {
		return Receipt{}, err
	}
	rec, err := packet.Parse(req.Data, packet.Draft)
	if err != nil {
		return Receipt{}, rules.CleanError(err, req.Data)
	}
	switch {
	case req.Answer.Secrets == Allow:
		return Receipt{}, ErrOverride
	case rec.Kind() != packet.KindNote && rec.Kind() != packet.KindSkip:
		return Receipt{}, &packet.InvalidError{Problems: []packet.Problem{{
			Path: "/type",
			Text: "must be note or skip here",
		}}}
	}
	if err := refuseBlank(rec); err != nil {
		return Receipt{}, err
	}
	known, err := w.knownSmall(ctx, rec, req.Reach)
	if err != nil {
		return Receipt{}, err
	}
	var copied []packet.ID
	if known == nil {
		rest, of, whole, err := w.withoutCopies(ctx, rec)
		if err != nil {
			return Receipt{}, err
		}
		if whole != nil {
			return receiptOf(*whole, of), nil
		}
		rec, copied = rest, of
	}
	if err := w.completeSmall(rec, known, now); err != nil {
		return Receipt{}, err
	}
	if known == nil {
		if err := w.opts.Reader.Citations().Fill(ctx, rec); err != nil {
			return Receipt{}, err
		}
	}
	if err := w.refusePrivateNames(ctx, rec, req.Reach); err != nil {
		return Receipt{}, err
	}
	receipt, err := w.passWritten(rules, rec, req.Answer)
	if err != nil {
		return Receipt{}, err
	}
	receipt.ID, receipt.Copied = packet.ID(rec.OwnID()), copied
	receipt.name = refs.Name{
		Kind: refs.KindFor(rec.Kind()), ID: receipt.ID,
		Private: req.Reach == replay.Private,
	}
	receipt.Ref = receipt.name.Ref()
	return receipt, receipt.compareWith(known, rec.Kind())
}

// knownSmall returns the record that stands under the id that a record brings, or nil.
func (w *Writer) knownSmall(ctx context.Context, rec *packet.Record, reach replay.Reach) (*Stored, error) {
	id, err := packet.ParseID(rec.OwnID())
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // A record without an id is a new one.
	}
	if err := w.opts.Reader.Buried(ctx, id); err != nil {
		return nil, err
	}
	ref, err := w.opts.Store.Lookup(ctx,
		refs.Name{Kind: refs.KindFor(rec.Kind()), ID: id, Private: reach == replay.Private})
	if errors.Is(err, refs.ErrNotFound) {
		return nil, nil //nolint:nilnil // None is an answer.
	}
	if err != nil {
		return nil, err
	}
	return w.readStored(ctx, ref)
}

// completeSmall fills what a record lacks: from the one that is there already, or else from here and now.
func (w *Writer) completeSmall(rec *packet.Record, known *Stored, now *situation) error {
	rec.Remove("scan") // Only the gate says how a record was scanned.
	if known != nil {
		completeKnown(rec, known)
		return nil
	}
	if !rec.Has("id") {
		id, err := packet.NewID(now.at, w.opts.Entropy, now.newest)
		if err != nil {
			return err
		}
		now.newest = id
		if err := rec.Set("id", string(id)); err != nil {
			return err
		}
	}
	if err := setMissing(rec, "created_at", now.at.Format(time.RFC3339)); err != nil {
		return err
	}
	return w.setOrigin(rec, now.author, now.anchor)
}

// keepRecords stores the records that are not there yet, in one transaction.
func (w *Writer) keepRecords(ctx context.Context, reqs []SmallRequest, receipts []Receipt) error {
	var passed []encoded
	var which []int
	for i, r := range receipts {
		if r.ID != "" && (!r.Known || r.away) && !reqs[i].DryRun {
			passed = append(passed, encoded{r.name, r.Data, reqs[i].Signing})
			which = append(which, i)
		}
	}
	if len(passed) == 0 {
		return nil
	}
	made, err := w.createRefs(ctx, passed...)
	if err != nil {
		return err
	}
	for i, at := range which {
		receipts[at].Signed = made[i].Object != w.opts.Store.BlobOID(receipts[at].Data)
		if err := w.allowFound(ctx, receipts[at], made[i], reqs[at].Answer); err != nil {
			return err
		}
	}
	return nil
}

// refuseBlank refuses a new record whose main texts are nothing but blanks. The format allows it, so that what
// others stored stays readable.
func refuseBlank(rec *packet.Record) error {
	p, wrong := rec.Packet(), &packet.InvalidError{}
	for _, said := range [][2]string{
		{"/goal", p.Goal}, {"/next_step", p.NextStep}, {"/text", rec.Note().Text}, {"/item", rec.Skip().Item},
	} {
		if said[1] != "" && strings.TrimSpace(said[1]) == "" {
			wrong.Problems = append(wrong.Problems, packet.Problem{Path: said[0], Text: "must not be empty"})
		}
	}
	if len(wrong.Problems) > 0 {
		return wrong
	}
	return nil
}
