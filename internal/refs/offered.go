package refs

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// mostKnown bounds the list of what a remote was seen to hold.
const mostKnown = 1 << 28

// mostAsked is how many objects that wait are looked for each time. Whoever pushes a flood makes nobody look
// for all of it.
const mostAsked = 100

// Remote is what this clone knows of a remote: what that was seen to hold, what was fetched from it and has
// no ref here, and how far both are apart.
type Remote struct {
	store *Store
	name  string
}

// Remote returns what is known of a remote, by its name.
func (s *Store) Remote(name string) Remote { return Remote{s, name} }

// File is a file that this clone keeps about the remote, by what its name begins with. A sum stands for the
// remote behind that, because somebody may have pasted a password for one.
func (r Remote) File(kind string) local.File {
	sum := sha256.Sum256([]byte(r.name))
	return r.store.repo.Local().File(kind + hex.EncodeToString(sum[:8]))
}

// Lock takes the lock of exchanges with the remote, so that two of one clone do not fetch the same refs at
// once. One that is not to be had so soon is local.ErrLocked.
func (r Remote) Lock(ctx context.Context, patience time.Duration) (release func() error, err error) {
	return r.File("exchange-").With(lockSuffix).Lock(ctx, patience)
}

// Known is what the remote was seen to hold by the last exchange: full names below refs/ltm and their
// objects. It is a help; what cannot be read is not known.
func (r Remote) Known() git.RefList { return r.store.readNames(r.File("holds-"), InLayout) }

// KnownSize is how many bytes the list took that was kept last.
func (r Remote) KnownSize() int {
	info, err := os.Stat(r.File("holds-").Path())
	if err != nil {
		return 0
	}
	return int(min(info.Size(), mostKnown))
}

// KeepKnown keeps what the remote was seen to hold, where that is not known. No text of a record stands
// there.
func (r Remote) KeepKnown(known, holds git.RefList) error {
	return writeNames(r.File("holds-"), known, holds)
}

// readNames reads a list of names that fit, and their objects.
func (s *Store) readNames(file local.File, fits func(name string) bool) git.RefList {
	var text strings.Builder
	in, err := file.Open(os.O_RDONLY)
	if err != nil {
		return git.RefList{} // What cannot be read is fetched again.
	}
	if info, err := in.Stat(); err == nil && info.Size() <= mostKnown {
		text.Grow(int(info.Size()))
		if _, err := io.Copy(&text, in); err != nil {
			text.Reset()
		}
	}
	_ = in.Close() // It was only read.
	return git.ReadRefList(text.String(), func(name, oid string) bool {
		return len(oid) == oidLength(s.repo) && fits(name)
	})
}

// writeNames writes such a list, unless it is as before. It has the form of packed-refs.
func writeNames(file local.File, before, list git.RefList) error {
	switch {
	case list.Len() == 0:
		return file.Remove()
	case before.IsEqual(list):
		return nil
	}
	return file.ReplaceWith(local.Replacement{Durability: local.Unsynced}, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		_, _ = out.WriteString("# pack-refs with: sorted \n")
		for name, oid := range list.All() {
			writeLine(out, name, oid)
		}
		return out.Flush()
	})
}

// Holds returns what the remote is known to hold, by the last exchange and by the tracking refs that a plain
// fetch wrote, which may have come after it.
func (r Remote) Holds(ctx context.Context) (git.RefList, error) {
	known := r.Known()
	tracked, err := r.Tracked(ctx)
	if tracked.Len() == 0 {
		return known, err
	}
	return known.With(tracked), err
}

// joinLists makes one list of several. Of two with one name the later one counts.
func joinLists(all ...iter.Seq2[string, string]) git.RefList {
	var text strings.Builder
	for _, list := range all {
		for name, oid := range list {
			writeLine(&text, name, oid)
		}
	}
	return git.ReadRefList(text.String(), anyRef)
}

func anyRef(_, _ string) bool { return true }

// waitingFile lists what was fetched from remotes and was not taken, as tracking refs and their objects.
// Nothing but this list keeps it: a collection of garbage may take it, and then it is as if it had not been
// fetched.
func waitingFile(repo *git.Repo) local.File { return repo.Local().File("waiting") }

// readWaiting reads that list.
func (s *Store) readWaiting() git.RefList {
	return s.readNames(waitingFile(s.repo), func(name string) bool { return remoteOf(name) != "" })
}

// waitingElsewhere is what of that list was fetched from other remotes.
func (r Remote) waitingElsewhere() (before, elsewhere git.RefList) {
	before = r.store.readWaiting()
	return before, before.Only(func(name, _ string) bool { return remoteOf(name) != r.name })
}

// Wait lets everybody who reads this repository find what was fetched from the remote and was not taken, as
// if tracking refs named it: names below refs/ltm, and objects. It takes the place of what waited of it
// before.
func (r Remote) Wait(refs git.RefList) error {
	before, elsewhere := r.waitingElsewhere()
	return r.store.keepWaiting(before, joinLists(elsewhere.All(), func(yield func(name, oid string) bool) {
		for name, oid := range refs.All() {
			if !yield(rootOf(r.name)+strings.TrimPrefix(name, Root), oid) {
				return
			}
		}
	}))
}

