package remote

import (
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// rideFile keeps what became of the last ride.
const rideFile = "ride.json"

// RideLimit is how long memory may take to ride along.
const RideLimit = 10 * time.Minute

// Ride is one time that memory rode along with a push.
type Ride struct {
	Remote   string    `json:"remote"`
	Began    time.Time `json:"began"`
	Ended    time.Time `json:"ended,omitzero"`
	Pulled   int       `json:"pulled"`
	Pushed   int       `json:"pushed"`
	Withheld int       `json:"withheld"`
	Error    string    `json:"error,omitempty"`
	Good     time.Time `json:"last_good,omitzero"` // when memory was last exchanged with the remote, in whatever way
}

// Fault says what is wrong with the ride, or nothing. An exchange that went well since heals it.
func (r Ride) Fault(now time.Time) string {
	switch {
	case r.Good.After(r.Began):
		return ""
	case r.Error != "":
		return r.Error
	case r.Ended.IsZero() && now.Sub(r.Began) > RideLimit:
		return "it did not come to an end"
	default:
		return ""
	}
}

// LastRide returns what became of the last ride, and whether there was one.
func LastRide(repo *git.Repo) (Ride, bool, error) {
	var r Ride
	ok, err := repo.Local().File(rideFile).ReadState(&r)
	return r, ok, err
}

// KeepRide keeps what became of a ride.
func KeepRide(repo *git.Repo, r Ride) error { return repo.Local().File(rideFile).WriteState(r) }

// SettleRide notes that memory was exchanged with a remote, so that the fault of an earlier ride there is of no concern any
// more. Where memory never rode along, nothing is kept.
func SettleRide(repo *git.Repo, remote string, now time.Time) error {
	r, ok, err := LastRide(repo)
	if err != nil || !ok || r.Remote != remote {
		return err
	}
	r.Good = now
	return KeepRide(repo, r)
}

// ErrFirst says that a remote holds no memory yet.
var ErrFirst = errors.New("it holds no memory yet, and the first time is for a person to begin")

// MayRide refuses to go to a remote under settings of the repository that nobody accepted, and to send it the very first memory,
// unless the user said that everybody may read it.
func MayRide(ctx context.Context, repo *git.Repo, config git.Config, remote string) error {
	if err := allowed(repo, config, remote); err != nil {
		return err
	}
	if public, err := config.Bool("ltm.public", false); public || err != nil {
		return err
	}
	known, err := knows(ctx, repo, remote)
	if err != nil || known {
		return err
	}
	held, err := repo.LsRemote(ctx, remote, "refs/ltm/*")
	if err == nil && len(held) == 0 {
		err = ErrFirst
	}
	return err
}

// knows reports whether this clone has seen that a remote holds memory.
func knows(ctx context.Context, repo *git.Repo, remote string) (bool, error) {
	store, err := refs.Open(ctx, repo)
	if err != nil {
		return false, err
	}
	defer func() { _ = store.Close() }() // It only read.
	held, err := store.HeldBy(ctx, remote)
	return len(held) > 0, err
}

// The lock that a ride holds, and the mark of one that came meanwhile.
const (
	rideLock  = "ride.lock"
	rideAgain = "ride.again"
)

// OneRide calls do while no other ride is under way. A ride that comes meanwhile does not wait: the one that is under way
// then calls do once more, so that what was saved before either of them is sent.
func OneRide(repo *git.Repo, do func()) error {
	lock, again := repo.Local().File(rideLock), repo.Local().File(rideAgain)
	for more := true; more; more = again.Exists() {
		release, err := lock.TryLock()
		if errors.Is(err, local.ErrLocked) {
			if err := again.WriteState(true); err != nil {
				return err
			}
			release, err = lock.TryLock() // It may have been given back before that was seen.
		}
		if errors.Is(err, local.ErrLocked) {
			return nil
		}
		if err != nil {
			return err
		}
		if err = again.Remove(); err == nil {
			do()
		}
		if err := errors.Join(err, release()); err != nil {
			return err
		}
	}
	return nil
}
