package refs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// maxArchivedRecord bounds a record that moves into an archive. It is far more than any record may hold.
const maxArchivedRecord = 1024 * 1024

// archiveSet is what one archive shall hold.
type archiveSet struct {
	quarter string
	entries map[Name]archived // entries are those that lie in an archive, here or of a remote.
	fresh   []Ref             // fresh are the records and later signatures that are refs.
	merged  int               // merged is how many archives the entries are all of.
}

// TakeOver makes an archive of this clone of what an archive of a remote holds, as far as keep
// says, which is asked with the full names of the records' refs. Where that is all of it, it is the
// same archive.
func (as *Archives) TakeOver(ctx context.Context, a Archive, keep func(ref string) bool) error {
	return as.Exclusively(ctx, func(ctx context.Context) error {
		err := as.rewriteArchive(ctx, a, func(entry archived) bool { return keep(entry.name.Ref()) })
		return wrap("take archive", a.Ref(), err)
	})
}

// rewriteArchive makes an archive of this clone of what an archive holds, as far as keep says.
func (as *Archives) rewriteArchive(ctx context.Context, a Archive, keep func(archived) bool) error {
	held, err := as.store.archive.readContents(ctx, a)
	if err != nil {
		return err
	}
	maps.DeleteFunc(held, func(_ Name, entry archived) bool { return !keep(entry) })
	_, err = as.makeArchive(ctx, &archiveSet{quarter: a.quarter(), entries: held})
	return err
}

// makeArchive stores an archive and makes its ref. When it returns without an error, that survives
// a crash, a power cut and a garbage collection. What is fresh and cannot be read is left out.
func (as *Archives) makeArchive(ctx context.Context, set *archiveSet) (Archive, error) {
	var packed []git.RawObject
	entries := maps.Clone(set.entries)
	for _, ref := range set.fresh {
		object, err := as.store.Read(ctx, ref)
		entry := as.entryFor(ref.Name, object)
		if there, ok := entries[ref.Name]; err != nil || entry.blob == "" && entry.tag == "" || ok && there != entry {
			continue
		}
		entries[ref.Name] = entry
		packed = append(packed, git.RawObject{Type: "blob", Data: object.Data})
		if entry.tag != "" {
			packed = append(packed, git.RawObject{Type: "blob", Data: object.Tag})
		}
	}
	if len(entries) == 0 {
		return Archive{}, ctx.Err()
	}
	// Makes the trees and the commit of an archive.
	b := builder{length: oidLength(as.store.repo)}
	folders := map[Kind]map[string][]git.TreeEntry{}
	counts := map[Kind]int{}
	for _, entry := range entries {
		kind, folder := entry.name.Kind, archiveFolder(entry.name.ID)
		if counts[kind]++; counts[kind] > mostArchived {
			return Archive{}, fmt.Errorf("more than %d of %s: %w", mostArchived, kind, ErrArchive)
		}
		if folders[kind] == nil {
			folders[kind] = map[string][]git.TreeEntry{}
		}
		folders[kind][folder] = append(folders[kind][folder], entry.treeLines()...)
	}
	var kinds []git.TreeEntry
	for kind, of := range folders {
		var inside []git.TreeEntry
		for folder, files := range of {
			inside = append(inside, git.TreeEntry{Mode: modeFolder, Name: folder, OID: b.addTree(files)})
		}
		kinds = append(kinds, git.TreeEntry{Mode: modeFolder, Name: string(kind), OID: b.addTree(inside)})
	}
	data := archiveCommit(b.addTree(kinds), set.quarter)
	b.made = append(b.made, git.RawObject{Type: "commit", Data: data})
	if err := b.err; err != nil {
		return Archive{}, err
	}
	commit, trees := hashObject(b.length, "commit", data), b.made
	a := Archive{Name: set.quarter + "/" + commit, Commit: commit}
	all, err := as.List(ctx)
	if err != nil || slices.Contains(all, a) {
		return a, err
	}
	change := []git.Change{{Kind: git.Create, Ref: a.Ref(), New: commit}}
	dirs := as.store.refDirectories(a.Ref())
	// What a tracking ref names is held by that.
	tracked := slices.ContainsFunc(all, func(b Archive) bool { return b.Commit == commit })
	if !tracked {
		// Leaves out what stands twice.
		objects := slices.Concat(packed, trees, as.rawObjects(ctx, set.entries))
		compare := func(a, b git.RawObject) int {
			return cmp.Or(strings.Compare(a.Type, b.Type), bytes.Compare(a.Data, b.Data))
		}
		slices.SortFunc(objects, compare)
		packed = slices.CompactFunc(objects, func(a, b git.RawObject) bool { return compare(a, b) == 0 })
	}
	for try := 0; ; try++ {
		if !tracked {
			_, err = as.store.repo.PackKept(ctx, packed)
		}
		if err == nil {
			err = as.store.repo.Update(ctx, change)
		}
		// A garbage collection may take away at any moment what nobody needs yet.
		if err == nil || errors.Is(err, git.ErrConflict) || ctx.Err() != nil || try == writeTries {
			break
		}
	}
	if err == nil {
		err = syncNames(dirs)
	}
	return a, wrap("make archive", a.Ref(), err)
}