// forgetWaiting takes out of that list what drop says.
func (s *Store) forgetWaiting(drop func(ref, oid string) bool) error {
	all := s.readWaiting()
	left := all.Only(func(ref, oid string) bool { return !drop(ref, oid) })
	if left.Len() == all.Len() {
		return nil
	}
	return s.keepWaiting(all, left)
}

func (s *Store) keepWaiting(before, all git.RefList) error {
	s.showWaiting(all)
	return writeNames(waitingFile(s.repo), before, all)
}

// showWaiting makes refs of what waits, for this store.
func (s *Store) showWaiting(waiting git.RefList) {
	s.reader = s.plain
	if waiting.Len() == 0 {
		return
	}
	offered := &offeredReader{reader: s.plain, list: waiting, has: s.Here}
	for name := range waiting.All() {
		if remote := remoteOf(name); !slices.Contains(offered.from, remote) {
			offered.from = append(offered.from, remote)
		}
	}
	s.reader = offered
}

// Offer shows in this store alone, as tracking refs of the remote, what was fetched from it and has no ref
// here: names below refs/ltm, and objects. It takes the place of what waits of it.
func (r Remote) Offer(refs git.RefList) {
	_, elsewhere := r.waitingElsewhere()
	s := r.store
	s.showWaiting(elsewhere)
	if refs.Len() > 0 {
		s.reader = &offeredReader{
			reader: s.reader, list: refs, under: rootOf(r.name), from: []string{r.name},
		}
	}
}

// rootOf is below what the records of this clone lie, and the tracking refs of a remote.
func rootOf(remote string) string {
	if remote == "" {
		return Root
	}
	return TrackingRoot + remote + "/"
}

// remoteOf is the remote whose tracking ref a name is.
func remoteOf(ref string) string {
	remote, _, ok := parseTracking(ref)
	if !ok {
		remote, _ = parseTrackingArchive(ref)
	}
	return remote
}

// offeredReader reads refs, and among them some that are none.
type offeredReader struct {
	reader

	list  git.RefList
	under string   // where the names of the list lie that it has below refs/ltm; "" where it has them whole
	from  []string // whose tracking refs they are
	// tells what no collection of garbage has taken; nil where all was fetched just now, so that it counts
	// before the tracking refs of the same names
	has func(ctx context.Context, oid string) bool
}

// nameOf is the name under which one of the list is offered.
func (r *offeredReader) nameOf(name string) string {
	if r.under == "" {
		return name
	}
	return r.under + strings.TrimPrefix(name, Root)
}

// offeredBelow are the offered refs whose names begin with a prefix, and whose objects are here.
func (r *offeredReader) offeredBelow(ctx context.Context, prefix string) git.RefList {
	switch tail, ok := strings.CutPrefix(prefix, r.under); {
	case r.has == nil && ok:
		return r.list.Below(Root + tail)
	case r.has == nil && strings.HasPrefix(r.under, prefix):
		return r.list
	case r.has == nil:
		return git.RefList{}
	}
	found := r.list.Below(prefix)
	if r.list.Len() > mostAsked {
		return found
	}
	return found.Only(func(_, oid string) bool { return r.has(ctx, oid) })
}

// pullRefs implements reader.
func (r *offeredReader) pullRefs(ctx context.Context, q scan) (puller[entry], error) {
	offered := r.offeredBelow(ctx, q.prefix)
	refs, err := r.reader.pullRefs(ctx, q)
	if err != nil || offered.Len() == 0 {
		return refs, err
	}
	next := func() (mine entry) { // It has no name behind the last one.
		n := offered.Len()
		switch {
		case n == 0:
			return entry{}
		case q.newest:
			mine.ref, mine.oid = offered.At(n-1).Name, offered.At(n-1).Object
			offered = offered.Part(0, n-1)
		default:
			mine.ref, mine.oid = offered.At(0).Name, offered.At(0).Object
			offered = offered.Part(1, n)
		}
		mine.ref = r.nameOf(mine.ref)
		return mine
	}
	mine := next()
	e, err, ok := refs.pull()
	return puller[entry]{func() (entry, error, bool) {
		now, failed, more := e, err, ok
		if err == nil && mine.ref != "" &&
			(!ok || e.ref == mine.ref || (mine.ref < e.ref) != q.newest) {
			offer := mine
			mine = next()
			if !ok || e.ref != offer.ref {
				return offer, nil, true
			}
			if r.has == nil {
				now = offer
			}
		}
		if ok {
			e, err, ok = refs.pull()
		}
		return now, failed, more
	}, refs.stop}, nil
}

// resolveRef implements reader.
func (r *offeredReader) resolveRef(ctx context.Context, ref string) (string, error) {
	offered := r.offeredBelow(ctx, ref)
	if offered.Len() == 0 || r.nameOf(offered.At(0).Name) != ref {
		return r.reader.resolveRef(ctx, ref)
	}
	if r.has != nil {
		if oid, err := r.reader.resolveRef(ctx, ref); oid != "" || err != nil {
			return oid, err
		}
	}
	return offered.At(0).Object, nil
}

// listRemotes implements reader.
func (r *offeredReader) listRemotes(ctx context.Context) ([]string, error) {
	found, err := r.reader.listRemotes(ctx)
	found = append(found, r.from...)
	slices.Sort(found)
	return slices.Compact(found), err
}
