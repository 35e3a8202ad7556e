package refs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// lockPatience is how long another process that changes archives is waited for.
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
	release, err := s.repo.Local().File("archive.lock").Lock(ctx, lockPatience)
	if errors.Is(err, local.ErrLocked) {
		err = fmt.Errorf("%w: %w", err, git.ErrConflict)
	}
	if err != nil {
		return fmt.Errorf("lock archives: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	return do(context.WithValue(ctx, holder{s}, true))
}

// Exchanging takes the lock of exchanges with a remote, so that two of one clone do not fetch the same refs at once. One that is not to
// be had so soon is local.ErrLocked.
func (s *Store) Exchanging(ctx context.Context, remote string, patience time.Duration) (release func() error, err error) {
	return s.repo.Local().File("exchange-"+FileOf(remote)+".lock").Lock(ctx, patience)
}
