package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// Way is which way records go.
type Way int

// The ways of records.
const (
	Both   Way = iota
	Pull       // only from the remote
	Push       // only to the remote; what was purged there is learned all the same
	Forget     // only tombstones to the remote, and there what they speak of is taken out
	// only tombstones and archives to the remote; there what an archive holds that this clone holds too is taken
	// out: whoever reads finds no difference, and whoever pushes hears of fewer refs
	Archive
)

// isPull tells the ways in which records come.
func (w Way) isPull() bool { return w == Both || w == Pull }

// Request asks for an exchange.
type Request struct {
	Remote string // required
	Way    Way
	DryRun bool // change nothing here or there, and fetch nothing
	Public bool // the user says that memory may go where everybody can read it
	// nobody began it: what was put out of sight here before it went anywhere stays
	Alone bool
	Also  []packet.ID // records that the user named: they go, wherever they came from
	// records that were young then stay, so that they can be taken back; zero sends all
	Until    time.Time
	Young    time.Duration                    // how old they have to be; required with Until
	Progress func(stage string, done, of int) // nil tells nobody
	// the sum of what the remote listed when all of it was taken: a pull that finds that again ends there
	Seen     string
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
	Remote  string   `json:"remote"`
	URL     string   `json:"url"`
	Pulled  []string `json:"pulled"`  // taken from the remote
	Pushed  []string `json:"pushed"`  // seen on the remote afterwards, and not before
	Removed []string `json:"removed"` // taken out of this clone, because they were purged
	// those of them that wait in quarantine, because the purge is not trusted here
	Hidden []string `json:"hidden"`
	// gone from the remote afterwards, because they were purged or lie in an archive there
	Deleted  []string    `json:"deleted"`
	Withheld []Withheld  `json:"withheld"`
	Young    int         `json:"-"` // records that stayed because they are young
	Heirs    []packet.ID `json:"-"` // what takes the place of records that were removed here
	// what stayed because another remote delivered it, or speaks of nothing else
	Elsewhere []string `json:"-"`
	Listed    string   `json:"-"` // the sum of what the remote listed when it began
	Blind     bool     `json:"-"` // it lists nothing, and whether it hides what was purged cannot be seen

	// the format that the remote asks its readers to know, where this version does not; else 0
	Needs int `json:"needs,omitempty"`
	// records that were left there for that, because this version cannot read them
	Unread    int  `json:"unread,omitempty"`
	OddFormat bool `json:"odd_format,omitempty"` // what the remote says of its format cannot be read

	Stray    []string `json:"stray"`    // names on the remote that are none of the format
	Strays   int      `json:"strays"`   // how many there are, where a few are named
	Holds    int      `json:"holds"`    // records and later signatures that the remote holds as refs now
	Changes  int      `json:"changes"`  // of Holds, those that change a record, or sign it later
	Archives int      `json:"archives"` // archives that it holds beside them

	Kept       []string `json:"-"` // refs that the remote did not let be deleted, and that are not asked for again
	KeptPurged []string `json:"-"` // those of them that hold what was purged
	PutBack    []string `json:"-"` // refs that a purge deleted there, and that are there again
	Idle       int      `json:"-"` // of Holds, those that the remote was found to keep
}

// exchange is one exchange under way.
type exchange struct {
	memory  *memory.Memory
	repo    *git.Repo
	store   *refs.Store
	far     refs.Remote // what the store knows of the remote
	home    string      // the address of the remote that memory is shared with; "" for none
	release func() error
	request Request
	config  git.Config
	theirs  listing           // what the remote holds
	ours    git.RefList       // what this clone holds below refs/ltm
	known   git.RefList       // what the last exchange saw there; empty where that does not matter
	tracked git.RefList       // what else the remote was known to hold, by the names that the refs have there
	came    git.RefList       // what this exchange has fetched
	same    bool              // both sides hold the same, and nothing waits of what a plain fetch brought
	settled settlement        // what both sides are
	idle    bool              // so they were when the last exchange had nothing to do
	calm    bool              // nothing came, and nothing was taken out
	once    map[string]string // what a purge deletes on the remote, and does not again: refs and objects
	kept    *journal.Reader   // which refs the remotes did not let be deleted, and what those name
	out     Outcome
}

