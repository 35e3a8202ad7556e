package refs

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// mostRemembered is how many entries of archives are kept in memory before all are let go.
const mostRemembered = 200_000

// archiveReader reads objects, those of archives among them. It knows that the bytes of some tag objects lie
// in the blobs of an archive: such a tag need not be an object of this repository. What it was told once of
// archives it remembers: objects never change, so that this is never wrong.
type archiveReader struct {
	objects // of this repository

	mu      sync.Mutex
	trees   map[string][]git.TreeEntry // trees are the roots and the kinds, by object.
	folders map[string][]archived      // folders are by quarter, kind, name and object.
	tags    map[string]string          // tags tells which blob holds the bytes of a tag object.
	named   map[string]string          // named is the same the other way round.
	held    int                        // held is how many entries trees and folders have.
}

// rememberKept keeps something in one of the maps.
func rememberKept[T any](r *archiveReader, in map[string]T, key string, value T, entries int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held += entries; r.held > mostRemembered {
		clear(r.trees)
		clear(r.folders)
		r.held = entries
	}
	in[key] = value
}

// recallKept returns what rememberKept has kept.
func recallKept[T any](r *archiveReader, in map[string]T, key string) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, ok := in[key]
	return value, ok
}

// readTyped reads an object that has to be of one type and its own name, at most limit bytes of it.
func (r *archiveReader) readTyped(ctx context.Context, oid, want string, limit int64) ([]byte, error) {
	typ, data, err := r.objects.readObject(ctx, oid, limit)
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

// readTree reads a tree that holds nothing but folders.
func (r *archiveReader) readTree(ctx context.Context, oid string) ([]git.TreeEntry, error) {
	if known, ok := recallKept(r, r.trees, oid); ok {
		return known, nil
	}
	data, err := r.readTyped(ctx, oid, "tree", maxArchiveTree)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data, len(oid))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Mode != modeFolder {
			return nil, fmt.Errorf("tree %s: %s %q is no folder: %w", oid, e.Mode, e.Name, ErrArchive)
		}
	}
	rememberKept(r, r.trees, oid, entries, len(entries))
	return entries, nil
}

// kindsIn returns the folders of all kinds in an archive.
func (r *archiveReader) kindsIn(ctx context.Context, a Archive) ([]git.TreeEntry, error) {
	key := a.quarter() + "/" + a.Commit
	if known, ok := recallKept(r, r.trees, key); ok {
		return known, nil
	}
	data, err := r.readTyped(ctx, a.Commit, "commit", maxArchiveCommit)
	if err != nil {
		return nil, err
	}
	// A commit that archiveCommit would not write is refused: parents would keep alive what was purged.
	tree, _, ok := strings.Cut(strings.TrimPrefix(string(data), "tree "), "\n")
	if !ok || !git.IsHex(tree) {
		return nil, fmt.Errorf("commit: %w", ErrArchive)
	}
	if !bytes.Equal(data, archiveCommit(tree, a.quarter())) {
		return nil, fmt.Errorf("commit: it is not in the form of one of an archive: %w", ErrArchive)
	}
	entries, err := r.readTree(ctx, tree)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if kind := Kind(e.Name); !kind.isKnown() && kind != endorsements {
			return nil, fmt.Errorf("folder %q is of no kind: %w", e.Name, ErrArchive)
		}
	}
	rememberKept(r, r.trees, key, entries, len(entries))
	return entries, nil
}

// foldersIn returns the folders of one kind in an archive; none where it holds no such records.
func (r *archiveReader) foldersIn(ctx context.Context, a Archive, kind Kind) ([]git.TreeEntry, error) {
	kinds, err := r.kindsIn(ctx, a)
	if err != nil {
		return nil, err
	}
	for _, e := range kinds {
		if e.Name != string(kind) {
			continue
		}
		folders, err := r.readTree(ctx, e.OID)
		if len(folders) > mostArchived ||
			slices.ContainsFunc(folders, func(f git.TreeEntry) bool { return !isFolder(f.Name) }) {
			return nil, fmt.Errorf("tree %s: it holds other folders than those of %s: %w", e.OID, kind,
				ErrArchive)
		}
		return folders, err
	}
	return nil, nil
}

