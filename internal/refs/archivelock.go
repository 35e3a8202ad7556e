package refs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// lockPatience is how long another process that changes archives, or exchanges, is waited for.
const lockPatience = 30 * time.Second

// holder is the key under which a context tells that its caller holds the lock of a store.
type holder struct{ store *Store }

// Exclusively calls do while no other process changes an archive. What changes archives may be
// called from it, with the context that it hands over: a purge must not miss what a compaction
// moves at that moment. A lock that is not to be had is git.ErrConflict.
func (s *Store) Exclusively(ctx context.Context, do func(context.Context) error) (err error) {
	if ctx.Value(holder{s}) != nil {
		return do(ctx)
	}
	release, err := s.lock(ctx, "archive.lock")
	if err != nil {
		return fmt.Errorf("lock archives: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	return do(context.WithValue(ctx, holder{s}, true))
}

// Exchanging takes the lock of exchanges with a remote, so that two of one clone do not fetch the same refs at once. A lock
// that is not to be had is git.ErrConflict.
func (s *Store) Exchanging(ctx context.Context, remote string) (release func() error, err error) {
	release, err = s.lock(ctx, "exchange-"+FileOf(remote)+".lock")
	if err != nil {
		err = fmt.Errorf("wait for another exchange with %q: %w", remote, err)
	}
	return release, err
}

// lock waits for a lock. One that is not to be had is git.ErrConflict.
func (s *Store) lock(ctx context.Context, name string) (release func() error, err error) {
	release, err = s.repo.Local().File(name).Lock(ctx, lockPatience)
	if errors.Is(err, local.ErrLocked) {
		err = fmt.Errorf("%w: %w", err, git.ErrConflict)
	}
	return release, err
}
