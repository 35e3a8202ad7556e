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

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// mostKnown bounds the list of what a remote was seen to hold.
const mostKnown = 1 << 28

// mostAsked is how many objects that wait are looked for each time. Whoever pushes a flood makes nobody look
// for all of it.
const mostAsked = 100

// knownFile is where it is kept.
func (s *Store) knownFile(remote string) local.File {
	return s.repo.Local().File("holds-" + FileOf(remote))
}

// FileOf is what stands for a remote in the name of a file: a sum, because somebody may have pasted a
// password for a remote.
func FileOf(remote string) string {
	sum := sha256.Sum256([]byte(remote))
	return hex.EncodeToString(sum[:8])
}

// Known is what a remote was seen to hold by the last exchange: full names below refs/ltm and their objects.
// It is a help; what cannot be read is not known.
func (s *Store) Known(remote string) git.RefList {
	return s.readNames(s.knownFile(remote), InLayout)
}

// KnownSize is how many bytes the list of a remote took that was kept last.
func (s *Store) KnownSize(remote string) int {
	info, err := os.Stat(s.knownFile(remote).Path())
	if err != nil {
		return 0
	}
	return int(min(info.Size(), mostKnown))
}

// KeepKnown keeps what a remote was seen to hold, where that is not known. No text of a record stands there.
func (s *Store) KeepKnown(remote string, known, holds git.RefList) error {
	return writeNames(s.knownFile(remote), known, holds)
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

// HeldBy returns what a remote is known to hold, by the last exchange and by the tracking refs that a plain
// fetch wrote, which may have come after it.
func (s *Store) HeldBy(ctx context.Context, remote string) (git.RefList, error) {
	known := s.Known(remote)
	tracked, err := s.Held(ctx, remote)
	if tracked.Len() == 0 {
		return known, err
	}
	return joinLists(known.All(), tracked.All()), err
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

// waitingWith yields that list with what was fetched from one remote, by the names that the refs have there.
func waitingWith(waiting git.RefList, remote string, refs map[string]string) iter.Seq2[string, string] {
	return func(yield func(name, oid string) bool) {
		for name, oid := range waiting.All() {
			if remoteOf(name) != remote && !yield(name, oid) {
				return
			}
		}
		for name, oid := range refs {
			if !yield(TrackingRoot+remote+"/"+strings.TrimPrefix(name, Root), oid) {
				return
			}
		}
	}
}

// Wait lets everybody who reads this repository find what was fetched from a remote and was not taken, as if
// tracking refs named it: names below refs/ltm, and objects. It takes the place of what waited of that remote
// before.
func (s *Store) Wait(remote string, refs map[string]string) error {
	before := s.readWaiting()
	return s.keepWaiting(before, joinLists(waitingWith(before, remote, refs)))
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
	s.showOffered(all.All(), s.Here)
	return writeNames(waitingFile(s.repo), before, all)
}

// Offer shows in this store alone, as tracking refs of a remote, what was fetched from it and has no ref
// here. It takes the place of what waits of that remote.
func (s *Store) Offer(ctx context.Context, remote string, refs map[string]string) {
	s.showOffered(func(yield func(name, oid string) bool) {
		for name, oid := range waitingWith(s.readWaiting(), remote, refs) {
			if (remoteOf(name) == remote || s.Here(ctx, oid)) && !yield(name, oid) {
				return
			}
		}
	}, func(context.Context, string) bool { return true })
	if offered, ok := s.reader.(*offeredReader); ok {
		offered.newer = true
	}
}

// remoteOf is the remote whose tracking ref a name is.
func remoteOf(ref string) string {
	remote, _, ok := ParseTracking(ref)
	if !ok {
		remote, _ = parseTrackingArchive(ref)
	}
	return remote
}

// showOffered makes refs out of names and objects, for this store. Has tells which objects are here.
func (s *Store) showOffered(all iter.Seq2[string, string], has func(context.Context, string) bool) {
	s.reader = s.plain
	offered := &offeredReader{reader: s.plain, has: has}
	for ref, oid := range all {
		offered.refs = append(offered.refs, entry{ref: ref, oid: oid})
		if remote := remoteOf(ref); !slices.Contains(offered.from, remote) {
			offered.from = append(offered.from, remote)
		}
	}
	if len(offered.refs) == 0 {
		return
	}
	slices.SortFunc(offered.refs, func(a, b entry) int { return strings.Compare(a.ref, b.ref) })
	s.reader = offered
}

// offeredReader reads refs, and among them some that are none.
type offeredReader struct {
	reader

	has   func(ctx context.Context, oid string) bool
	newer bool     // they were fetched after the tracking refs of the same names
	refs  []entry  // in rising order
	from  []string // their remotes
}

// offeredBelow are the offered refs whose names begin with a prefix, and whose objects no collection of
// garbage has taken.
func (r *offeredReader) offeredBelow(ctx context.Context, prefix string) (found []entry) {
	first, _ := slices.BinarySearchFunc(r.refs, prefix, func(e entry, name string) int {
		return strings.Compare(e.ref, name)
	})
	for _, e := range r.refs[first:] {
		if !strings.HasPrefix(e.ref, prefix) {
			break
		}
		if len(r.refs) > mostAsked || r.has(ctx, e.oid) {
			found = append(found, e)
		}
	}
	return found
}

// pullRefs implements reader.
func (r *offeredReader) pullRefs(ctx context.Context, q scan) (puller[entry], error) {
	offered := slices.DeleteFunc(r.offeredBelow(ctx, q.prefix), func(e entry) bool { return e.ref < q.from })
	refs, err := r.reader.pullRefs(ctx, q)
	if err != nil || len(offered) == 0 {
		return refs, err
	}
	if q.newest {
		slices.Reverse(offered)
	}
	e, err, ok := refs.pull()
	return puller[entry]{func() (entry, error, bool) {
		next, failed, more := e, err, ok
		if err == nil && len(offered) > 0 &&
			(!ok || e.ref == offered[0].ref || (offered[0].ref < e.ref) != q.newest) {
			first := offered[0]
			offered = offered[1:]
			if !ok || e.ref != first.ref {
				return first, nil, true
			}
			if r.newer {
				next = first
			}
		}
		if ok {
			e, err, ok = refs.pull()
		}
		return next, failed, more
	}, refs.stop}, nil
}

// resolveRef implements reader.
func (r *offeredReader) resolveRef(ctx context.Context, ref string) (string, error) {
	offered := r.offeredBelow(ctx, ref)
	if len(offered) == 0 || offered[0].ref != ref {
		return r.reader.resolveRef(ctx, ref)
	}
	if !r.newer {
		if oid, err := r.reader.resolveRef(ctx, ref); oid != "" || err != nil {
			return oid, err
		}
	}
	return offered[0].oid, nil
}

// listRemotes implements reader.
func (r *offeredReader) listRemotes(ctx context.Context) ([]string, error) {
	found, err := r.reader.listRemotes(ctx)
	found = append(found, r.from...)
	slices.Sort(found)
	return slices.Compact(found), err
}
