package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// When is a moment at which memory travels by itself.
type When string

// The moments.
const (
	AtStart When = "start"   // of a session: it is fetched
	Between When = "between" // an agent has answered: it is fetched, and what is not young is pushed
	AtEnd   When = "end"     // of a session: it is fetched and pushed
	// an agent has answered, and nothing was done since: as at an end, which not every host tells
	Quiet When = "quiet"
)

const (
	// quietFor is how long nothing is done in a clone before what was saved last goes.
	quietFor    = 2 * time.Minute
	TravelLimit = 10 * time.Minute // TravelLimit is how long one exchange may take in all.
	// StartWait is how long the start of a session waits for what the remote holds.
	StartWait = 2 * time.Second
	// pause is how long a remote is left alone, and how long a record is young.
	pause = 5 * time.Minute
	// longestPause bounds how long it is left alone where it fails again and again.
	longestPause = time.Hour
	// publicAge is how long it is believed that not everybody can read a remote.
	publicAge = 24 * time.Hour
)

// Travel is what became of the last time that memory travelled by itself.
type Travel struct {
	URL      string    `json:"url"`
	Began    time.Time `json:"began"` // before anything went out
	Ended    time.Time `json:"ended,omitzero"`
	Pulled   int       `json:"pulled"`
	Pushed   int       `json:"pushed"`
	Withheld int       `json:"withheld"`
	Error    string    `json:"error,omitempty"`
	Failed   int       `json:"failed,omitempty"` // how often it has begun since it last went well
	Barred   bool      `json:"barred,omitempty"` // [MayTravel] says no, until a person changes the set-up
	// when memory was last exchanged with the remote, in whatever way
	Good time.Time `json:"last_good,omitzero"`
	// when it was last asked whether everybody can read the remote
	Asked time.Time `json:"asked,omitzero"`
	Open  string    `json:"open_at,omitempty"`   // where it answered without an account then
	Held  bool      `json:"held_back,omitempty"` // nothing was pushed, because everybody can read it
	// what of it stayed here last, as [Unsent] has it, and does not go by itself
	Left string `json:"left,omitempty"`
	// the sum of what the remote listed when the last exchange took what is to be taken of it
	Listed string `json:"listed,omitempty"`
}

// travelFile is where that is kept.
func travelFile(repo *git.Repo) local.File { return repo.Local().File("travel.json") }

// LastTravel returns what became of the last time; the zero value where memory never went to this address.
func LastTravel(repo *git.Repo, u upstream.Upstream) (t Travel, err error) {
	ok, err := travelFile(repo).ReadState(&t)
	if !ok || t.URL != u.URL {
		return Travel{URL: u.URL}, err
	}
	t.Held = t.Held && !u.Public // The person may have said so since.
	return t, err
}

// Begin returns what is kept of an exchange that begins: as failed, until it ends well.
func (t Travel) Begin(now time.Time) Travel {
	t.Began, t.Ended, t.Error, t.Pulled, t.Pushed, t.Withheld = now, time.Time{}, "", 0, 0, 0
	t.Barred = false
	t.Failed++
	return t
}

// Keep keeps what became of it.
func (t Travel) Keep(repo *git.Repo) error { return travelFile(repo).WriteState(t) }

// IsDue reports whether memory may travel at a moment. When a session starts or ends it does unless that
// failed a moment ago; at the end, for which nobody waits, unless it failed twice. At other moments the remote is left alone for a while, and longer where it failed.
// What a clock noted that ran ahead does not count.
func (t Travel) IsDue(when When, now time.Time) bool {
	wait := pause
	switch {
	case t.Failed == 0 && when != Between, t.Failed == 1 && when == AtEnd:
		return true
	case t.Failed > 0 && (when == Between || when == Quiet):
		wait = min(pause<<min(t.Failed-1, 6), longestPause)
	}
	age := now.Sub(t.Began)
	return age < 0 || age >= wait
}

// IsQuick reports whether a session may wait for the remote when it starts: the last exchange with it went
// well, and took no longer than a session waits. So nobody waits at each start without a network, or for a
// remote that is too far away.
func (t Travel) IsQuick() bool { return t.Failed == 0 && t.Ended.Sub(t.Began) < StartWait }

// Fault says what is wrong, or nothing. An exchange that went well since heals it.
func (t Travel) Fault(now time.Time) string {
	switch {
	case t.Good.After(t.Began):
		return ""
	case t.Error != "":
		return t.Error
	case !t.Began.IsZero() && t.Ended.IsZero() && now.Sub(t.Began) > TravelLimit:
		return "it did not come to an end"
	default:
		return ""
	}
}

