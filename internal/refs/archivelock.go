package refs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

const (
	lockPatience = 30 * time.Second // lockPatience is how long another process that changes archives is waited for.
	lockPause    = 20 * time.Millisecond
)

// holder is the key under which a context tells that its caller holds the lock of a store.
type holder struct{ store *Store }

// Exclusively calls do while no other process changes an archive. SetArchive, Compact and Settle may be called from it, with
// the context that it hands over. Whoever reads an archive, adds to what it read and sets it, does all of that inside:
// then nobody's change is lost. A lock that is not to be had is git.ErrConflict.
func (s *Store) Exclusively(ctx context.Context, do func(context.Context) error) (err error) {
	if ctx.Value(holder{s}) != nil {
		return do(ctx)
	}
	release, err := s.lockArchives(ctx)
	if err != nil {
		return fmt.Errorf("lock archives: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	return do(context.WithValue(ctx, holder{s}, true))
}

// lockArchives waits for the lock of the archives.
func (s *Store) lockArchives(ctx context.Context) (release func() error, err error) {
	return s.lock(ctx, "archive.lock")
}

// Exchanging takes the lock of exchanges with a remote, so that two of one clone do not fetch the same refs at once. A lock
// that is not to be had is git.ErrConflict.
func (s *Store) Exchanging(ctx context.Context, remote string) (release func() error, err error) {
	release, err = s.lock(ctx, "exchange-"+strings.ReplaceAll(remote, "/", "%")+".lock")
	if err != nil {
		err = fmt.Errorf("wait for another exchange with %q: %w", remote, err)
	}
	return release, err
}

// lock waits for the lock of a file, which is never removed. It ends with the process that holds it.
func (s *Store) lock(ctx context.Context, name string) (release func() error, err error) {
	path := filepath.Join(s.repo.CommonDir, "ltm", name)
	if err := makeDir(filepath.Dir(path), s.spool.modes.dir); err != nil {
		return nil, err
	}
	patience, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for {
		release, err := tryLock(path)
		if !errors.Is(err, errLocked) {
			return release, err
		}
		timer := time.NewTimer(lockPause)
		select {
		case <-timer.C:
		case <-patience.Done():
			timer.Stop()
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("%w: %w", errLocked, git.ErrConflict)
		}
	}
}
