package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// refresh brings the index up to the refs, once for each call. As long as the refs are as they
// were, and nothing was purged, it reads nothing but a stamp. While another process writes the
// index, questions are answered from what it holds, and the gates read all events.
func (r *Recall) refresh(ctx context.Context) error {
	if r.fresh {
		return nil
	}
	seen, err := r.memory.Stamp(ctx)
	if err != nil {
		return err
	}
	stamp, must := seen.String(), r.memory.MustForget()
	if !must && r.index != nil && stamp != "" && r.index.Stamp(ctx) == stamp {
		r.fresh = true
		return nil
	}
	if must {
		err = r.memory.NoteTombstones(ctx)
	}
	var done index.Synced
	if err == nil {
		done, err = r.follow(ctx, stamp)
	}
	if err == nil && r.purges { // What they name must not be in it either.
		r.purges, must = false, true
		if err = r.memory.NoteTombstones(ctx); err == nil {
			done, err = r.follow(ctx, stamp)
		}
	}
	if err != nil {
		return err
	}
	if must && !done.Busy && r.slow == "" {
		r.memory.Forgotten()
	}
	r.fresh = !done.Busy || stamp != "" && r.index.Stamp(ctx) == stamp
	return nil
}

// follow brings the index up to what is listed now.
func (r *Recall) follow(ctx context.Context, stamp string) (index.Synced, error) {
	listed, err := r.memory.Listing(ctx)
	if err != nil {
		return index.Synced{}, err
	}
	// Brings the index up to a list. Where it cannot be written, and is not as the list says,
	// everything is read into memory.
	if r.index != nil {
		done, err := r.index.Sync(ctx, stamp, names(listed), r.load(listed))
		if errors.Is(err, index.ErrDamaged) {
			done, err = r.index.Sync(ctx, stamp, names(listed), r.load(listed))
		}
		if err == nil || r.kept || !errors.Is(err, index.ErrReadOnly) && !errors.Is(err, index.ErrUnusable) {
			return done, err
		}
		r.slow = err.Error()
		if err := r.index.Close(); err != nil {
			return done, err
		}
	}
	all, err := r.texts(ctx, listed)
	if err != nil {
		return index.Synced{}, err
	}
	r.index, err = index.Memory(ctx, all)
	return index.Synced{}, err
}

// mended asks once more where the index turned out to be damaged on the way. By then it was taken away; where it cannot be, all
// records are read into memory.
func mended[T any](r *Recall, ask func() (T, error)) (T, error) {
	answer, err := ask()
	if !errors.Is(err, index.ErrDamaged) {
		return answer, err
	}
	r.fresh = false
	if errors.Is(err, index.ErrUnusable) {
		r.slow = err.Error()
		if err := r.index.Close(); err != nil {
			return answer, err
		}
		r.index = nil
	}
	return ask()
}

// names is a listing as the index takes it.
func names(listed []memory.Listed) index.List {
	return func(yield func(index.Listed, error) bool) {
		for _, l := range listed {
			if !yield(index.Listed{Ref: l.Name, Object: objectOf(l)}, nil) {
				return
			}
		}
	}
}

// objectOf is the object of a record as the index knows it: an event that begins to count, or stops, is another one.
func objectOf(l memory.Listed) string {
	if l.Aside {
		return l.Object + " aside"
	}
	return l.Object
}

// load reads the records of a listing that the index asks for.
func (r *Recall) load(listed []memory.Listed) index.Load {
	return func(ctx context.Context, wanted []index.Listed) ([]index.Document, error) {
		some := make([]memory.Listed, 0, len(wanted))
		for _, w := range wanted {
			at, ok := slices.BinarySearchFunc(listed, w.Ref, func(l memory.Listed, name string) int { return strings.Compare(l.Name, name) })
			if ok {
				some = append(some, listed[at])
			}
		}
		return r.texts(ctx, some)
	}
}

// texts reads records as the index takes them.
func (r *Recall) texts(ctx context.Context, listed []memory.Listed) ([]index.Document, error) {
	texts, err := r.memory.Texts(ctx, listed)
	if err != nil {
		return nil, err
	}
	all := make([]index.Document, len(texts))
	for i, t := range texts {
		r.purges = r.purges || t.IsPurge()
		all[i] = index.Document{Ref: t.Name, Content: t.Content, Event: t.Event, Rules: rulesOf(t.Content, t.Skip), Aside: t.Aside, Signer: t.Signer, Counts: countersOf(t)}
	}
	return all, nil
}

// ErrBusy says that another process wrote the index all the time, so that it may hold what was removed.
var ErrBusy = errors.New("another process writes the index")

// removalPatience is how long another process may write the index while something has to be taken out of it.
const removalPatience = time.Minute

// Refresh brings a kept index up to the refs, so that it holds nothing that was removed. Where none is kept it does nothing.
// It fails with [ErrBusy] where that could not be done.
func Refresh(ctx context.Context, m *memory.Memory, o Options) error {
	if _, err := os.Lstat(IndexPath(m)); err != nil {
		m.Forgotten()
		return nil //nolint:nilerr // There is no index, and so nothing in it.
	}
	o.patience = removalPatience
	r, err := open(ctx, m, o)
	if err != nil {
		return err
	}
	err = r.refresh(ctx)
	switch {
	case err != nil:
	case r.slow != "":
		err = fmt.Errorf("bring index up to date: %s", r.slow)
	case !r.fresh:
		err = fmt.Errorf("bring index up to date: %w", ErrBusy)
	}
	return errors.Join(err, r.Close())
}