// SettleTravel notes that a person exchanged memory with a remote, so that what failed before is of no
// concern any more.
func SettleTravel(repo *git.Repo, remote string, now time.Time) error {
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok || u.Remote != remote {
		return err
	}
	t, err := LastTravel(repo, u)
	if err != nil || t.Failed == 0 {
		return err
	}
	t.Failed, t.Good = 0, now
	return t.Keep(repo)
}

// Ways says in which way memory goes at a moment, and notes whether everybody can read the remote. That is
// asked once a day, and where it is so and the person did not say yes, nothing is sent.
func (t *Travel) Ways(ctx context.Context, repo *git.Repo, config git.Config, u upstream.Upstream,
	when When,
) (Way, error) {
	t.Held = false
	said, err := config.Bool("ltm.public", false)
	if err != nil || when == AtStart {
		return Pull, err
	}
	if said || u.Public {
		return Both, nil
	}
	if age := t.Began.Sub(t.Asked); age < 0 || age >= publicAge {
		t.Open = openAt(ctx, repo, config, u.Remote)
		t.Asked = t.Began
	}
	if t.Held = t.Open != ""; t.Held {
		return Pull, nil
	}
	return Both, nil
}

// MayTravel refuses to go to the upstream by itself where its address is another one now, or under settings
// of the repository that nobody accepted.
func MayTravel(repo *git.Repo, config git.Config, u upstream.Upstream) error {
	if err := Exists(config, u.Remote); err != nil {
		return fmt.Errorf("%w: git ltm setup --remote NAME", err)
	}
	if names := HeldBack(repo, config); len(names) > 0 {
		return &HeldBackError{names}
	}
	if err := u.Changed(config); err != nil {
		return fmt.Errorf("%w: git ltm setup --remote %s", err, u.Remote)
	}
	return checkPlace(repo, u)
}

// checkPlace refuses an upstream that was fixed at another place, or that came with the files of the
// repository.
func checkPlace(repo *git.Repo, u upstream.Upstream) error {
	if u.IsFixed(repo) {
		return nil
	}
	return fmt.Errorf("%s was not fixed for the memory of the repository at this place: git ltm setup "+
		"--remote %s", u.Remote, u.Remote)
}

// HeldBackError is what is not done in the background because of settings of the repository that nobody
// accepted.
type HeldBackError struct{ Settings []string }

func (e *HeldBackError) Error() string {
	return fmt.Sprintf("nobody has accepted %s of this repository: git ltm setup",
		strings.Join(e.Settings, ", "))
}

// HeldBack returns the names of those settings, each once.
func HeldBack(repo *git.Repo, config git.Config) []string {
	var names []string
	for _, line := range upstream.Missing(repo, config) {
		if !slices.Contains(names, line.Key) {
			names = append(names, line.Key)
		}
	}
	return names
}

// Unsent is a sum of the names of what this clone holds and a remote was not seen to hold; "" for nothing.
func Unsent(ctx context.Context, repo *git.Repo, remote string) (string, error) {
	store := refs.Open(repo)
	defer func() { _ = store.Close() }() // It only read.
	gap, err := store.Remote(remote).Gap(ctx)
	return gap.Names, err
}

// quietFile is the lock of the one process that waits until nothing is done in a clone; its time is when
// something was done last.
func quietFile(repo *git.Repo) local.File { return repo.Local().OwnFile("travel.quiet") }

// Stir says that something was done in a clone, and reports whether a process waits until nothing is.
func Stir(repo *git.Repo, now time.Time) (waits bool, err error) {
	err = os.Chtimes(quietFile(repo).Path(), now, now)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	release, locked := quietFile(repo).TryLock()
	if errors.Is(locked, local.ErrLocked) {
		return true, err
	}
	if locked == nil { // It is of a process that died.
		locked = release()
	}
	return false, locked
}

