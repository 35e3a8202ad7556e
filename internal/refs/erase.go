package refs

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Erase takes every ref out that names one of the records: the records, their later signatures, what remotes
// are known to hold of them, and what lies of them in archives and in the spool. It returns the full names of
// the refs. The objects stay until git collects them.
//
// An event that is among stones, which are ids and blobs, stays with its later signatures, also where its id
// is given.
func (s *Store) Erase(ctx context.Context, ids []packet.ID, stones map[packet.ID]string) ([]string, error) {
	return newErasing(s, ids, stones).eraseAll(ctx)
}

// WouldErase returns the full names of the refs that Erase would take out, and takes nothing out.
func (s *Store) WouldErase(ctx context.Context, ids []packet.ID, stones map[packet.ID]string) ([]string, error) {
	would := newErasing(s, ids, stones)
	would.dry = true
	return would.eraseAll(ctx)
}

// eraseAll does the work of Erase.
func (e erasing) eraseAll(ctx context.Context) (names []string, err error) {
	erase := func(ctx context.Context) (err error) {
		if names, err = e.eraseArchived(ctx); err != nil {
			return err
		}
		listed, err := e.eraseRefs(ctx)
		names = append(names, listed...)
		return err
	}
	if e.dry {
		err = erase(ctx)
	} else if err = e.eraseFiles(); err == nil {
		err = e.store.Archives.Exclusively(ctx, erase)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// fewErased is how many records git is asked for by their names: it compares each ref with all of them, and
// else lists all refs.
const fewErased = 8

// refsNaming lists the refs that name the records and go.
func (e erasing) refsNaming(ctx context.Context) ([]git.Ref, error) {
	roots := []string{
		Root, TrackingRoot, PrivateRoot, "refs/prefetch/ltm/", "refs/prefetch/ltm-remotes/",
		"refs/prefetch/remotes/",
	}
	patterns := roots
	if len(e.ids) <= fewErased {
		patterns = nil
		for id := range e.ids {
			for _, root := range roots {
				patterns = append(patterns, root+"**/"+string(id), root+"**/"+string(id)+"/**")
			}
		}
	}
	listed, err := e.store.repo.Refs(ctx, patterns...)
	return slices.DeleteFunc(listed, func(ref git.Ref) bool {
		return ref.Symref != "" || !e.erasesRef(ctx, ref.Name, ref.Object)
	}), wrap("list refs below", Root, err)
}

// eraseRefs takes the refs out that name the records, and returns their names. What a compaction moves
// meanwhile into an archive would be missed, so the caller holds the lock of the archives.
func (e erasing) eraseRefs(ctx context.Context) (names []string, err error) {
	listed, err := e.refsNaming(ctx)
	if err != nil {
		return nil, err
	}
	var changes []git.Change
	for _, ref := range listed {
		changes = append(changes, git.Change{Kind: git.Delete, Ref: ref.Name, Old: ref.Object})
		names = append(names, ref.Name)
	}
	isOut := func(ref, oid string) bool {
		out := e.erasesRef(ctx, ref, oid)
		if out {
			names = append(names, ref)
		}
		return out
	}
	if e.dry {
		e.store.readWaiting().Only(isOut)
		return names, nil
	}
	if err = e.store.forgetWaiting(isOut); err != nil || len(changes) == 0 {
		return names, wrap("erase record", Root, err)
	}
	return names, wrap("erase record", changes[0].Ref, e.store.repo.Update(ctx, changes))
}

// erasing is what is taken out, and which events are not.
type erasing struct {
	store  *Store
	ids    map[packet.ID]bool
	stones map[packet.ID]string

	sparesQuarantine bool // what lies in the quarantine of purges stays
	dry              bool // nothing is taken out, and what would be is said
}

func newErasing(s *Store, ids []packet.ID, stones map[packet.ID]string) erasing {
	gone := erasing{store: s, ids: make(map[packet.ID]bool, len(ids)), stones: stones}
	for _, id := range ids {
		gone.ids[id] = true
	}
	return gone
}

// namesAny tells whether one part of a ref's name is one of the ids.
func (e erasing) namesAny(ref string) bool {
	return slices.ContainsFunc(strings.Split(ref, "/"), func(part string) bool {
		return e.ids[packet.ID(part)]
	})
}

// takesOut tells whether a record is taken out.
func (e erasing) takesOut(name Name) bool {
	return e.ids[name.ID] && (name.Kind != Events || e.stones[name.ID] == "")
}

// erasesRef tells whether a ref names one of the records and goes: not that of an event which stays, nor a
// later signature of it.
func (e erasing) erasesRef(ctx context.Context, ref, oid string) bool {
	if !e.namesAny(ref) || e.sparesQuarantine && strings.HasPrefix(ref, purgedRoot) {
		return false
	}
	parts := strings.Split(ref, "/")
	for i, part := range parts {
		stone := e.stones[packet.ID(part)]
		switch {
		case stone == "" || i == 0:
		case Kind(parts[i-1]) == Events:
			return false
		case parts[i-1] == endorsements:
			return !e.store.isEndorsementOf(ctx, oid, stone)
		}
	}
	return true
}

// isEndorsementOf tells whether a later signature is one of a blob. One that cannot be read is of none.
func (s *Store) isEndorsementOf(ctx context.Context, oid, blob string) bool {
	typ, tag, err := s.archive.readObject(ctx, oid, maxTag)
	named, ok := taggedBlob(tag)
	return err == nil && typ == "tag" && ok && named == blob
}

// eraseFiles takes the records out of the spool and out of the quarantine.
func (e erasing) eraseFiles() error {
	s := e.store
	entries, err := s.spool.listEntries(everything)
	if err != nil {
		return wrap("read", s.spool.files.Path(), err)
	}
	for _, k := range entries {
		if !e.takesOut(k.name) {
			continue
		}
		if err := s.spool.forgetEntry(k.name); err != nil {
			return wrap("forget record", k.name.Ref(), err)
		}
	}
	aside := s.repo.Local().Sub("quarantine").Path()
	files, err := os.ReadDir(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		if ref, unescaped := url.QueryUnescape(file.Name()); unescaped == nil && e.namesAny(ref) {
			err = errors.Join(err, os.Remove(filepath.Join(aside, file.Name())))
		}
	}
	return wrap("read", aside, err)
}

// eraseArchived puts archives without the records into the place of those of this clone that hold
// some, and drops the tracked archives of remotes that hold one or cannot be read: the next
// exchange brings what is left of them. What is left is no longer kept from a garbage collection in
// one pack with what went. It returns the names of what it took out of this clone. The caller holds
// the lock of the archives, because what a compaction adds meanwhile would be lost.
func (e erasing) eraseArchived(ctx context.Context) (gone []string, err error) {
	s := e.store
	all, err := s.Archives.List(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for _, a := range all {
		found, closed, err := e.archivedNaming(ctx, a)
		switch {
		case closed && a.Remote == "":
			continue // Nobody reads it, and a check tells of it.
		case err != nil && !closed:
			return gone, err
		case !closed && len(found) == 0:
			continue
		case e.dry:
			gone = append(gone, found...)
			continue
		case a.Remote != "": // The remote has it still. Of one that cannot be read nobody can say what it holds.
			found = nil
		default:
			err = s.Archives.rewriteArchive(ctx, a, func(entry archived) bool {
				return !e.erasesEntry(ctx, entry)
			})
			if err != nil {
				return gone, wrap("erase from archive", a.Ref(), err)
			}
		}
		err = s.forgetWaiting(func(ref, _ string) bool { return ref == a.Ref() })
		if err = errors.Join(err, s.Archives.deleteArchives(ctx, a)); err != nil {
			return gone, wrap("erase from archive", a.Ref(), err)
		}
		gone = append(append(gone, found...), a.Ref())
	}
	if e.dry {
		return gone, nil
	}
	return gone, s.repo.ReleasePacks(ctx, 0)
}

// archivedNaming returns the full names of the records in an archive that go. A closed one cannot be read.
func (e erasing) archivedNaming(ctx context.Context, a Archive) (found []string, closed bool, err error) {
	held, err := e.store.archive.readContents(ctx, a)
	for name, entry := range held {
		if e.erasesEntry(ctx, entry) {
			found = append(found, name.Ref())
		}
	}
	return found, errors.Is(err, ErrArchive) || errors.Is(err, ErrMissing) || errors.Is(err, ErrCorrupt), err
}

// erasesEntry tells whether an entry of an archive is taken out.
func (e erasing) erasesEntry(ctx context.Context, entry archived) bool {
	if entry.name.Key == "" || !e.ids[entry.name.ID] {
		return e.takesOut(entry.name)
	}
	object, err := e.store.archive.objectOf(ctx, entry)
	return err != nil || !e.store.isEndorsementOf(ctx, object, e.stones[entry.name.ID])
}

// Delete removes refs in one transaction: all or none. Each must still point to the object that it names; a
// ref that is gone already is fine. The spool forgets the records first, so that Heal does not bring them
// back.
func (s *Store) Delete(ctx context.Context, refs []Ref) error {
	if len(refs) == 0 {
		return nil
	}
	changes := make([]git.Change, len(refs))
	for i, ref := range refs {
		if !ref.Name.isValid() || (ref.Remote != "" && !SafeRemote(ref.Remote)) {
			return wrap("delete record", ref.Full(), ErrNotFound)
		}
		changes[i] = git.Change{Kind: git.Delete, Ref: ref.Full(), Old: ref.Object}
	}
	gone := map[string]bool{}
	for _, ref := range refs {
		if ref.Remote != "" {
			gone[ref.Full()] = true
			continue
		}
		if err := s.spool.forgetEntry(ref.Name); err != nil {
			return wrap("forget record", ref.Full(), err)
		}
	}
	if err := s.forgetWaiting(func(ref, _ string) bool { return gone[ref] }); err != nil {
		return wrap("delete record", refs[0].Full(), err)
	}
	return wrap("delete record", refs[0].Full(), s.repo.Update(ctx, changes))
}

// purgedRoot is where records lie that a purge named which this clone does not trust, until
// somebody answers it. No kind of record has this name, so no list and no lookup of records finds
// one, and no refspec names it. A ref keeps the object from a garbage collection.
const purgedRoot = PrivateRoot + "purged/"

// Quarantined is a ref that was moved to the quarantine of purges.
type Quarantined struct {
	ID     packet.ID
	Was    string // the full name that it had: of a record, a later signature or a private record
	Object string
}

// placeRef is the full name of the ref in quarantine.
func (q Quarantined) placeRef() string {
	if tail, ok := strings.CutPrefix(q.Was, PrivateRoot); ok {
		return purgedRoot + privatePart + tail
	}
	return purgedRoot + strings.TrimPrefix(q.Was, Root)
}

// privatePart begins the names of private records in quarantine.
const privatePart = "private/"

// parseQuarantined reads the full name of a ref in quarantine. Anything but the exact shape is
// refused.
func parseQuarantined(ref, oid string) (Quarantined, bool) {
	tail, ok := strings.CutPrefix(ref, purgedRoot)
	if !ok || oid == "" {
		return Quarantined{}, false
	}
	if tail, private := strings.CutPrefix(tail, privatePart); private {
		name, ok := ParsePrivate(PrivateRoot + tail)
		return Quarantined{name.ID, name.Ref(), oid}, ok
	}
	name, ok := parseOwn(Root + tail)
	return Quarantined{name.ID, name.Ref(), oid}, ok
}

// InQuarantine returns the refs in the quarantine of purges, by name.
func (s *Store) InQuarantine(ctx context.Context) ([]Quarantined, error) {
	var found []Quarantined
	for e, err := range listRefs(ctx, s.reader, scan{prefix: purgedRoot}) {
		if err != nil {
			return nil, wrap("list refs below", purgedRoot, err)
		}
		if q, ok := parseQuarantined(e.ref, e.oid); ok {
			found = append(found, q)
		}
	}
	return found, nil
}

// Quarantine moves everything of some records out of the way: what the store holds of them goes to
// the quarantine of purges, and every other ref of them is erased as by Erase. It returns the full
// names of the refs that are gone. Whoever was interrupted calls again.
func (s *Store) Quarantine(ctx context.Context, ids []packet.ID,
	stones map[packet.ID]string,
) ([]string, error) {
	there, err := s.InQuarantine(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	gone := newErasing(s, ids, stones)
	gone.sparesQuarantine = true
	taken := map[string]bool{}
	for _, q := range there {
		taken[q.placeRef()] = true
	}
	var changes []git.Change
	for _, id := range ids {
		// Returns what the store holds of a record that goes: the record, a private one of the id,
		// and later signatures.
		var held []Quarantined
		for _, kind := range Kinds() {
			name := Name{Kind: kind, ID: id}
			if !gone.takesOut(name) {
				continue
			}
			found, err := s.Everywhere(ctx, name)
			if err != nil {
				return nil, err
			}
			if len(found) > 0 {
				held = append(held, Quarantined{id, name.Ref(), found[0].Object})
			}
			if private, err := s.Lookup(ctx, Name{Kind: kind, ID: id, Private: true}); err == nil {
				held = append(held, Quarantined{id, private.Full(), private.Object})
			}
		}
		later, err := s.Endorsements(ctx, id)
		for _, e := range later {
			if stone := gone.stones[id]; stone == "" || !s.isEndorsementOf(ctx, e.Object, stone) {
				held = append(held, Quarantined{id, e.Name.Ref(), e.Object})
			}
		}
		if err != nil {
			return nil, err
		}
		for _, q := range held {
			if !taken[q.placeRef()] && s.Here(ctx, q.Object) {
				taken[q.placeRef()] = true
				changes = append(changes, git.Change{Kind: git.Create, Ref: q.placeRef(), New: q.Object})
			}
		}
	}
	if len(changes) > 0 {
		if err := s.repo.Update(ctx, changes); err != nil {
			return nil, wrap("quarantine", changes[0].Ref, err)
		}
	}
	return gone.eraseAll(ctx)
}

// Release gives records in the quarantine of purges their refs back, and returns the full names of
// those. A ref that another object has taken meanwhile stays as it is, and what was in quarantine
// under its name stays there.
func (s *Store) Release(ctx context.Context, ids []packet.ID) (released []Quarantined, err error) {
	there, err := s.InQuarantine(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range there {
		if !slices.Contains(ids, q.ID) {
			continue
		}
		now, err := s.reader.resolveRef(ctx, q.Was)
		if err != nil {
			return released, err
		}
		if now != "" && now != q.Object {
			continue
		}
		changes := []git.Change{{Kind: git.Delete, Ref: q.placeRef(), Old: q.Object}}
		if now == "" {
			changes = append(changes, git.Change{Kind: git.Create, Ref: q.Was, New: q.Object})
		}
		if err := s.repo.Update(ctx, changes); err != nil {
			return released, wrap("release", q.placeRef(), err)
		}
		released = append(released, q)
	}
	return released, nil
}
