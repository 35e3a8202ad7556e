package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// listing is what a remote holds below refs/ltm.
type listing struct {
	refs  git.RefList // those of the layout
	stray []string    // names that are none of the layout; nobody reads or scans them

	misnamed map[string]string // those of them that are called as an archive is, and what they name

	// how many of the refs are records or later signatures, how many of those change a record, and how many
	// are archives
	records, changes, older int
}

// archiveRoot is below what the refs of archives lie.
const archiveRoot = refs.Root + "archive/"

// archives are the archives of the remote, and what they name.
func (l *listing) archives() git.RefList { return l.refs.Below(archiveRoot) }

// ErrObjectNames says that one side has SHA-1 names and the other SHA-256.
var ErrObjectNames = errors.New(
	"its objects have names of another hash than those here, and git exchanges nothing between the two")

// lookThere asks the remote for its refs.
func (x *exchange) lookThere(ctx context.Context) (listing, error) {
	list, err := x.repo.ListRemote(ctx, x.request.Remote, refs.Root+"*", x.expectedSize())
	if err != nil {
		return listing{}, x.markUnreached(err)
	}
	return x.readListing(list)
}

// expectedSize is about how many bytes the remote answers.
func (x *exchange) expectedSize() int {
	const fresh = 4096 // of what came there since
	return x.far.KnownSize() + fresh
}

// readListing reads what the remote answered.
func (x *exchange) readListing(list git.RemoteList) (l listing, err error) {
	l.misnamed = map[string]string{}
	l.refs = list.Refs().Only(func(name, oid string) bool {
		if (len(oid) == 64) != (x.repo.ObjectFormat == "sha256") {
			err = fmt.Errorf("list refs of remote %q: %w", x.request.Remote, ErrObjectNames)
		}
		if n, ok := refs.Parse(name); ok {
			if l.records++; n.IsChange() {
				l.changes++
			}
			return true
		}
		if _, ok := refs.ArchiveAt(name, oid); ok {
			l.older++
			return true
		}
		if refs.IsArchive(name) {
			l.misnamed[name] = oid
		} else if refs.InLayout(name) {
			return true
		}
		l.stray = append(l.stray, name)
		return false
	})
	return l, err
}

// ReachError is a remote that git could not exchange with. Nothing of what it holds is known then.
type ReachError struct{ Err error }

func (e *ReachError) Error() string { return e.Err.Error() }

// Unwrap returns what git said.
func (e *ReachError) Unwrap() error { return e.Err }

// markUnreached says that an error is git's, of the network or of the remote.
func (x *exchange) markUnreached(err error) error {
	exit, ended := errors.AsType[*git.ExitError](err)
	if ended && slices.Contains([]string{"ls-remote", "fetch", "push"}, exit.Args0) {
		return &ReachError{Err: err}
	}
	return err
}

// readFormat notes what the remote says of the format of its memory, and ends nothing by that: whoever can
// push can write it. What this version itself writes there costs nothing to recognise.
func (x *exchange) readFormat(ctx context.Context) error {
	oid := x.theirs.refs.Find(refs.FormatRef)
	if oid == "" || oid == x.store.BlobOID(refs.FormatRecord()) {
		return nil
	}
	var err error
	if !x.store.Here(ctx, oid) {
		err = x.repo.FetchInto(ctx, x.request.Remote, []string{oid})
	}
	needs := 0
	if err == nil {
		x.tracked = x.tracked.With(x.theirs.refs.Below(refs.FormatRef))
		needs, err = x.store.MinReader(ctx, oid)
	}
	x.out.OddFormat = err != nil
	if needs > refs.Format {
		x.out.Needs = needs
	}
	return ctx.Err()
}

// A settlement is what both sides were when an exchange had nothing to do in any way. The next one that finds
// them so has nothing to do either, and reads neither of the two lists.
type settlement struct {
	Ours     string `json:"ours"`   // a stamp of what this clone holds and has taken out
	Theirs   string `json:"theirs"` // the sum of what the remote listed
	Records  int    `json:"holds"`
	Changes  int    `json:"changes"`
	Archives int    `json:"archives"`
}

// settledFile is where it is kept. It is a help: without it the next exchange compares the lists.
func (x *exchange) settledFile() local.File { return x.far.File("settled-") }

// maySettle tells the exchanges of which a settlement says that they have nothing to do.
func (x *exchange) maySettle() bool {
	r := x.request
	return !r.DryRun && (r.Way.isPull() || r.Way == Push) && !strings.HasPrefix(r.Remote, bundlePrefix)
}

// compareHere compares this clone with what it was, and lists what it holds where it is not the same.
func (x *exchange) compareHere(ctx context.Context) (err error) {
	if x.maySettle() {
		if x.settled.Ours, err = x.memory.Purges().HeldStamp(); err != nil {
			return err
		}
		var was settlement
		if _, err := x.settledFile().ReadState(&was); err == nil && was.Ours == x.settled.Ours &&
			was.Ours != "" {
			x.settled = was
			return nil
		}
	}
	if x.request.Seen == "" {
		x.ours, err = x.store.Held(ctx)
	}
	return err
}

// compareThere compares what the remote lists with what it was, and reads the list where it is not the same.
func (x *exchange) compareThere(ctx context.Context, list git.RemoteList) (idle bool, err error) {
	theirs, unlisted := list.Sum, x.settled.Theirs != "" || x.request.Seen != ""
	x.out.Listed = theirs
	if x.settled.Theirs == theirs || x.request.Way == Pull && x.request.Seen == theirs {
		waits, err := x.memory.Purges().Lingers(ctx, git.RefList{}) // Its time may be over.
		if err != nil {
			return false, err
		}
		if !waits {
			x.idle, x.out.Archives = true, x.settled.Archives
			x.out.Holds, x.out.Changes = x.settled.Records, x.settled.Changes
			return true, nil
		}
	}
	x.settled = settlement{Ours: x.settled.Ours, Theirs: theirs}
	if unlisted {
		if x.ours, err = x.store.Held(ctx); err != nil {
			return false, err
		}
	}
	x.theirs, err = x.readListing(list)
	return false, err
}