// rawObjects reads the objects of entries of archives. They are stored again with an archive that
// takes them over: whoever collects garbage may have looked at the new one before it was there, and
// at the old ones when those were gone. What is not here is left out; it was missing before.
func (as *Archives) rawObjects(ctx context.Context, entries map[Name]archived) (raw []git.RawObject) {
	for _, entry := range entries {
		for _, oid := range []string{entry.blob, entry.tag} {
			if oid == "" {
				continue
			}
			if data, err := as.store.archive.readTyped(ctx, oid, "blob", maxArchivedRecord); err == nil {
				raw = append(raw, git.RawObject{Type: "blob", Data: data})
			}
		}
	}
	return raw
}

// entryFor is the entry of a record that was read, or of a later signature, which is nothing where that is no
// tag object.
func (as *Archives) entryFor(name Name, object Object) archived {
	entry := archived{name: name, blob: object.OID}
	if object.TagOID != "" {
		entry.tag = as.store.BlobOID(object.Tag)
	}
	if name.Key != "" {
		entry.blob = ""
	}
	return entry
}

// builder makes trees.
type builder struct {
	length int
	made   []git.RawObject
	err    error
}

// addTree makes one tree and returns its name.
func (b *builder) addTree(entries []git.TreeEntry) string {
	data, err := encodeTree(entries)
	b.err = errors.Join(b.err, err)
	b.made = append(b.made, git.RawObject{Type: "tree", Data: data})
	return hashObject(b.length, "tree", data)
}

// treeLines are the lines of an entry in a tree.
func (a archived) treeLines() []git.TreeEntry {
	var files []git.TreeEntry
	if a.blob != "" {
		files = append(files, git.TreeEntry{Mode: modeFile, Name: a.fileName(recordSuffix), OID: a.blob})
	}
	if a.tag != "" {
		files = append(files, git.TreeEntry{Mode: modeFile, Name: a.fileName(tagSuffix), OID: a.tag})
	}
	return files
}

// readBack checks that an archive holds an entry, and its objects, as it lies in the repository
// now.
func (as *Archives) readBack(ctx context.Context, a Archive, want archived) error {
	commit, err := as.store.reader.resolveRef(ctx, a.Ref())
	if err != nil || commit != a.Commit {
		return errors.Join(err, fmt.Errorf("archive %q is at %s: %w", a.Name, commit, git.ErrConflict))
	}
	for _, oid := range []string{want.blob, want.tag} {
		if oid != "" {
			_, err = as.store.archive.readTyped(ctx, oid, "blob", maxArchivedRecord)
		}
		if err != nil {
			return wrap("read back", want.name.Ref(), err)
		}
	}
	return nil
}

// movedAtOnce is how many refs are deleted in one step.
const movedAtOnce = 1000

// Moved is what a compaction moved.
type Moved struct {
	Archives []Archive // Archives are those that were made.
	Refs     []Ref     // Refs are those of records and of later signatures, in the order of their ids.
}

// Compact moves records and later signatures of this clone from their refs into archives, by the
// quarter of the year in which they were made, and merges small archives into larger ones. An
// archive is read back before a ref is deleted: a process that dies at any line loses nothing, and
// leaves at most a record that is both a ref and in an archive. What cannot be read, or contradicts
// an archive, stays where it is.
func (as *Archives) Compact(ctx context.Context, refs []Ref) (moved Moved, err error) {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool {
		return r.Remote != "" || r.Archive != "" || r.Name.Private
	})
	slices.SortStableFunc(refs, func(a, b Ref) int { return cmp.Compare(a.Name.ID, b.Name.ID) })
	err = as.Exclusively(ctx, func(ctx context.Context) error {
		held, err := as.store.Held(ctx)
		if err != nil {
			return err
		}
		// A purge may have been faster.
		refs = slices.DeleteFunc(refs, func(r Ref) bool { return held.Find(r.Full()) != r.Object })
		sets, err := as.mergedSets(ctx, refs)
		if err != nil {
			return err
		}
		for _, set := range sets {
			made, err := as.makeArchive(ctx, set)
			if err != nil {
				return err
			}
			if made.Commit != "" {
				moved.Archives = append(moved.Archives, made)
			}
		}
		if len(refs) == 0 && len(sets) == 0 {
			return nil
		}
		if err := as.Settle(ctx); err != nil {
			return err
		}
		held, err = as.store.Held(ctx)
		moved.Refs = slices.DeleteFunc(refs, func(r Ref) bool { return held.Find(r.Full()) != "" })
		return err
	})
	return moved, wrap("compact records of", as.store.repo.CommonDir, err)
}

