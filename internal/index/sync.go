package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/view"
)

// Sync brings the index up to a list of the refs of all records, and notes the stamp of that list. Load is
// called for the refs that are new or name another object; what is gone is taken out with no byte left. The
// list may be read twice. What is done is kept when Sync ends early, and the next one goes on from there.
func (x *Index) Sync(ctx context.Context, stamp view.Stamp, refs List, load Load) (done Synced, err error) {
	return x.syncList(ctx, stamp, (*snapshot).compareList, refs, load)
}

// MostYoung is how many young records a list may have so that the next one may be a list of young records
// alone.
const MostYoung = 4096

// ErrStale says that the index is not what a list of young records was made for.
var ErrStale = errors.New("index has changed meanwhile")

// SyncYoung does what Sync does with a list of the records that are young and those that were, where
// [Index.Base] returned those. The packed parts of both stamps are the same. It fails with ErrStale where the
// index is another one by now.
func (x *Index) SyncYoung(ctx context.Context, stamp view.Stamp, was []string, refs List,
	load Load,
) (done Synced, err error) {
	return x.syncList(ctx, stamp, func(s *snapshot, refs List) (plan, error) {
		if s.Stamp.Packed == "" || s.Stamp.Packed != stamp.Packed || !slices.Equal(s.Young, was) {
			return plan{}, ErrStale
		}
		// Finds how the index differs from a list of young records, and of those that were young
		// before.
		p := newPlan()
		listed := map[string]bool{}
		err := p.listRefs(refs, func(at Listed) error {
			listed[at.recordName()] = true
			held, err := s.findRecord(at.recordName())
			if err != nil || held != nil && held.isSame(at) {
				return err
			}
			p.fresh = append(p.fresh, at)
			p.dropRecord(held)
			return nil
		})
		for _, record := range s.Young {
			if err == nil && !listed[record] {
				var held *stored
				held, err = s.findRecord(record)
				p.dropRecord(held)
			}
		}
		return p, err
	}, refs, load)
}

// comparison finds how what is held differs from a list.
type comparison func(*snapshot, List) (plan, error)

// syncList follows a list, in an empty index where there was damage.
func (x *Index) syncList(ctx context.Context, stamp view.Stamp, compare comparison, refs List,
	load Load,
) (done Synced, err error) {
	done, err = x.syncOnce(ctx, stamp, compare, refs, load)
	if isDamaged(err) && x.dir != nil {
		// The damage was found while writing: begin again with an empty index.
		if err = x.discardFiles(ctx); err == nil {
			done, err = x.syncOnce(ctx, stamp, compare, refs, load)
		}
	}
	if noRoom(err) {
		err = fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	if err != nil {
		return done, fmt.Errorf("bring index up to date: %w", err)
	}
	return done, nil
}

// noRoom reports whether an error says that nothing can be written here.
func noRoom(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS,
		fs.ErrPermission, fs.ErrExist,
	},
		func(sign error) bool { return errors.Is(err, sign) })
}

// syncOnce does the work of Sync under the lock.
func (x *Index) syncOnce(ctx context.Context, stamp view.Stamp, compare comparison, refs List,
	load Load,
) (done Synced, err error) {
	if err := ctx.Err(); err != nil {
		return Synced{}, err
	}
	release, err := view.LockFile(x.dir).Lock(ctx, x.patience)
	switch {
	case errors.Is(err, local.ErrLocked):
		return Synced{Busy: true}, nil
	case noRoom(err):
		return Synced{}, x.upToDate(compare, refs, err)
	case err != nil:
		return Synced{}, err
	}
	defer func() { _ = release() }() // The lock ends with the process at the latest.
	s, err := openSnapshot(x.dir)
	if err != nil {
		return Synced{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	w := &writer{dir: x.dir, old: s, kept: s.Segments}
	if err := w.sweepFiles(); err != nil {
		return Synced{}, err
	}
	plan, err := compare(s, refs)
	if err != nil || plan.isEmpty() && s.Exists() &&
		(stamp == view.Stamp{} || stamp == s.Stamp && slices.Equal(plan.young, s.Young)) {
		return Synced{}, err
	}
	err = w.followPlan(ctx, plan, stamp, load)
	return w.done, err
}

// upToDate returns why the index cannot be written, unless there is nothing to write.
func (x *Index) upToDate(compare comparison, refs List, cause error) error {
	return x.readSnapshot(func(s *snapshot) error {
		plan, err := compare(s, refs)
		if err == nil && !plan.isEmpty() {
			err = errors.Join(ErrReadOnly, cause)
		}
		return err
	})
}

// Memory returns an index of some documents that lies in memory alone, for where none can be kept. It is made
// anew each time, so it is slow to begin with.
func Memory(ctx context.Context, docs []Document) (*Index, error) {
	byRef := make(map[string]Document, len(docs))
	for _, d := range docs {
		byRef[d.Ref] = d
	}
	s := &snapshot{View: &view.View{}}
	plan, err := s.compareList(func() (all []Listed, _ error) {
		for ref := range byRef {
			all = append(all, Listed{Ref: ref})
		}
		return all, nil
	})
	if err == nil {
		w := &writer{old: s, memory: s}
		err = w.followPlan(ctx, plan, view.Stamp{}, func(_ context.Context, refs []Listed) ([]Document, error) {
			found := make([]Document, 0, len(refs))
			for _, at := range refs {
				found = append(found, byRef[at.Ref])
			}
			return found, nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("make index in memory: %w", err)
	}
	return &Index{last: s}, nil
}