// readFolder reads one folder of an archive.
func (r *archiveReader) readFolder(ctx context.Context, a Archive, kind Kind,
	folder git.TreeEntry,
) ([]archived, error) {
	key := strings.Join([]string{a.quarter(), string(kind), folder.Name, folder.OID}, "/")
	if known, ok := recallKept(r, r.folders, key); ok {
		return known, nil
	}
	data, err := r.readTyped(ctx, folder.OID, "tree", maxArchiveTree)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data, len(folder.OID))
	if err != nil {
		return nil, err
	}
	found, err := parseFolder(kind, folder.Name, entries)
	if err != nil {
		return nil, err
	}
	switch n := len(found); {
	case n > mostArchived:
		return nil, fmt.Errorf("folder %q holds more than %d entries: %w", folder.Name, mostArchived, ErrArchive)
	case quarterOf(found[0].name.ID) != a.quarter(), quarterOf(found[n-1].name.ID) != a.quarter():
		return nil, fmt.Errorf("folder %q holds what is not of %s: %w", folder.Name, a.quarter(), ErrArchive)
	}
	rememberKept(r, r.folders, key, found, len(found))
	return found, nil
}

// walkArchive yields what an archive holds of one kind, within the bounds of a query, and opens only the
// folders that this takes. After the error of one folder it goes on with the next if the caller does.
func (r *archiveReader) walkArchive(ctx context.Context, a Archive, q Query) iter.Seq2[archived, error] {
	return func(yield func(archived, error) bool) {
		folders, err := r.foldersIn(ctx, a, q.Kind)
		if err != nil {
			yield(archived{}, err)
			return
		}
		seen := 0
		for _, folder := range inOrder(folders, q) {
			if q.only != "" && folder.Name != q.only || q.After != "" && folder.Name < archiveFolder(q.After) {
				continue
			}
			found, err := r.readFolder(ctx, a, q.Kind, folder)
			if seen += len(found); seen > mostArchived {
				yield(archived{}, fmt.Errorf("it holds more than %d of %s: %w", mostArchived, q.Kind,
					ErrArchive))
				return
			}
			if err != nil && !yield(archived{}, err) {
				return
			}
			for _, entry := range inOrder(found, q) {
				if entry.name.ID > q.After && !yield(entry, nil) {
					return
				}
			}
		}
	}
}

// inOrder yields a slice in the order of a query.
func inOrder[T any](items []T, q Query) iter.Seq2[int, T] {
	if q.Newest {
		return slices.Backward(items)
	}
	return slices.All(items)
}

// searchArchive finds one record or later signature in an archive.
func (r *archiveReader) searchArchive(ctx context.Context, a Archive, name Name) (archived, bool, error) {
	for entry, err := range r.walkArchive(ctx, a, Query{Kind: name.Kind, only: archiveFolder(name.ID)}) {
		if err != nil || entry.name == name {
			return entry, err == nil, err
		}
	}
	return archived{}, false, nil
}

// readContents returns all that an archive holds.
func (r *archiveReader) readContents(ctx context.Context, a Archive) (map[Name]archived, error) {
	held := map[Name]archived{}
	for _, kind := range archivedKinds() {
		for entry, err := range r.walkArchive(ctx, a, Query{Kind: kind}) {
			if err != nil {
				return nil, err
			}
			held[entry.name] = entry
		}
	}
	return held, nil
}

// readObject is the one of objects.
func (r *archiveReader) readObject(ctx context.Context, oid string,
	limit int64,
) (typ string, data []byte, err error) {
	blob, kept := recallKept(r, r.tags, oid)
	if !kept {
		return r.objects.readObject(ctx, oid, limit)
	}
	if typ, data, err = r.objects.readObject(ctx, blob, limit); typ == "blob" {
		typ = "tag"
	}
	return typ, data, err
}

