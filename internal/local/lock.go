package local

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrLocked says that another process holds a lock.
var ErrLocked = errors.New("another process of git ltm is at it")

// lockPause is how long a lock is left alone that another process holds.
const lockPause = 20 * time.Millisecond

// TryLock takes the lock of a file of that name, or returns ErrLocked. It ends with the call of release, and with this
// process, however that ends. The file is there while the lock is held.
func (f File) TryLock() (release func() error, err error) {
	for range maxMoved {
		release, err := f.takeLock()
		if err != nil || release != nil {
			return release, err
		}
	}
	return nil, ErrLocked
}

// Lock takes the lock of a file of that name. It waits with patience for who holds it.
func (f File) Lock(ctx context.Context, patience time.Duration) (release func() error, err error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		release, err := f.TryLock()
		if !errors.Is(err, ErrLocked) {
			return release, err
		}
		timer := time.NewTimer(lockPause)
		select {
		case <-timer.C:
		case <-waiting.Done():
			timer.Stop()
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("lock %q: %w", f.path, ErrLocked)
		}
	}
}
