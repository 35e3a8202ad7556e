package refs

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// mostRemembered is how many entries of archives are kept in memory before all are let go.
const mostRemembered = 200_000

// archiveCache remembers what was read of archives. Objects never change, so that it is never wrong. The zero value is
// ready.
type archiveCache struct {
	mu      sync.Mutex
	trees   map[string][]treeEntry // trees are the roots and the kinds, by object.
	folders map[string][]archived  // folders are by kind, name and object.
	tags    map[string]string      // tags tells which blob holds the bytes of a tag object.
	named   map[string]string      // named is the same the other way round.
	damage  map[string]Broken      // damage is by ref.
	held    int                    // held is how many entries trees and folders have.
}

// remember keeps something in one of the maps, which may be nil.
func remember[T any](c *archiveCache, in *map[string]T, key string, value T, entries int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held += entries; c.held > mostRemembered {
		c.trees, c.folders, c.held = nil, nil, entries
	}
	if *in == nil {
		*in = map[string]T{}
	}
	(*in)[key] = value
}

// recall returns what remember has kept.
func recall[T any](c *archiveCache, in *map[string]T, key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok := (*in)[key]
	return value, ok
}

// passOver remembers why an archive, or a part of it, is not read. A check tells it.
func (s *Store) passOver(a Archive, err error) {
	if _, known := recall(&s.archive, &s.archive.damage, a.Ref()); !known {
		remember(&s.archive, &s.archive.damage, a.Ref(), Broken{Ref: a.Ref(), Reason: err.Error()}, 0)
	}
}

// typed reads an object that has to be of one type and its own name, at most limit bytes of it.
func (s *Store) typed(ctx context.Context, oid, want string, limit int64) ([]byte, error) {
	typ, data, err := s.objects.read(ctx, oid, limit)
	switch {
	case err != nil:
		return nil, err
	case typ != want:
		return nil, fmt.Errorf("object %s is a %s, not a %s: %w", oid, typ, want, ErrArchive)
	case hashObject(len(oid), typ, data) != oid:
		return nil, fmt.Errorf("object %s: %w", oid, ErrCorrupt)
	}
	return data, nil
}

// tree reads a tree that holds nothing but folders.
func (s *Store) tree(ctx context.Context, oid string) ([]treeEntry, error) {
	if known, ok := recall(&s.archive, &s.archive.trees, oid); ok {
		return known, nil
	}
	data, err := s.typed(ctx, oid, "tree", maxArchiveTree)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data, len(oid))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.mode != modeFolder {
			return nil, fmt.Errorf("tree %s: %s %q is no folder: %w", oid, e.mode, e.name, ErrArchive)
		}
	}
	remember(&s.archive, &s.archive.trees, oid, entries, len(entries))
	return entries, nil
}

// kindsIn returns the folders of all kinds in an archive.
func (s *Store) kindsIn(ctx context.Context, a Archive) ([]treeEntry, error) {
	key := a.about() + "/" + a.Commit
	if known, ok := recall(&s.archive, &s.archive.trees, key); ok {
		return known, nil
	}
	data, err := s.typed(ctx, a.Commit, "commit", maxArchiveCommit)
	if err != nil {
		return nil, err
	}
	oid, err := parseArchiveCommit(data, a.about())
	if err != nil {
		return nil, err
	}
	entries, err := s.tree(ctx, oid)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if kind := Kind(e.name); !kind.known() && kind != endorsements {
			return nil, fmt.Errorf("folder %q is of no kind: %w", e.name, ErrArchive)
		}
	}
	remember(&s.archive, &s.archive.trees, key, entries, len(entries))
	return entries, nil
}

// foldersIn returns the folders of one kind in an archive; none where it holds no such records.
func (s *Store) foldersIn(ctx context.Context, a Archive, kind Kind) ([]treeEntry, error) {
	kinds, err := s.kindsIn(ctx, a)
	if err != nil {
		return nil, err
	}
	for _, e := range kinds {
		if e.name != string(kind) {
			continue
		}
		folders, err := s.tree(ctx, e.oid)
		if len(folders) > mostArchived || slices.ContainsFunc(folders, func(f treeEntry) bool { return !isFolder(f.name) }) {
			return nil, fmt.Errorf("tree %s: it holds other folders than those of %s: %w", e.oid, kind, ErrArchive)
		}
		return folders, err
	}
	return nil, nil
}

// folder reads one folder of an archive.
func (s *Store) folder(ctx context.Context, a Archive, kind Kind, folder treeEntry) ([]archived, error) {
	found, err := s.parsedFolder(ctx, kind, folder)
	if n := len(found); n > 0 && !(a.holds(found[0].name) && a.holds(found[n-1].name)) {
		return nil, fmt.Errorf("folder %q holds what is not of %s: %w", folder.name, a.about(), ErrArchive)
	}
	return found, err
}