// objectOf returns the object that a ref of the entry would name: that of the tag, or else the blob. It reads
// the bytes of the tag once, and remembers where they lie.
func (r *archiveReader) objectOf(ctx context.Context, entry archived) (string, error) {
	if entry.tag == "" {
		return entry.blob, nil
	}
	if oid, ok := recallKept(r, r.named, entry.tag); ok {
		return oid, nil
	}
	tag, err := r.readTyped(ctx, entry.tag, "blob", maxTag)
	if err != nil {
		return "", fmt.Errorf("tag of %q: %w", entry.name.tail(), err)
	}
	named, ok := taggedBlob(tag)
	if !ok || (entry.blob != "" && named != entry.blob) || len(named) != len(entry.tag) {
		return "", fmt.Errorf("tag of %q: it names another object: %w", entry.name.tail(), ErrArchive)
	}
	oid := hashObject(len(entry.tag), "tag", tag)
	rememberKept(r, r.named, entry.tag, oid, 0)
	rememberKept(r, r.tags, oid, entry.tag, 0)
	return oid, nil
}

// archivedRefs yields what an archive holds of one kind as refs. The error of one entry does not
// end it if the caller goes on.
func (r *archiveReader) archivedRefs(ctx context.Context, a Archive, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for entry, err := range r.walkArchive(ctx, a, q) {
			object := ""
			if err == nil {
				object, err = r.objectOf(ctx, entry)
			}
			if !yield(Ref{Name: entry.name, Remote: a.Remote, Object: object, Archive: a.Name}, err) {
				return
			}
		}
	}
}

// inArchives finds what archives hold under one name. What is damaged is passed over.
func (r *archiveReader) inArchives(ctx context.Context, in []Archive, name Name) []Ref {
	var found []Ref
	quarter := quarterOf(name.ID)
	for _, a := range in {
		if a.quarter() != quarter {
			continue
		}
		entry, ok, err := r.searchArchive(ctx, a, name)
		object := ""
		if ok && err == nil {
			object, err = r.objectOf(ctx, entry)
		}
		if ok && err == nil {
			found = append(found, Ref{Name: name, Remote: a.Remote, Object: object, Archive: a.Name})
		}
	}
	return found
}

// archivedRecords yields the records of one kind in an archive, for a listing. What is damaged is passed
// over.
func (r *archiveReader) archivedRecords(ctx context.Context, a Archive, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for ref, err := range r.archivedRefs(ctx, a, q) {
			switch {
			case err != nil && ctx.Err() != nil:
				yield(Ref{}, context.Cause(ctx))
				return
			case err == nil && !yield(ref, nil):
				return
			}
		}
	}
}

// The bounds of an archive. What others put into one is hostile.
const (
	maxArchiveCommit = 1024
	maxArchiveTree   = 2 * 1024 * 1024
	mostArchived     = 8_000 // mostArchived is how many entries of one kind an archive may hold.
	mergedArchive    = 4_000 // mergedArchive is how many entries an archive gets that others are merged into.
	smallArchive     = 2_000 // smallArchive is up to how many entries an archive is merged into a larger one.
)

// The modes that an archive's trees may hold.
const (
	modeFolder = "40000"
	modeFile   = "100644"
)

// The ends of the names of files in an archive.
const (
	recordSuffix = ".json"
	tagSuffix    = ".tag"
)

// parseTree reads a tree object. One whose names do not rise, so that two could be the same, is
// refused, and so is an empty one: what an archive holds has one encoding.
func parseTree(data []byte, oidLength int) ([]git.TreeEntry, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("tree: it is empty: %w", ErrArchive)
	}
	var entries []git.TreeEntry
	last := ""
	for e, err := range git.TreeEntries(data, oidLength/2) {
		if err != nil {
			return nil, fmt.Errorf("tree: %w: %w", err, ErrArchive)
		}
		if e.Name <= last {
			return nil, fmt.Errorf("tree: %q stands twice or in the wrong place: %w", e.Name, ErrArchive)
		}
		last = e.Name
		entries = append(entries, e)
	}
	return entries, nil
}

