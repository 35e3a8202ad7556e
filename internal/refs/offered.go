package refs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
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

// Known yields what a remote was seen to hold by the last exchange: full names below refs/ltm and their
// objects. It is a help; what cannot be read is not known.
func (s *Store) Known(remote string) iter.Seq2[string, string] {
	return s.readNames(s.knownFile(remote), InLayout)
}

// KeepKnown keeps what a remote was seen to hold. No text of a record stands there.
func (s *Store) KeepKnown(remote string, holds []git.Ref) error {
	return writeNames(s.knownFile(remote), holds)
}

// readNames reads a list of names that fit, and their objects.
func (s *Store) readNames(file local.File, fits func(name string) bool) iter.Seq2[string, string] {
	return func(yield func(name, oid string) bool) {
		text, _ := file.ReadKept(mostKnown) // What cannot be read is fetched again.
		for line := range bytes.Lines(text) {
			oid, name, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
			if ok && len(oid) == oidLength(s.repo) && isHex([]byte(oid)) && fits(name) && !yield(name, oid) {
				return
			}
		}
	}
}

// writeNames writes such a list, unless it is there already. It has the form of packed-refs, so that it can
// be searched.
func writeNames(file local.File, refs []git.Ref) error {
	slices.SortFunc(refs, func(a, b git.Ref) int { return strings.Compare(a.Name, b.Name) })
	text := bytes.NewBuffer(make([]byte, 0, 128*(1+len(refs))))
	text.WriteString("# pack-refs with: sorted \n")
	for _, ref := range refs {
		text.WriteString(ref.Object + " " + ref.Name + "\n")
	}
	before, err := file.ReadKept(mostKnown)
	switch {
	case err == nil && bytes.Equal(before, text.Bytes()):
		return nil
	case len(refs) == 0:
		return file.Remove()
	}
	return file.Replace(text.Bytes(), local.Unsynced)
}

// HeldBy returns what a remote is known to hold, by the last exchange and by the tracking refs that a plain
// fetch wrote.
func (s *Store) HeldBy(ctx context.Context, remote string) (map[string]string, error) {
	held := maps.Collect(s.Known(remote))
	tracked, err := s.Held(ctx, remote)
	maps.Copy(held, tracked) // A plain fetch may have come after it.
	return held, err
}

// waitingFile lists what was fetched from remotes and was not taken, as tracking refs and their objects.
// Nothing but this list keeps it: a collection of garbage may take it, and then it is as if it had not been
// fetched.
func waitingFile(repo *git.Repo) local.File { return repo.Local().File("waiting") }

// readWaiting reads that list.
func (s *Store) readWaiting() map[string]string {
	return maps.Collect(s.readNames(waitingFile(s.repo), func(name string) bool { return remoteOf(name) != "" }))
}

// waitingWith is that list with what was fetched from one remote, by the names that the refs have there.
func (s *Store) waitingWith(remote string, refs map[string]string) map[string]string {
	all := s.readWaiting()
	maps.DeleteFunc(all, func(name, _ string) bool { return remoteOf(name) == remote })
	for name, oid := range refs {
		all[TrackingRoot+remote+"/"+strings.TrimPrefix(name, Root)] = oid
	}
	return all
}

// Wait lets everybody who reads this repository find what was fetched from a remote and was not taken, as if
// tracking refs named it: names below refs/ltm, and objects. It takes the place of what waited of that remote
// before.
func (s *Store) Wait(remote string, refs map[string]string) error {
	return s.keepWaiting(s.waitingWith(remote, refs))
}

// forgetWaiting takes out of that list what drop says.
func (s *Store) forgetWaiting(drop func(ref, oid string) bool) error {
	all := s.readWaiting()
	before := len(all)
	maps.DeleteFunc(all, drop)
	if len(all) == before {
		return nil
	}
	return s.keepWaiting(all)
}

func (s *Store) keepWaiting(all map[string]string) error {
	s.showOffered(all, s.Here)
	var refs []git.Ref
	for _, name := range slices.Sorted(maps.Keys(all)) {
		refs = append(refs, git.Ref{Name: name, Object: all[name]})
	}
	return writeNames(waitingFile(s.repo), refs)
}

// Offer shows in this store alone, as tracking refs of a remote, what was fetched from it and has no ref
// here. It takes the place of what waits of that remote.
func (s *Store) Offer(ctx context.Context, remote string, refs map[string]string) {
	all := s.waitingWith(remote, refs)
	maps.DeleteFunc(all, func(name, oid string) bool { return remoteOf(name) != remote && !s.Here(ctx, oid) })
	s.showOffered(all, func(context.Context, string) bool { return true })
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
func (s *Store) showOffered(all map[string]string, has func(context.Context, string) bool) {
	s.reader = s.plain
	if len(all) == 0 {
		return
	}
	offered := &offeredReader{reader: s.plain, has: has}
	for ref, oid := range all {
		offered.refs = append(offered.refs, entry{ref: ref, oid: oid})
		if remote := remoteOf(ref); !slices.Contains(offered.from, remote) {
			offered.from = append(offered.from, remote)
		}
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
		if err == nil && len(offered) > 0 && (!ok || e.ref == offered[0].ref || (offered[0].ref < e.ref) != q.newest) {
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