// mergedSets says what archives a compaction makes: for each quarter with something new, or with
// several small archives, one of all that, or several where that is too much. What contradicts an
// archive is left out.
func (as *Archives) mergedSets(ctx context.Context, refs []Ref) ([]*archiveSet, error) {
	all, err := as.ListLocal(ctx)
	if err != nil {
		return nil, err
	}
	var sets []*archiveSet
	open := map[string]*archiveSet{}
	room := func(quarter string, n int) *archiveSet {
		if set := open[quarter]; set != nil && len(set.entries)+len(set.fresh)+n <= mergedArchive {
			return set
		}
		open[quarter] = &archiveSet{quarter: quarter, entries: map[Name]archived{}}
		sets = append(sets, open[quarter])
		return open[quarter]
	}
	for _, a := range all {
		held, err := as.store.archive.readContents(ctx, a)
		if err != nil || len(held) > smallArchive {
			continue
		}
		set := room(a.quarter(), len(held))
		contradicts := false // Something else may be there already under one of the names.
		for name, entry := range held {
			there, ok := set.entries[name]
			contradicts = contradicts || ok && there != entry
		}
		if !contradicts {
			maps.Copy(set.entries, held)
			set.merged++
		}
	}
	for _, ref := range refs {
		there := as.store.archive.inArchives(ctx, all, ref.Name)
		differs := slices.ContainsFunc(there, func(r Ref) bool { return r.Object != ref.Object })
		if !differs && (len(there) == 0 || !as.archivesHold(ctx, all, ref.Name, ref.Object)) {
			set := room(quarterOf(ref.Name.ID), 1)
			set.fresh = append(set.fresh, ref)
		}
	}
	asItIs := func(set *archiveSet) bool { return set.merged < 2 && len(set.fresh) == 0 }
	return slices.DeleteFunc(sets, asItIs), ctx.Err()
}

// Settle deletes what archives of this clone hold elsewhere: the refs whose very object one of them
// holds, and the archives that another one wholly contains.
func (as *Archives) Settle(ctx context.Context) error {
	return as.Exclusively(ctx, func(ctx context.Context) error {
		all, err := as.ListLocal(ctx)
		if err != nil || len(all) == 0 {
			return err
		}
		var both []Ref
		for e, err := range listRefs(ctx, as.store.reader, scan{prefix: Root}) {
			if err != nil {
				return err
			}
			name, ok := parseOwn(e.ref)
			if ok && e.oid != "" && as.archivesHold(ctx, all, name, e.oid) {
				both = append(both, Ref{Name: name, Object: e.oid})
			}
		}
		for chunk := range slices.Chunk(both, movedAtOnce) {
			if err := as.store.Delete(ctx, chunk); err != nil {
				return err
			}
		}
		var covered []Archive
		for _, a := range all {
			by := slices.DeleteFunc(slices.Clone(all), func(b Archive) bool { return a == b })
			if ok, err := as.Covered(ctx, a, by, func(string) bool { return false }); ok && err == nil {
				covered = append(covered, a)
			}
		}
		return as.deleteArchives(ctx, covered...)
	})
}

// isWithin reports whether one archive holds all that another one does.
func isWithin(small, large map[Name]archived) bool {
	for name, entry := range small {
		if large[name] != entry {
			return false
		}
	}
	return true
}

// deleteArchives deletes the refs of archives.
func (as *Archives) deleteArchives(ctx context.Context, all ...Archive) error {
	if len(all) == 0 {
		return nil
	}
	changes := make([]git.Change, len(all))
	for i, a := range all {
		changes[i] = git.Change{Kind: git.Delete, Ref: a.Ref(), Old: a.Commit}
	}
	return as.store.repo.Update(ctx, changes)
}

// archivesHold reports whether one of the archives holds an object under a name, and the objects of it are
// here.
func (as *Archives) archivesHold(ctx context.Context, in []Archive, name Name, object string) bool {
	for _, a := range in {
		entry, ok, err := as.store.archive.searchArchive(ctx, a, name)
		if err != nil || !ok {
			continue
		}
		oid, err := as.store.archive.objectOf(ctx, entry)
		if err == nil && oid == object && as.readBack(ctx, a, entry) == nil {
			return true
		}
	}
	return false
}