// Sync hands records to a remote and takes those that it holds, each through the gate. When it returns,
// everything that Outcome tells of has been seen where it says.
func Sync(ctx context.Context, m *memory.Memory, request Request) (_ Outcome, err error) {
	x, err := openExchange(ctx, m, request)
	if err != nil {
		return Outcome{}, err
	}
	defer x.close()
	ctx, end := x.awaitRemote(ctx)
	defer func() { err = end(err) }()
	if err := x.beginExchange(ctx); err != nil {
		return Outcome{}, err
	}
	if x.idle {
		return x.out, x.checkRules(ctx)
	}
	err = x.takeRecords(ctx)
	if err == nil {
		err = x.giveRecords(ctx)
		x.noteRefused(err)
	}
	if err == nil && request.Way == Archive {
		err = x.thinOut(ctx)
	}
	if err != nil {
		return x.out, x.markUnreached(err)
	}
	x.endExchange(ctx)
	return x.out, nil
}

// openExchange makes an exchange ready, alone with its remote. It has to be closed.
func openExchange(ctx context.Context, m *memory.Memory, request Request) (*exchange, error) {
	if !refs.SafeRemote(request.Remote) {
		return nil, fmt.Errorf("remote %q: %w", request.Remote, ErrName)
	}
	store := refs.Open(m.Repo())
	x := &exchange{
		memory: m, repo: m.Repo(), store: store, far: store.Remote(request.Remote), request: request,
		out: Outcome{Remote: request.Remote}, once: map[string]string{},
	}
	if request.DryRun {
		// What changes nothing is in nobody's way, and leaves no lock behind.
		x.release = func() error { return nil }
		return x, nil
	}
	if err := x.lockAlone(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return x, nil
}

// close lets others exchange.
func (x *exchange) close() {
	_ = x.release()     // The lock ends with the process in any case.
	_ = x.store.Close() // It only read.
}

// beginExchange looks at both sides. The remote answers while this clone is mended and looked at.
func (x *exchange) beginExchange(ctx context.Context) (err error) {
	if x.config, err = x.memory.Config(ctx); err != nil {
		return err
	}
	x.out.URL, _ = x.config.Get("remote." + x.request.Remote + ".url")
	x.kept = keptFile(x.repo).Reader()
	u, fixed, err := upstream.Of(x.repo)
	if err != nil {
		return err
	}
	if name, err := ForSetup(x.config); !fixed && err == nil {
		u, _ = upstream.At(x.config, name)
	}
	x.home = u.URL
	var list git.RemoteList
	answered := make(chan error, 1)
	go func() {
		var err error
		list, err = x.repo.ListRemote(ctx, x.request.Remote, refs.Root+"*", x.expectedSize())
		answered <- x.markUnreached(err)
	}()
	if !x.request.DryRun {
		err = x.mendHere(ctx)
	}
	if err == nil {
		err = x.compareHere(ctx)
	}
	if err := errors.Join(err, <-answered); err != nil {
		return err
	}
	if idle, err := x.compareThere(ctx, list); idle || err != nil {
		return err
	}
	if err := x.lookBeside(ctx); err != nil {
		return err
	}
	return x.readFormat(ctx)
}

// mendHere brings back what was lost here: by crashes, and by a fetch that writes over records.
func (x *exchange) mendHere(ctx context.Context) error {
	if err := x.memory.Heal(ctx); err != nil {
		return err
	}
	if len(Overwriting(x.config)) > 0 {
		return x.memory.Recover(ctx)
	}
	return nil
}

// lookHere reads what this clone holds and what it knows of the remote. What of that is here and has no ref
// of its own is offered to whoever reads, for as long as the exchange lasts.
func (x *exchange) lookHere(ctx context.Context) (err error) {
	if x.ours, err = x.store.Held(ctx); err != nil {
		return err
	}
	return x.lookBeside(ctx)
}

// lookBeside reads what is known of the remote beside what this clone holds, and offers it.
func (x *exchange) lookBeside(ctx context.Context) (err error) {
	x.far.Offer(git.RefList{})
	held, err := x.far.Tracked(ctx)
	if err != nil {
		return err
	}
	x.tracked = held
	if x.same = held.Len() == 0 && x.isEqual(); x.same {
		return nil
	}
	x.known = x.far.Known()
	seen := x.known
	if held.Len() > 0 { // What a plain fetch brought counts where the remote holds it still.
		seen = seen.Only(func(name, _ string) bool {
			now := held.Find(name)
			return now == "" || now != x.theirs.refs.Find(name)
		})
	}
	// A collection of garbage takes away what has no ref, and has to come again.
	x.tracked = held.With(seen).With(x.came).Without(x.ours).Only(func(_, oid string) bool {
		return x.store.Here(ctx, oid)
	})
	x.memory.Intake().Offer(x.request.Remote, x.tracked)
	return nil
}

// isEqual reports whether both sides hold the same. What says which format the memory has is made by who
// sends first.
func (x *exchange) isEqual() bool {
	for d := range x.ours.Differ(x.theirs.refs) {
		if d.Name != refs.FormatRef {
			return false
		}
	}
	return true
}

// endExchange keeps a list of what the remote holds of what is here, and which of that was not taken. The
// rest comes with the next pull. Both lists are a help: where they cannot be kept now, the next exchange does
// it.
func (x *exchange) endExchange(ctx context.Context) {
	x.out.Holds, x.out.Changes, x.out.Archives = x.theirs.records, x.theirs.changes, x.theirs.older
	if x.request.DryRun {
		return
	}
	x.noteKept()
	x.keepSettled()
	if strings.HasPrefix(x.request.Remote, bundlePrefix) {
		return
	}
	fresh := x.theirs.refs.Without(x.ours)
	absent := fresh.Without(x.tracked)
	archived := x.archiveLookup(ctx, x.ours.Below(archiveRoot), "")
	waits := fresh.Without(absent).Only(func(name, oid string) bool {
		return name != refs.FormatRef && archived(name) != oid
	})
	holds := x.theirs.refs.Without(absent)
	if x.same && x.known.Len() == 0 { // It was not asked for.
		x.known = x.far.Known()
	}
	_ = x.far.KeepKnown(x.known, holds)
	_ = x.far.Wait(waits)
	x.memory.Intake().Offer(x.request.Remote, waits)
}

// Refused is what the last push to a remote left in this clone, and why. It is kept until a push leaves nothing.
type Refused struct {
	Refs int    `json:"refs"` // 0 where none could be sent
	Why  string `json:"why"`  // of the first
	// what stayed because it is of another remote, and which of that are changes
	Elsewhere        int `json:"elsewhere"`
	ElsewhereChanges int `json:"elsewhere_changes"`
}

// refusedName names the file of it, of each remote.
const refusedName = "refused-"

// noteRefused keeps what a push left here; failed is why it did not come to its end. It is a help, without which
// status says less.
func (x *exchange) noteRefused(failed error) {
	if x.request.DryRun || x.request.Way != Both && x.request.Way != Push {
		return
	}
	var r Refused
	for _, w := range x.out.Withheld {
		if w.Kept == Here {
			r.Refs++
			r.Why = cmp.Or(r.Why, strings.Join(w.Why, "; "))
		}
	}
	if failed != nil {
		r.Why = failed.Error()
	}
	r.Elsewhere, r.ElsewhereChanges = len(x.out.Elsewhere), countChanges(x.out.Elsewhere)
	if file := x.far.File(refusedName); r.Why == "" && r.Elsewhere == 0 {
		_ = file.Remove()
	} else {
		_ = file.WriteState(r)
	}
}

// tellProgress tells how far the exchange is.
func (x *exchange) tellProgress(stage string, done, of int) {
	if x.request.Progress != nil {
		x.request.Progress(stage, done, of)
	}
}

// noteWithheld tells that refs stay where they are. What only a later version can read is counted.
func (x *exchange) noteWithheld(kept Kept, refused ...accept.Refusal) {
	for _, r := range refused {
		if kept == There && r.Format && x.out.Needs > 0 {
			x.out.Unread++
			continue
		}
		x.out.Withheld = append(x.out.Withheld, Withheld{Ref: r.Ref, Why: r.Why, Kept: kept})
	}
}

// withholdRef notes one ref that did not go or come, and why.
func (x *exchange) withholdRef(kept Kept, ref, why string) {
	x.noteWithheld(kept, accept.Refusal{Ref: ref, Why: []string{why}})
}

const (
	noticeAge = 2 * time.Second // noticeAge is how long a remote may be silent before that is said.
	// silenceLimit is how long it may be silent, where nothing else is configured.
	silenceLimit  = 60 * time.Second
	remoteTimeout = "ltm.remoteTimeout"
)

// Patience is what is done about a remote that sends nothing. The zero value waits for ever and
// says nothing.
type Patience struct {
	Limit time.Duration // after how long the exchange is given up; 0 for never
	Say   func(Awaited) // says that nothing came for two seconds; nil says nothing
}

// Awaited is what an exchange waits for.
type Awaited int

// What an exchange waits for.
const (
	TheRemote  Awaited = iota // the remote sends nothing
	AnotherOne                // another process of this clone exchanges with it
)

// SilenceLimit is how long a remote may be silent: ltm.remoteTimeout in seconds, where 0 has no
// limit.
func SilenceLimit(config git.Config) (time.Duration, error) {
	text, ok := config.Get(remoteTimeout)
	if !ok {
		return silenceLimit, nil
	}
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is no number of seconds", remoteTimeout, text)
	}
	return time.Duration(seconds) * time.Second, nil
}

