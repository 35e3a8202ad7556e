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

// eraseRoots are the places below which refs of records lie: ours, and where the maintenance of git copies what a
// configured refspec brings.
func eraseRoots() []string {
	return []string{Root, TrackingRoot, PrivateRoot, "refs/prefetch/ltm/", "refs/prefetch/ltm-remotes/", "refs/prefetch/remotes/"}
}

// Erase takes every ref out that names one of the records: the records, their later signatures, what remotes are known to
// hold of them, and what lies of them in archives and in the spool. It returns the full names of the refs. The objects stay
// until git collects them.
//
// An event that is among stones, which are ids and blobs, stays with its later signatures, also where its id is given.
func (s *Store) Erase(ctx context.Context, ids []packet.ID, stones map[packet.ID]string) ([]string, error) {
	return s.erase(ctx, newErasing(ids, stones))
}

func (s *Store) erase(ctx context.Context, gone erasing) ([]string, error) {
	if err := s.eraseFiles(gone); err != nil {
		return nil, err
	}
	var names []string
	err := s.Exclusively(ctx, func(ctx context.Context) (err error) {
		if names, err = s.eraseArchived(ctx, gone); err != nil {
			return err
		}
		listed, err := s.eraseRefs(ctx, gone)
		names = append(names, listed...)
		return err
	})
	slices.Sort(names)
	return names, err
}

// fewErased is how many records git is asked for by their names: it compares each ref with all of them, and else lists all refs.
const fewErased = 8

// eraseRefs takes the refs out that name the records, and returns their names. What a compaction moves meanwhile into an
// archive would be missed, so the caller holds the lock of the archives.
func (s *Store) eraseRefs(ctx context.Context, gone erasing) (names []string, err error) {
	o := git.ListOptions{NamesOnly: true}
	if len(gone.ids) <= fewErased {
		for id := range gone.ids {
			o.Parts = append(o.Parts, string(id))
		}
	}
	listed, err := s.repo.Refs(ctx, eraseRoots(), o)
	if err != nil {
		return nil, wrap("list refs below", Root, err)
	}
	var changes []git.Change
	for _, ref := range listed {
		if ref.Symref == "" && gone.any(ref.Name) && !s.spares(ctx, gone, ref.Name, ref.Object) {
			changes = append(changes, git.Change{Kind: git.Delete, Ref: ref.Name, Old: ref.Object})
			names = append(names, ref.Name)
		}
	}
	err = s.forgetWaiting(func(ref, oid string) bool {
		out := gone.any(ref) && !s.spares(ctx, gone, ref, oid)
		if out && !slices.Contains(names, ref) {
			names = append(names, ref)
		}
		return out
	})
	if err != nil || len(changes) == 0 {
		return names, wrap("erase record", Root, err)
	}
	return names, wrap("erase record", changes[0].Ref, s.repo.Update(ctx, changes))
}

// erasing is what is taken out, and which events are not.
type erasing struct {
	ids    map[packet.ID]bool
	stones map[packet.ID]string

	sparesQuarantine bool // what lies in the quarantine of purges stays
}

func newErasing(ids []packet.ID, stones map[packet.ID]string) erasing {
	gone := erasing{ids: make(map[packet.ID]bool, len(ids)), stones: stones}
	for _, id := range ids {
		gone.ids[id] = true
	}
	return gone
}

// any tells whether one part of a ref's name is one of the ids.
func (e erasing) any(ref string) bool {
	return slices.ContainsFunc(strings.Split(ref, "/"), func(part string) bool { return e.ids[packet.ID(part)] })
}

// takes tells whether a record is taken out.
func (e erasing) takes(name Name) bool {
	return e.ids[name.ID] && (name.Kind != Events || e.stones[name.ID] == "")
}

// spares tells whether a ref is that of an event which stays, or a later signature of it.
func (s *Store) spares(ctx context.Context, gone erasing, ref, oid string) bool {
	if gone.sparesQuarantine && strings.HasPrefix(ref, purgedRoot) {
		return true
	}
	parts := strings.Split(ref, "/")
	for i, part := range parts {
		stone := gone.stones[packet.ID(part)]
		switch {
		case stone == "" || i == 0:
		case Kind(parts[i-1]) == Events:
			return true
		case parts[i-1] == endorsements:
			return s.endorses(ctx, Endorsement{Object: oid}, stone)
		}
	}
	return false
}

// endorses tells whether a later signature is one of a blob. One that cannot be read is of none.
func (s *Store) endorses(ctx context.Context, e Endorsement, blob string) bool {
	typ, tag, err := s.reading().read(ctx, e.Object, maxTag)
	named, ok := taggedBlob(tag)
	return err == nil && typ == "tag" && ok && named == blob
}

// eraseFiles takes the records out of the spool and out of the quarantine.
func (s *Store) eraseFiles(gone erasing) error {
	entries, err := s.spool.list(everything)
	if err != nil {
		return wrap("read", s.spool.files.Path(), err)
	}
	for _, k := range entries {
		if !gone.takes(k.name) {
			continue
		}
		if err := s.spool.forget(k.name); err != nil {
			return wrap("forget record", k.name.Ref(), err)
		}
	}
	aside := s.repo.Local().Sub("quarantine").Path()
	files, err := os.ReadDir(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		if ref, unescaped := url.QueryUnescape(file.Name()); unescaped == nil && gone.any(ref) {
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
func (s *Store) eraseArchived(ctx context.Context, out erasing) (gone []string, err error) {
	all, err := s.Archives(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for _, a := range all {
		held, err := s.contents(ctx, a)
		closed := errors.Is(err, ErrArchive) || errors.Is(err, ErrMissing) || errors.Is(err, ErrCorrupt)
		var found []string
		for name, entry := range held {
			if s.erases(ctx, out, entry) {
				found = append(found, name.Ref())
			}
		}
		switch {
		case closed && a.Remote == "":
			continue // Nobody reads it, and a check tells of it.
		case err != nil && !closed:
			return gone, err
		case !closed && len(found) == 0:
			continue
		case a.Remote != "": // The remote has it still. Of one that cannot be read nobody can say what it holds.
			found = nil
		default:
			err = s.rewrite(ctx, a, func(entry archived) bool { return !s.erases(ctx, out, entry) })
			if err != nil {
				return gone, wrap("erase from archive", a.Ref(), err)
			}
		}
		err = s.forgetWaiting(func(ref, _ string) bool { return ref == a.Ref() })
		if err = errors.Join(err, s.deleteArchives(ctx, a)); err != nil {
			return gone, wrap("erase from archive", a.Ref(), err)
		}
		gone = append(append(gone, found...), a.Ref())
	}
	return gone, s.repo.ReleasePacks(ctx, 0)
}

// erases tells whether an entry of an archive is taken out.
func (s *Store) erases(ctx context.Context, out erasing, entry archived) bool {
	if entry.name.Key == "" || !out.ids[entry.name.ID] {
		return out.takes(entry.name)
	}
	object, err := s.objectOf(ctx, entry)
	return err != nil || !s.endorses(ctx, Endorsement{Object: object}, out.stones[entry.name.ID])
}
