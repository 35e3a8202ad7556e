package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// maxArchivedRecord bounds a record that moves into an archive. It is far more than any record may hold.
const maxArchivedRecord = 1024 * 1024

// archiving is the making of one archive.
type archiving struct {
	store   *Store
	old     Archive
	known   map[Name]archived // known is what the old archive holds.
	entries map[Name]archived // entries is what the new one shall hold.
	fresh   []fresh           // fresh are the entries that the old archive does not hold.
}

// fresh is an entry that an archive takes in.
type fresh struct {
	archived
	from Ref    // from is where it was.
	now  Object // now is what it holds, if that was read already.
}

// left is a ref that cannot be taken in.
type left struct {
	ref Ref
	err error
}

// add takes refs in, of records and later signatures, and returns those that cannot be: what is damaged, and what contradicts
// an entry that is there already.
func (w *archiving) add(ctx context.Context, refs []Ref) ([]left, error) {
	all, err := w.store.Archives(ctx)
	if err != nil {
		return nil, err
	}
	var out []left
	var unread []Wanted
	for _, ref := range refs {
		if !ref.Name.valid() || ref.Name.Private {
			return nil, fmt.Errorf("archive %q: not the name of a record that may travel: %w", ref.Name.Ref(), ErrNotFound)
		}
		entry, ok, err := w.locate(ctx, all, ref)
		switch {
		case err != nil:
			out = append(out, left{ref, err})
		case !ok:
			unread = append(unread, Wanted{Ref: ref, Limit: maxArchivedRecord})
		case !w.enter(fresh{archived: entry, from: ref}):
			out = append(out, left{ref, ErrExists})
		}
	}
	for i, found := range w.store.ReadMany(ctx, unread) {
		entry, err := w.store.entryFor(unread[i].Ref.Name, found)
		if err == nil && !w.enter(fresh{archived: entry, from: unread[i].Ref, now: found.Object}) {
			err = ErrExists
		}
		if err != nil {
			out = append(out, left{unread[i].Ref, err})
		}
	}
	return out, ctx.Err()
}

// locate finds a record that lies in an archive, without reading it.
func (w *archiving) locate(ctx context.Context, all []Archive, ref Ref) (archived, bool, error) {
	if known, ok := w.known[ref.Name]; ok {
		if object, err := w.store.objectOf(ctx, known); err == nil && object == ref.Object {
			return known, true, nil
		}
	}
	if tag := w.store.reading().place(ref.Object); tag != ref.Object && ref.Name.Key != "" {
		return archived{name: ref.Name, tag: tag}, true, nil
	}
	for _, a := range all {
		if a.Writer != ref.Archive || a.Remote != ref.Remote {
			continue
		}
		entry, ok, err := w.store.search(ctx, a, ref.Name)
		if err != nil || !ok {
			return archived{}, false, err
		}
		object, err := w.store.objectOf(ctx, entry)
		return entry, object == ref.Object, err
	}
	return archived{}, false, nil
}

// entryFor is the entry of a record that was read.
func (s *Store) entryFor(name Name, found Found) (archived, error) {
	entry := archived{name: name, blob: found.Object.OID}
	if found.Object.TagOID != "" {
		entry.tag = hashObject(oidLength(s.repo), "blob", found.Object.Tag)
	}
	if name.Key != "" {
		entry.blob = ""
	}
	if found.Err == nil && entry.blob == "" && entry.tag == "" {
		return archived{}, ErrShape
	}
	return entry, found.Err
}

// enter adds an entry, and reports whether it is the only one under its name.
func (w *archiving) enter(f fresh) bool {
	if there, ok := w.entries[f.name]; ok {
		return there == f.archived
	}
	w.entries[f.name] = f.archived
	if w.known[f.name] != f.archived {
		w.fresh = append(w.fresh, f)
	}
	return true
}

// keep adds what the old archive holds.
func (w *archiving) keep() {
	maps.Copy(w.entries, w.known)
}

// write stores the archive and moves its ref.
func (w *archiving) write(ctx context.Context) (commit string, err error) {
	ref := w.old.Ref()
	if len(w.entries) == 0 {
		if w.old.Commit == "" {
			return "", nil
		}
		return "", w.store.repo.Update(ctx, []git.Change{{Kind: git.Delete, Ref: ref, Old: w.old.Commit}})
	}
	commit, made, err := w.objects()
	if err != nil || commit == w.old.Commit {
		return commit, err
	}
	change := git.Change{Kind: git.Create, Ref: ref, New: commit}
	if w.old.Commit != "" {
		change.Kind, change.Old = git.Update, w.old.Commit
	}
	dirs := w.store.directories(ref)
	for try := 0; ; try++ {
		if err = w.pack(ctx, commit, made); err == nil {
			err = w.store.repo.Update(ctx, []git.Change{change})
		}
		// A garbage collection may take away at any moment what nobody needs yet.
		if err == nil || errors.Is(err, git.ErrConflict) || ctx.Err() != nil || try == writeTries {
			break
		}
	}
	if err == nil {
		err = syncNames(dirs)
	}
	return commit, err
}

