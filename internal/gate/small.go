package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

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

// SaveSmall puts a note or a skip through the gate and stores it; what it does not say of time and place is
// filled in, and nobody overrides the scan for it. It fails as [Writer.Save] does, and then
// nothing is stored.
func (w *Writer) SaveSmall(ctx context.Context, req SaveRequest) (Receipt, error) {
	all, err := w.SaveBatch(ctx, []SaveRequest{req})
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
func (w *Writer) SaveBatch(ctx context.Context, reqs []SaveRequest) ([]Receipt, error) {
	if slices.ContainsFunc(reqs, func(r SaveRequest) bool { return !r.DryRun }) {
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

// lookAround says what is filled into notes and skips that are made here and now.
func (w *Writer) lookAround(ctx context.Context) (now place, err error) {
	now.time = w.opts.Now().UTC()
	author, err := w.Author(ctx)
	if err != nil {
		return now, err
	}
	var at Survey
	if !w.opts.Reader.IsUser() {
		if at.Head, err = w.HeadNow(ctx); err != nil {
			return now, err
		}
	}
	now.origin = func() (string, map[string]any, error) { return author, at.Anchor(), nil }
	now.newest, err = w.newestOf(ctx, refs.Notes, refs.Skips)
	return now, err
}

// prepareSmall makes a note or a skip ready to be stored.
func (w *Writer) prepareSmall(ctx context.Context, req SaveRequest, now *place) (Receipt, error) {
	rec, err := packet.Parse(req.Data, packet.Draft)
	if err != nil {
		rules, failed := w.opts.Rules.Rules(ctx)
		return Receipt{}, cmp.Or(failed, rules.CleanError(err, req.Data))
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
	if id, err := packet.ParseID(rec.OwnID()); err == nil {
		if err := w.opts.Reader.Buried(ctx, id); err != nil {
			return Receipt{}, err
		}
	}
	return w.prepareRecord(ctx, rec, req, now)
}

// keepRecords stores the records that are not there yet, in one transaction.
func (w *Writer) keepRecords(ctx context.Context, reqs []SaveRequest, receipts []Receipt) error {
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
