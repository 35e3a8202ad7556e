package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Way is which way records go.
type Way int

// The ways of records.
const (
	Both    Way = iota
	Pull        // only from the remote
	Push        // only to the remote; what was purged there is learned all the same
	Forget      // only tombstones to the remote, and there what they speak of is taken out
	Archive     // only tombstones and archives to the remote
)

// pulls tells the ways in which records come.
func (w Way) pulls() bool { return w == Both || w == Pull }

// Request asks for an exchange.
type Request struct {
	Remote   string // required
	Way      Way
	DryRun   bool                             // change nothing here or there, and fetch nothing
	Public   bool                             // the user says that memory may go where everybody can read it
	Progress func(stage string, done, of int) // nil tells nobody
	Patience Patience
}

// Withheld is a ref that was not handed on, and every reason why.
type Withheld struct {
	Ref  string   `json:"ref"`
	Why  []string `json:"why"`
	Kept Kept     `json:"kept"`
}

// Kept is the side on which a ref stays that was not handed on.
type Kept string

// The sides of an exchange.
const (
	Here  Kept = "here"  // the remote did not get it
	There Kept = "there" // this clone did not take it
)

// Outcome says what an exchange did. The names are full names of refs as this clone knows them.
type Outcome struct {
	Remote   string
	URL      string
	Pulled   []string // taken from the remote
	Pushed   []string // seen on the remote afterwards, and not before
	Removed  []string // taken out of this clone, because they were purged
	Hidden   []string // those of them that wait in quarantine, because the purge is not trusted here
	Deleted  []string // gone from the remote afterwards, because they were purged or lie in an archive there
	Withheld []Withheld
	Blind    bool // it lists nothing, and whether it hides what was purged cannot be seen

	Needs     int  // the format that the remote asks its readers to know, where this version does not; else 0
	Unread    int  // records that were left there for that, because this version cannot read them
	OddFormat bool // what the remote says of its format cannot be read

	Stray    []string // names on the remote that are none of the format
	Holds    int      // records and later signatures that the remote holds as refs now
	Archives int      // archives that it holds beside them

	Kept       []string // refs that the remote did not let be deleted, and that are not asked for again
	KeptPurged []string // those of them that hold what was purged
	Idle       int      // of Holds, those that the remote was found to keep
}

// exchange is one exchange under way.
type exchange struct {
	memory  *memory.Memory
	repo    *git.Repo
	store   *refs.Store
	release func() error
	request Request
	config  git.Config
	theirs  listing           // what the remote holds
	ours    map[string]string // what this clone holds: names below refs/ltm and their objects
	tracked map[string]string // what the remote was known to hold, by the names that the refs have there
	kept    *journal.Reader   // which refs the remotes did not let be deleted, and what those name
	stale   bool              // a tracking ref names what is not here, and is not among those
	out     Outcome
}

// Sync hands records to a remote and takes those that it holds, each through the gate. When it returns, everything
// that Outcome tells of has been seen where it says.
func Sync(ctx context.Context, m *memory.Memory, request Request) (Outcome, error) {
	return run(ctx, m, request, func(*exchange) error { return nil })
}

// run is one exchange, and what more is done before it ends.
func run(ctx context.Context, m *memory.Memory, request Request, more func(*exchange) error) (_ Outcome, err error) {
	x, err := open(ctx, m, request)
	if err != nil {
		return Outcome{}, err
	}
	defer x.close()
	ctx, end := x.await(ctx)
	defer func() { err = end(err) }()
	if err := x.begin(ctx); err != nil {
		return Outcome{}, err
	}
	err = x.take(ctx)
	if err == nil {
		err = x.give(ctx)
	}
	if err == nil {
		err = more(x)
	}
	if err != nil {
		return x.out, x.unreached(err)
	}
	return x.out, x.end(ctx)
}