// encodeTree writes a tree object. The names of an archive's trees are in the order of git when they are in
// that of bytes, because no tree holds both files and folders, and no name begins with another one.
func encodeTree(entries []git.TreeEntry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b git.TreeEntry) int { return strings.Compare(a.Name, b.Name) })
	var tree bytes.Buffer
	for _, e := range entries {
		oid, err := hex.DecodeString(e.OID)
		if err != nil {
			return nil, fmt.Errorf("tree entry %q: %w", e.Name, err)
		}
		tree.WriteString(e.Mode + " " + e.Name + "\x00")
		tree.Write(oid)
	}
	return tree.Bytes(), nil
}

// archiveCommit writes the commit of an archive. It is a function of the quarter and the tree: its
// time is when the quarter begins. So clones that archive the same records make the same commit.
func archiveCommit(tree, quarter string) []byte {
	begin, _ := beginOf(quarter)
	person := fmt.Sprintf("git-ltm <git-ltm@localhost> %d +0000", begin.Unix())
	return fmt.Appendf(nil, "tree %s\nauthor %s\ncommitter %s\n\nltm archive %s\n", tree, person, person,
		quarter)
}

// archived is a record or a later signature in an archive.
type archived struct {
	name Name
	blob string // blob is the record; a later signature has none here.
	tag  string // tag is the blob that holds the bytes of the tag object, "" for a record without one.
}

// archivedName reads the name of a file in a folder of an archive: "<ULID>.json", "<ULID>.tag" or
// "<ULID>.<key>.tag".
func archivedName(kind Kind, folder, file string) (name Name, suffix string, ok bool) {
	suffix = recordSuffix
	stem, ok := strings.CutSuffix(file, suffix)
	if !ok {
		suffix = tagSuffix
		stem, ok = strings.CutSuffix(file, suffix)
	}
	if ok && kind == endorsements {
		name, ok = parseEndorsement(endorsements + "/" + strings.Replace(stem, ".", "/", 1))
		ok = ok && suffix == tagSuffix
	} else if ok {
		name, ok = parseTail(string(kind) + "/" + stem)
	}
	return name, suffix, ok && archiveFolder(name.ID) == folder
}

// fileName is the name of a file of the entry.
func (a archived) fileName(suffix string) string {
	if a.name.Key != "" {
		return string(a.name.ID) + "." + a.name.Key + suffix
	}
	return string(a.name.ID) + suffix
}

// archiveFolder is the folder of an ID inside a kind. IDs begin with their time, so that the newest lie
// together.
func archiveFolder(id packet.ID) string { return string(id)[:5] }

// parseFolder reads what one folder of an archive holds, in the order of the names. A tag beside no record is
// refused.
func parseFolder(kind Kind, folder string, entries []git.TreeEntry) ([]archived, error) {
	found := make([]archived, 0, len(entries))
	for _, e := range entries {
		name, suffix, ok := archivedName(kind, folder, e.Name)
		if !ok || e.Mode != modeFile {
			return nil, fmt.Errorf("folder %q: %s %q is not a file of an archive: %w", folder, e.Mode, e.Name,
				ErrArchive)
		}
		switch last := len(found) - 1; {
		case suffix == recordSuffix:
			found = append(found, archived{name: name, blob: e.OID})
		case kind == endorsements:
			found = append(found, archived{name: name, tag: e.OID})
		case last >= 0 && found[last].name == name:
			found[last].tag = e.OID
		default:
			return nil, fmt.Errorf("folder %q: %q stands beside no record: %w", folder, e.Name, ErrArchive)
		}
	}
	return found, nil
}

// isFolder reports whether text can be the name of a folder inside a kind.
func isFolder(text string) bool {
	_, err := packet.ParseID(text + "000000000000000000000")
	return len(text) == 5 && err == nil
}