// keepSettled keeps what both sides are, where nothing was to be done in either way and nothing is to be
// said.
func (x *exchange) keepSettled() {
	o := x.out
	said := len(o.Pushed) + len(o.Deleted) + len(o.Withheld) + len(o.Stray) + len(o.Kept) + o.Needs + o.Idle
	if !x.calm || x.request.Way == Pull || !x.maySettle() || x.settled.Ours == "" || said > 0 || o.OddFormat ||
		o.Blind {
		return
	}
	x.settled.Records, x.settled.Changes, x.settled.Archives = o.Holds, o.Changes, o.Archives
	_ = x.settledFile().WriteState(x.settled)
}

// keptFile is the journal of the refs that remotes did not let be deleted, each with the object that it
// names. They are not asked for again.
func keptFile(repo *git.Repo) *journal.File {
	return journal.Open(repo.Local().File("kept"))
}

// The marks behind the object of a ref in that journal.
const (
	holdsPurged = "purged" // it holds what was purged
	// a purge deleted the ref that yields to whoever refuses it: what names that object again stays there
	putBack = "deleted"
	// a purge alone asked for it: the next exchange asks again
	refusedPurge = "asked"
)

// keptRef is a ref as the journal has it: the object that it names, "" where the remote does not hold that any more,
// and a mark.
type keptRef struct{ object, mark string }

// notKept is in the place of an object that the remote does not hold any more.
const notKept = "-"

func parseKept(text string) keptRef {
	object, mark, _ := strings.Cut(text, " ")
	return keptRef{strings.TrimSuffix(object, notKept), mark}
}

func (k keptRef) asText() string {
	return strings.TrimSpace(cmp.Or(k.object, notKept) + " " + k.mark)
}

// keptKey is what the journal calls a ref of a remote.
func keptKey(remote, name string) string { return remote + " " + name }

// leavesThere reports whether a ref of the remote stays where it is: an exchange neither brings nor
// deletes it. A purge asks each time.
func (x *exchange) leavesThere(name string) bool {
	value, ok := x.kept.Find(keptKey(x.request.Remote, name))
	k := parseKept(value)
	return ok && k.object != "" && k.object == x.theirs.refs.Find(name) && k.mark != refusedPurge &&
		x.request.Way != Forget
}

// noteKept remembers what the remote keeps, and counts the records among it.
func (x *exchange) noteKept() {
	fresh := map[string]keptRef{}
	some := len(x.out.Kept)+len(x.out.KeptPurged) > 0
	for e, err := range keptFile(x.repo).All() {
		name, own := strings.CutPrefix(e.Key, keptKey(x.request.Remote, ""))
		if err != nil || !own {
			continue
		}
		some = true
		k := parseKept(e.Value)
		switch there := k.object != "" && k.object == x.theirs.refs.Find(name); {
		case k.mark == putBack && there:
			x.out.PutBack = append(x.out.PutBack, name)
		case k.mark != putBack && !there && k != (keptRef{}):
			fresh[name] = keptRef{}
		}
	}
	for _, name := range x.out.Kept {
		fresh[name] = keptRef{x.theirs.refs.Find(name), ""}
	}
	for _, name := range x.out.KeptPurged {
		fresh[name] = keptRef{x.theirs.refs.Find(name), holdsPurged}
	}
	for _, name := range x.out.Deleted {
		if object := x.once[name]; object != "" {
			fresh[name] = keptRef{object, putBack}
		}
	}
	for _, w := range x.out.Withheld {
		if x.request.Way == Forget && w.Kept == There {
			fresh[w.Ref] = keptRef{x.theirs.refs.Find(w.Ref), refusedPurge}
		}
	}
	if len(fresh) > 0 {
		var entries []journal.Entry
		for _, name := range slices.Sorted(maps.Keys(fresh)) {
			entries = append(entries, journal.Entry{Key: keptKey(x.request.Remote, name), Value: fresh[name].asText()})
		}
		_ = keptFile(x.repo).Append(entries) // Without it, the next exchange asks again.
		x.kept = keptFile(x.repo).Reader()
	}
	if !some {
		return
	}
	for name := range x.theirs.refs.All() {
		if _, record := refs.Parse(name); record && x.leavesThere(name) {
			x.out.Idle++
		}
	}
}

// PurgedThere counts, for some remotes, the refs that they were last seen to hold of what was purged here. Those of
// which there are none are left out.
func PurgedThere(ctx context.Context, m *memory.Memory, remotes []string) (map[string]int, error) {
	purged, err := m.Tombstones(ctx)
	if err != nil || len(purged) == 0 {
		return nil, err
	}
	kept := keptFile(m.Repo()).Reader()
	found := map[string]int{}
	for _, remote := range remotes {
		known := m.Remote(remote).Known()
		for id, stone := range purged {
			for _, kind := range append(refs.Telling(), refs.Events) {
				name := refs.Name{Kind: kind, ID: id}.Ref()
				value, asked := kept.Find(keptKey(remote, name))
				k := parseKept(value)
				holds := asked && k != (keptRef{}) && k.mark != putBack || known.Find(name) != ""
				if stone.Sure && stone.Reaches(name) && holds {
					found[remote]++
				}
			}
		}
	}
	return found, nil
}