// open makes an exchange ready, alone with its remote. It has to be closed.
func open(ctx context.Context, m *memory.Memory, request Request) (*exchange, error) {
	if !refs.SafeRemote(request.Remote) {
		return nil, fmt.Errorf("remote %q: %w", request.Remote, ErrName)
	}
	store, err := refs.Open(ctx, m.Repo())
	if err != nil {
		return nil, err
	}
	x := &exchange{memory: m, repo: m.Repo(), store: store, request: request, out: Outcome{Remote: request.Remote}}
	if request.DryRun {
		x.release = func() error { return nil } // What changes nothing is in nobody's way, and leaves no lock behind.
		return x, nil
	}
	if x.release, err = store.Exchanging(ctx, request.Remote); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return x, nil
}

// close lets others exchange.
func (x *exchange) close() {
	_ = x.release()     // The lock ends with the process in any case.
	_ = x.store.Close() // It only read.
}

// begin looks at both sides. The remote answers while this clone is mended and looked at.
func (x *exchange) begin(ctx context.Context) (err error) {
	if x.config, err = x.memory.Config(ctx); err != nil {
		return err
	}
	x.out.URL, _ = x.config.Get("remote." + x.request.Remote + ".url")
	x.kept = keptFile(x.repo).Reader()
	answered := make(chan error, 1)
	go func() {
		theirs, err := x.look(ctx)
		x.theirs = theirs
		answered <- err
	}()
	if !x.request.DryRun {
		err = x.mend(ctx)
	}
	if err == nil {
		err = x.lookHere(ctx)
	}
	if err := errors.Join(err, <-answered); err != nil {
		return err
	}
	return x.readFormat(ctx)
}

// mend brings back what was lost here: by crashes, and by a fetch that writes over records.
func (x *exchange) mend(ctx context.Context) error {
	if err := x.memory.Heal(ctx); err != nil {
		return err
	}
	for _, name := range x.config.Remotes() {
		for _, spec := range x.config.All("remote." + name + ".fetch") {
			if reaches(spec, layoutRoot) {
				return x.memory.Recover(ctx)
			}
		}
	}
	return nil
}

// lookHere reads what this clone holds and what it knows of the remote.
func (x *exchange) lookHere(ctx context.Context) (err error) {
	if x.ours, err = x.store.Held(ctx, ""); err != nil {
		return err
	}
	if x.tracked, err = x.store.Held(ctx, x.request.Remote); err != nil {
		return err
	}
	// A collection of garbage beside a fetch takes objects away that were just brought. They have to come again.
	for name, oid := range x.tracked {
		if x.ours[name] != oid && !x.store.Here(ctx, oid) {
			delete(x.tracked, name)
			x.stale = true
		}
	}
	return nil
}

// end keeps what the remote holds in the tracking refs. Of what is not here no ref can be made; it comes with the next pull.
func (x *exchange) end(ctx context.Context) error {
	x.out.Holds, x.out.Archives = x.theirs.records, x.theirs.archives
	if x.request.DryRun {
		return nil
	}
	x.noteKept()
	if x.tracksAll() {
		return nil
	}
	holds := make(map[string]string, len(x.theirs.refs))
	for name, oid := range x.theirs.refs {
		if x.ours[name] == oid || x.tracked[name] == oid {
			holds[name] = oid
		}
	}
	// What is tracked is a help. Where it cannot be kept now, as beside a lock that a killed git left, the next exchange does it.
	if err := x.store.Track(ctx, x.request.Remote, holds); ctx.Err() != nil {
		return err
	}
	return nil
}

// progress tells how far the exchange is.
func (x *exchange) progress(stage string, done, of int) {
	if x.request.Progress != nil {
		x.request.Progress(stage, done, of)
	}
}

// withhold tells that refs stay where they are. What only a later version can read is counted.
func (x *exchange) withhold(kept Kept, refused ...memory.Refusal) {
	for _, r := range refused {
		if kept == There && r.Format && x.out.Needs > 0 {
			x.out.Unread++
			continue
		}
		x.out.Withheld = append(x.out.Withheld, Withheld{Ref: r.Ref, Why: r.Why, Kept: kept})
	}
}

// tracksAll reports whether the tracking refs say already what the remote holds.
func (x *exchange) tracksAll() bool {
	known := 0
	for name, oid := range x.theirs.refs {
		if x.tracked[name] == oid {
			known++
		} else if x.ours[name] == oid {
			return false
		}
	}
	return !x.stale && known == len(x.tracked)
}
