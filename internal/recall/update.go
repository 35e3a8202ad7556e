package recall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/view"
)

// refreshIndex brings the index up to the refs, once for each call. As long as the refs are as they
// were, and nothing was purged, it reads nothing but a stamp. While another process writes the
// index, questions are answered from what it holds, and the gates read all events.
func (r *Recall) refreshIndex(ctx context.Context) error {
	if r.fresh {
		return nil
	}
	seen, err := r.memory.Source().Stamp(ctx)
	if err != nil {
		return err
	}
	stamp, must := view.Stamp{Packed: seen.Packed, Loose: seen.Loose}, r.memory.Purges().Erased().MustForget()
	if r.index != nil {
		if base, _ := r.index.Base(ctx); base.KeptOut != "" {
			if stamp.KeptOut, err = r.memory.Source().RulesVersion(ctx); err != nil {
				return err
			}
		}
	}
	if !must && r.index != nil && r.index.Holds(ctx, stamp) {
		r.fresh = true
		return nil
	}
	if must {
		err = r.memory.Purges().NoteTombstones(ctx)
	}
	var done index.Synced
	if err == nil {
		done, err = r.followRefs(ctx, stamp, !must)
	}
	if err == nil && r.purges { // What they name must not be in it either.
		r.purges, must = false, true
		if err = r.memory.Purges().NoteTombstones(ctx); err == nil {
			done, err = r.followRefs(ctx, stamp, false)
		}
	}
	if err == nil && stamp.KeptOut == "" && r.memory.Source().KeptOut() { // Their stamp is another one.
		if stamp.KeptOut, err = r.memory.Source().RulesVersion(ctx); err == nil {
			done, err = r.followRefs(ctx, stamp, false)
		}
	}
	if err == nil && r.index == nil { // All records are read into one that is not kept.
		var listed []index.Listed
		var all []index.Document
		if listed, err = r.memory.Source().Listing(ctx); err == nil {
			all, err = r.loadDocuments(ctx, listed)
		}
		if err == nil {
			r.index, err = index.Memory(ctx, all)
		}
	}
	if err != nil {
		return err
	}
	if must && !done.Busy && r.slow == "" {
		r.memory.Purges().Erased().Forgotten()
	}
	r.fresh = !done.Busy || r.index.Holds(ctx, stamp)
	return nil
}

// followRefs brings the index up to what is listed now: to what is young, where the rest is as it was. Where
// it cannot be written, and is not as the list says, it is closed, and slow says why.
func (r *Recall) followRefs(ctx context.Context, stamp view.Stamp, young bool) (index.Synced, error) {
	if r.index == nil {
		return index.Synced{}, nil
	}
	done, err := index.Synced{}, index.ErrStale
	if young {
		done, err = r.followYoung(ctx, stamp)
	}
	for range 2 {
		if !errors.Is(err, index.ErrStale) && !errors.Is(err, index.ErrDamaged) {
			break
		}
		listed := func() ([]index.Listed, error) { return r.memory.Source().Listing(ctx) }
		done, err = r.index.Sync(ctx, stamp, listed, r.loadDocuments)
	}
	if !r.kept && (errors.Is(err, index.ErrReadOnly) || errors.Is(err, index.ErrUnusable)) {
		err = r.dropIndex(err)
	}
	return done, err
}

// dropIndex lets every question read all records from now on, and keeps why.
func (r *Recall) dropIndex(why error) error {
	if at, ok := errors.AsType[*fs.PathError](why); ok { // It says all that a person needs.
		why = at
	}
	err := r.index.Close()
	r.slow, r.index = why.Error(), nil
	return err
}

// followYoung brings the index up to what is young, or fails with [index.ErrStale] where more than that has
// changed.
func (r *Recall) followYoung(ctx context.Context, stamp view.Stamp) (index.Synced, error) {
	base, was := r.index.Base(ctx)
	// What was kept out may be allowed now, and old.
	if stamp.Packed == "" || base.Packed != stamp.Packed || base.KeptOut != "" {
		return index.Synced{}, index.ErrStale
	}
	listed := func() ([]index.Listed, error) {
		young, err := r.memory.Source().Young(ctx, was, index.MostYoung)
		if errors.Is(err, replay.ErrManyYoung) {
			err = index.ErrStale
		}
		return young, err
	}
	return r.index.SyncYoung(ctx, stamp, was, listed, r.loadDocuments)
}

// askMended asks once more where the index turned out to be damaged on the way. By then it was taken away;
// where it cannot be, all records are read into memory.
func askMended[T any](r *Recall, ask func() T) (T, error) {
	answer, err := ask(), r.takeFault()
	if !errors.Is(err, index.ErrDamaged) {
		return answer, err
	}
	r.fresh = false
	if errors.Is(err, index.ErrUnusable) {
		if err := r.dropIndex(err); err != nil {
			return answer, err
		}
	}
	return ask(), r.takeFault()
}

// askBoth asks a memory, and the user-wide one beside it. What others keep elsewhere does not take away what is
// known here.
func askBoth[T any](r *Recall, ask func(*Recall) T) (own, wide T, err error) {
	own, err = askMended(r, func() T { return ask(r) })
	if err != nil || r.wide == nil {
		return own, wide, err
	}
	found, fault := askMended(r.wide, func() T { return ask(r.wide) })
	if fault != nil {
		r.memory.ForgetUser(fault)
		return own, wide, nil
	}
	return own, found, nil
}

// loadDocuments reads the records that the index asks for.
func (r *Recall) loadDocuments(ctx context.Context, wanted []index.Listed) ([]index.Document, error) {
	all, err := r.memory.Source().Documents(ctx, wanted)
	r.purges = r.purges || slices.ContainsFunc(all, func(d index.Document) bool {
		return d.Event.Event == replay.PurgeEvent
	})
	return all, err
}

// ErrBusy says that another process wrote the index all the time, so that it may hold what was removed.
var ErrBusy = errors.New("another process writes the index")

// removalPatience is how long another process may write the index while something has to be taken out of it.
const removalPatience = time.Minute

// Refresh brings a kept index up to the refs, so that it holds nothing that was removed. Where none is kept
// it does nothing. It fails with [ErrBusy] where that could not be done.
func Refresh(ctx context.Context, m *memory.Memory, o Options) error {
	if err := view.DropOthers(indexFolder(m)); err != nil {
		return err
	}
	if !IsIndexed(m) {
		m.Purges().Erased().Forgotten()
		return nil
	}
	o.patience = removalPatience
	r := openHere(m, o)
	err := r.refreshIndex(ctx)
	switch {
	case err != nil:
	case r.slow != "":
		err = fmt.Errorf("bring index up to date: %s", r.slow)
	case !r.fresh:
		err = fmt.Errorf("bring index up to date: %w", ErrBusy)
	}
	return errors.Join(err, r.Close())
}