// SilentError is a remote that was given up because nothing came from it.
type SilentError struct {
	Remote string
	Since  time.Duration
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("remote %q sent nothing for %d s, and was given up", e.Remote, int(e.Since.Seconds()))
}

// BusyError is an exchange that was given up because another one of this clone with the same remote did not
// end.
type BusyError struct {
	Remote string
	Since  time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("another exchange of this clone with %q has not ended for %d s, so this one did not begin", e.Remote, int(e.Since.Seconds()))
}

// lockAlone waits until no other process of this clone exchanges with the remote.
func (x *exchange) lockAlone(ctx context.Context) (err error) {
	p, waited := x.request.Patience, time.Duration(0)
	for _, age := range p.noticeAges() {
		if x.release, err = x.far.Lock(ctx, age-waited); !errors.Is(err, local.ErrLocked) {
			return err
		}
		if waited = age; age == p.Limit {
			return &BusyError{x.request.Remote, age}
		}
		if p.Say != nil {
			p.Say(AnotherOne)
		}
	}
	x.release, err = x.far.Lock(ctx, math.MaxInt64)
	return err
}

// noticeAges are how long nothing came when that is said, or ends an exchange, the shortest first.
func (p Patience) noticeAges() []time.Duration {
	switch {
	case p.Limit == 0:
		return []time.Duration{noticeAge}
	case p.Limit <= noticeAge:
		return []time.Duration{p.Limit}
	default:
		return []time.Duration{noticeAge, p.Limit}
	}
}

// awaitRemote lets an exchange end with its remote where that is silent. The error of what was under way
// then becomes the reason.
func (x *exchange) awaitRemote(ctx context.Context) (_ context.Context, end func(error) error) {
	p := x.request.Patience
	ctx, cancel := context.WithCancelCause(ctx)
	x.repo = x.repo.Watched(git.Watch{Ages: p.noticeAges(), Silent: func(since time.Duration) {
		if since == p.Limit {
			cancel(&SilentError{x.request.Remote, since})
		} else if p.Say != nil {
			p.Say(TheRemote)
		}
	}})
	return ctx, func(err error) error {
		defer cancel(nil)
		if silent, ok := errors.AsType[*SilentError](context.Cause(ctx)); ok && err != nil {
			return silent
		}
		return err
	}
}