// parsedFolder reads one folder, whatever archive it is in.
func (s *Store) parsedFolder(ctx context.Context, kind Kind, folder treeEntry) ([]archived, error) {
	key := string(kind) + "/" + folder.name + "/" + folder.oid
	if known, ok := recall(&s.archive, &s.archive.folders, key); ok {
		return known, nil
	}
	data, err := s.typed(ctx, folder.oid, "tree", maxArchiveTree)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data, len(folder.oid))
	if err != nil {
		return nil, err
	}
	found, err := parseFolder(kind, folder.name, entries)
	if err == nil && len(found) > mostArchived {
		err = fmt.Errorf("folder %q holds more than %d entries: %w", folder.name, mostArchived, ErrArchive)
	}
	if err != nil {
		return nil, err
	}
	remember(&s.archive, &s.archive.folders, key, found, len(found))
	return found, nil
}

// walk yields what an archive holds of one kind, within the bounds of a query, and opens only the folders that this takes.
// After the error of one folder it goes on with the next if the caller does.
func (s *Store) walk(ctx context.Context, a Archive, q Query) iter.Seq2[archived, error] {
	return func(yield func(archived, error) bool) {
		folders, err := s.foldersIn(ctx, a, q.Kind)
		if err != nil {
			yield(archived{}, err)
			return
		}
		seen := 0
		for _, folder := range inOrder(folders, q) {
			if !q.meets(folder.name) {
				continue
			}
			found, err := s.folder(ctx, a, q.Kind, folder)
			if seen += len(found); seen > mostArchived {
				yield(archived{}, fmt.Errorf("it holds more than %d of %s: %w", mostArchived, q.Kind, ErrArchive))
				return
			}
			if q.tags {
				s.prefetch(ctx, found)
			}
			if !yieldAll(found, err, q, yield) {
				return
			}
		}
	}
}

// yieldAll yields what a query wants of one folder, or the error of it.
func yieldAll(found []archived, err error, q Query, yield func(archived, error) bool) bool {
	if err != nil {
		return yield(archived{}, err)
	}
	for _, entry := range inOrder(found, q) {
		if q.admits(entry.name.ID) && !yield(entry, nil) {
			return false
		}
	}
	return true
}

// inOrder yields a slice in the order of a query.
func inOrder[T any](items []T, q Query) iter.Seq2[int, T] {
	if q.Newest {
		return slices.Backward(items)
	}
	return slices.All(items)
}

// meets reports whether a folder can hold a name between After and Before.
func (q Query) meets(folder string) bool {
	return (q.only == "" || folder == q.only) && (q.After == "" || folder >= archiveFolder(q.After)) && (q.Before == "" || folder <= archiveFolder(q.Before))
}

// search finds one record or later signature in an archive.
func (s *Store) search(ctx context.Context, a Archive, name Name) (archived, bool, error) {
	folders, err := s.foldersIn(ctx, a, name.Kind)
	if err != nil {
		return archived{}, false, err
	}
	at, ok := slices.BinarySearchFunc(folders, archiveFolder(name.ID), func(e treeEntry, folder string) int { return strings.Compare(e.name, folder) })
	if !ok {
		return archived{}, false, nil
	}
	found, err := s.folder(ctx, a, name.Kind, folders[at])
	if err != nil {
		return archived{}, false, err
	}
	at, ok = slices.BinarySearchFunc(found, name, compareNames)
	if !ok {
		return archived{}, false, nil
	}
	return found[at], true, nil
}

// compareNames orders the names of one kind.
func compareNames(a archived, name Name) int {
	return cmp.Or(cmp.Compare(a.name.ID, name.ID), cmp.Compare(a.name.Key, name.Key))
}

// archivedIDs yields the names in an archive that one kind has, and passes over what is damaged.
func (s *Store) archivedIDs(ctx context.Context, a Archive, q Query) iter.Seq[packet.ID] {
	return func(yield func(packet.ID) bool) {
		for entry, err := range s.walk(ctx, a, q) {
			if err != nil {
				s.passOver(a, err)
			} else if !yield(entry.name.ID) {
				return
			}
		}
	}
}

// contents returns all that an archive holds.
func (s *Store) contents(ctx context.Context, a Archive) (map[Name]archived, error) {
	held := map[Name]archived{}
	for _, kind := range archivedKinds() {
		for entry, err := range s.walk(ctx, a, Query{Kind: kind}) {
			if err != nil {
				return nil, err
			}
			held[entry.name] = entry
		}
	}
	return held, nil
}