// AwaitQuiet waits until nothing was done in a clone for a while. Where another process waits for that, it
// returns false at once.
func AwaitQuiet(ctx context.Context, repo *git.Repo, now func() time.Time) (alone bool, err error) {
	release, err := quietFile(repo).TryLock()
	if errors.Is(err, local.ErrLocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, release()) }()
	for {
		info, err := os.Stat(quietFile(repo).Path())
		if err != nil {
			return false, err
		}
		left := quietFor - now().Sub(info.ModTime())
		if left <= 0 || left > quietFor { // A clock that ran ahead says nothing.
			return true, nil
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// Young is how old a record has to be to go at a moment; zero is no age.
func (w When) Young() time.Duration {
	switch w {
	case Between:
		return pause
	case Quiet:
		return quietFor
	default:
		return 0
	}
}

// TravelAlone calls do while no other process of this clone lets memory travel. One that comes meanwhile does
// not wait; where it came at the end of a session or when nothing is done any more, the one that is under way
// then calls do once more, so that what was saved before is sent.
func TravelAlone(repo *git.Repo, when When, do func(When) error) error {
	lock, again := repo.Local().File("travel.lock"), repo.Local().File("travel.again")
	for {
		release, err := lock.TryLock()
		if errors.Is(err, local.ErrLocked) && (when == AtEnd || when == Quiet && !again.Exists()) {
			if err := again.WriteState(when); err != nil {
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
		if again.Exists() {
			if _, err := again.ReadState(&when); err != nil {
				when = AtEnd
			}
			err = again.Remove()
		}
		if err == nil {
			err = do(when)
		}
		if err := errors.Join(err, release()); err != nil || !again.Exists() {
			return err
		}
	}
}

// withoutStaying returns refs of this clone without those that an exchange leaves here: what is of another remote,
// and of an exchange that nobody began what is young, and what was put out of sight before it went anywhere; and
// what events and later signatures say of that. Tombstones go, but for those of another remote.
func (x *exchange) withoutStaying(ctx context.Context, list git.RefList,
	stones map[packet.ID]bool,
) (git.RefList, error) {
	stays, elsewhere := map[packet.ID]bool{}, map[packet.ID]bool{}
	for name, oid := range list.All() {
		record, ok := refs.ParseName(name)
		if ok && x.isOfAnother(ctx, record, oid) {
			stays[record.ID], elsewhere[record.ID] = true, true
		}
	}
	if !x.request.Alone && len(elsewhere) == 0 {
		return list, nil
	}
	about := map[packet.ID][]packet.ID{} // what an event speaks of
	for name, oid := range list.All() {
		record, ok := refs.ParseName(name)
		if !ok || stones[record.ID] || stays[record.ID] || !x.request.Alone && record.Kind != refs.Events {
			continue
		}
		if x.request.Until.Sub(record.ID.Time()).Abs() < x.request.Young {
			stays[record.ID] = true
			x.out.Young++
			continue
		}
		e, err := x.memory.Living(ctx, refs.Ref{Name: record, Object: oid})
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		if err != nil {
			continue // That is for the gate to say.
		}
		if stays[record.ID] = x.request.Alone && e.Life.PutAway(); record.Kind == refs.Events {
			s, _ := e.Open(replay.Inspected)
			about[record.ID] = replay.IDs(s.Event().Targets)
		}
	}
	for _, set := range []map[packet.ID]bool{elsewhere, stays} {
		for more := true; more; { // An event may speak of events.
			more = false
			for id, targets := range about {
				if !set[id] && len(targets) > 0 &&
					!slices.ContainsFunc(targets, func(t packet.ID) bool { return !set[t] }) {
					set[id], stays[id], more = true, true, true
				}
			}
		}
	}
	kept := list.Only(func(name, _ string) bool {
		of, _ := refs.Parse(name)
		if elsewhere[of.ID] {
			x.out.Elsewhere = append(x.out.Elsewhere, name)
		}
		return !stays[of.ID]
	})
	x.calm = x.calm && kept.Len() == list.Len() // The next exchange has to look again.
	return kept, nil
}

// isOfAnother tells whether a record is of neither this remote nor the one that memory is shared with, and nobody
// who is trusted here vouches for it: a fork would be heard as what is shared, and a private memory become public.
// What plain git brought came from nobody knows where, and goes.
func (x *exchange) isOfAnother(ctx context.Context, name refs.Name, oid string) bool {
	from, delivered := x.memory.Intake().DeliveredBy(name)
	here, _ := x.config.Addresses(x.request.Remote)
	if !delivered || x.home == "" || from == x.home || from == upstream.Address(here) ||
		slices.Contains(x.request.Also, name.ID) {
		return false
	}
	e, err := x.memory.Living(ctx, refs.Ref{Name: name, Object: oid})
	return err != nil || !e.Trusted()
}