// objects makes the trees and the commit. Of the trees, those that the old archive has are left out.
func (w *archiving) objects() (commit string, made []git.RawObject, err error) {
	b := builder{length: oidLength(w.store.repo)}
	folders := map[Kind]map[string][]treeEntry{}
	counts := map[Kind]int{}
	var newest packet.ID
	for _, entry := range w.entries {
		kind, folder := entry.name.Kind, archiveFolder(entry.name.ID)
		if counts[kind]++; counts[kind] > mostArchived {
			return "", nil, fmt.Errorf("more than %d of %s do not fit into one archive: %w", mostArchived, kind, ErrFull)
		}
		if folders[kind] == nil {
			folders[kind] = map[string][]treeEntry{}
		}
		folders[kind][folder] = append(folders[kind][folder], entry.files()...)
		newest = max(newest, entry.name.ID)
	}
	var kinds []treeEntry
	for kind, of := range folders {
		var inside []treeEntry
		for folder, files := range of {
			inside = append(inside, treeEntry{modeFolder, folder, b.tree(files)})
		}
		kinds = append(kinds, treeEntry{modeFolder, string(kind), b.tree(inside)})
	}
	data := archiveCommit(b.tree(kinds), w.old.Writer, newest.Time())
	b.made = append(b.made, git.RawObject{Type: "commit", Data: data})
	return hashObject(b.length, "commit", data), b.made, b.err
}

// builder makes trees.
type builder struct {
	length int
	made   []git.RawObject
	err    error
}

// tree makes one tree and returns its name.
func (b *builder) tree(entries []treeEntry) string {
	data, err := encodeTree(entries)
	b.err = errors.Join(b.err, err)
	b.made = append(b.made, git.RawObject{Type: "tree", Data: data})
	return hashObject(b.length, "tree", data)
}

// files are the lines of an entry in a tree.
func (a archived) files() []treeEntry {
	var files []treeEntry
	if a.blob != "" {
		files = append(files, treeEntry{modeFile, a.file(recordSuffix), a.blob})
	}
	if a.tag != "" {
		files = append(files, treeEntry{modeFile, a.file(tagSuffix), a.tag})
	}
	return files
}

// pack stores the objects of an archive, with those of all entries that it takes in: whoever collects garbage may have looked
// at the archive before it held them, and at their own refs when those were gone. Where a tracking ref names this very commit,
// all of them are held by that.
func (w *archiving) pack(ctx context.Context, commit string, made []git.RawObject) error {
	all, err := w.store.Archives(ctx)
	if err != nil || slices.ContainsFunc(all, func(a Archive) bool { return a.Remote != "" && a.Commit == commit }) {
		return err
	}
	var unread []Wanted
	for _, f := range w.fresh {
		if f.now.Type == "" {
			unread = append(unread, Wanted{Ref: f.from, Limit: maxArchivedRecord})
		}
	}
	found := w.store.ReadMany(ctx, unread)
	packed := slices.Clone(made)
	for i := range w.fresh {
		f := &w.fresh[i]
		if f.now.Type == "" {
			if found[0].Err != nil {
				return found[0].Err
			}
			f.now, found = found[0].Object, found[1:]
		}
		packed = append(packed, git.RawObject{Type: "blob", Data: f.now.Data})
		if f.tag != "" {
			packed = append(packed, git.RawObject{Type: "blob", Data: f.now.Tag})
		}
	}
	_, err = w.store.repo.PackKept(ctx, distinctObjects(packed))
	return err
}

// distinctObjects leaves out what stands twice.
func distinctObjects(objects []git.RawObject) []git.RawObject {
	slices.SortFunc(objects, func(a, b git.RawObject) int {
		if order := strings.Compare(a.Type, b.Type); order != 0 {
			return order
		}
		return bytes.Compare(a.Data, b.Data)
	})
	return slices.CompactFunc(objects, func(a, b git.RawObject) bool { return a.Type == b.Type && bytes.Equal(a.Data, b.Data) })
}

// readBack checks that an archive holds entries, and their objects, as it lies in the repository now.
func (s *Store) readBack(ctx context.Context, a Archive, entries []archived) error {
	commit, err := s.reader.resolve(ctx, a.Ref())
	if err != nil || commit != a.Commit {
		return errors.Join(err, fmt.Errorf("archive %q is at %s and not at %s: %w", a.Writer, commit, a.Commit, git.ErrConflict))
	}
	for _, want := range entries {
		entry, ok, err := s.search(ctx, a, want.name)
		if err == nil && (!ok || entry != want) {
			err = ErrNotFound
		}
		for _, oid := range []string{entry.blob, entry.tag} {
			if err == nil && oid != "" {
				_, err = s.typed(ctx, oid, "blob", maxArchivedRecord)
			}
		}
		if err != nil {
			return wrap("read back", want.name.Ref(), err)
		}
	}
	return nil
}
