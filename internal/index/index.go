// Package index finds items of records by their words.
//
// It keeps a folder beside a repository, with the words of each item of a record and what ranking and filters
// need, in segments that are written once and a file that names those which count. Who reads never waits: it
// reads as of one moment whatever others write meanwhile. The package promises that a search gives the same
// hits in the same order whatever the order in which records came in, that no text is an error as a query,
// that what is taken out leaves no byte in any file, and that a folder that is damaged is made anew: all it
// holds comes from the records. It never decides whether a record may be shown, never reads a record itself
// and never changes one.
package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/view"
)

// The errors that a caller has to tell apart.
var (
	// ErrUnusable says that the index can be neither read nor made. What Memory returns works without it.
	ErrUnusable = errors.New("index cannot be used here")
	// ErrDamaged says that the index was damaged, and that it has been taken away. After a Sync it is whole
	// again.
	ErrDamaged = errors.New("index was damaged")
	// ErrReadOnly says that the index can be read and not written.
	ErrReadOnly = errors.New("index cannot be written")
)

// errDecode says that what a file holds cannot be read as what it ought to be.
var errDecode = errors.New("a value does not have its form")

// Options say where an index lies.
type Options struct {
	Dir *local.Dir // Dir is required: its own folder, as [view.In] names it.
	// Patience is how long a Sync waits for that of another process; one second where it is not given.
	Patience time.Duration
}

// Index is one index. It may be used by several goroutines.
type Index struct {
	dir      *local.Dir // dir is nil for one in memory.
	patience time.Duration

	mu   sync.Mutex // mu guards what follows.
	last *snapshot  // last is the snapshot that was opened last; nil after Close.
}

// Open makes an index ready. It reads and makes nothing before it is asked.
func Open(o Options) *Index {
	if o.Patience <= 0 {
		o.Patience = time.Second
	}
	return &Index{dir: o.Dir, patience: o.Patience}
}

// Close closes the files. Whoever uses the index afterwards opens it again, unless it lies in memory.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.retireSnapshot()
}

// retireSnapshot lets go of the last snapshot. The caller holds mu.
func (x *Index) retireSnapshot() error {
	s := x.last
	x.last = nil
	if s == nil {
		return nil
	}
	s.retired = true
	if s.users > 0 {
		return nil
	}
	return s.Close()
}

// acquireSnapshot returns what holds now, until it is given to release.
func (x *Index) acquireSnapshot() (*snapshot, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last == nil || !x.isCurrent() {
		if x.dir == nil {
			return nil, ErrUnusable // One in memory is gone when it is closed.
		}
		if err := x.retireSnapshot(); err != nil {
			return nil, err
		}
		s, err := openSnapshot(x.dir)
		if err != nil {
			return nil, err
		}
		x.last = s
	}
	x.last.users++
	return x.last, nil
}

// releaseSnapshot gives a snapshot back.
func (x *Index) releaseSnapshot(s *snapshot) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s.users--; s.users > 0 || !s.retired {
		return nil
	}
	return s.Close()
}

// isCurrent reports whether the state is the one that was read last.
func (x *Index) isCurrent() bool { return x.dir == nil || x.last.IsCurrent(x.dir) }

// withSnapshot runs something that reads, as of one moment, and takes a damaged index away.
func (x *Index) withSnapshot(ctx context.Context, step string, read func(*snapshot) error) error {
	err := ctx.Err()
	if err == nil {
		err = x.readSnapshot(read)
	}
	if isDamaged(err) {
		err = errors.Join(ErrDamaged, err, x.discardFiles(ctx))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return nil
}

func (x *Index) readSnapshot(read func(*snapshot) error) error {
	s, err := x.acquireSnapshot()
	if err != nil {
		return err
	}
	return errors.Join(read(s), x.releaseSnapshot(s))
}

// Holds reports whether the index holds the list with a stamp.
func (x *Index) Holds(ctx context.Context, stamp view.Stamp) bool {
	at, _ := x.Base(ctx)
	return stamp.Known() && at == stamp
}

// Base returns the stamp of the list that the index holds, and the records of that list which are young. A
// list with the same packed part is had from those and from what is young now. The stamp is nothing where the
// index lacks something.
func (x *Index) Base(ctx context.Context) (stamp view.Stamp, young []string) {
	err := x.withSnapshot(ctx, "read stamp of index", func(s *snapshot) error {
		stamp, young = s.Stamp, s.Young
		return nil
	})
	if err != nil {
		return view.Stamp{}, nil
	}
	return stamp, young
}

// isDamaged reports whether an error says that a file is not as it was written.
func isDamaged(err error) bool { return errors.Is(err, errDecode) || errors.Is(err, view.ErrDamaged) }

// longPatience is how long the lock is waited for by who takes a damaged index away.
const longPatience = 5 * time.Second

// discardFiles takes a damaged index away, unless another process has done so.
func (x *Index) discardFiles(ctx context.Context) error {
	if x.dir == nil {
		return ErrUnusable
	}
	release, err := view.LockFile(x.dir).Lock(ctx, longPatience)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // The lock ends with the process at the latest.
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last != nil && !x.isCurrent() {
		return x.retireSnapshot()
	}
	if x.last == nil { // It could not even be opened.
		if s, err := openSnapshot(x.dir); err == nil {
			return s.Close()
		}
	}
	lock := filepath.Base(view.LockFile(x.dir).Path())
	return errors.Join(x.retireSnapshot(), x.dir.Prune(func(name string) bool { return name == lock }))
}

// snapshot is what an index holds at one moment.
type snapshot struct {
	*view.View

	segments []*segment
	users    int  // users is how many read in it.
	retired  bool // retired says that it is closed when the last of them is done.
}

// openSnapshot opens what holds now.
func openSnapshot(dir *local.Dir) (*snapshot, error) {
	v, err := view.Open(dir)
	if err != nil {
		return nil, err
	}
	s := &snapshot{View: v}
	for _, seg := range v.Open {
		s.addSegment(seg)
	}
	return s, nil
}

// addSegment takes a segment in.
func (s *snapshot) addSegment(seg *view.Segment) {
	s.segments = append(s.segments, &segment{seg})
}
