package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Files returns those of the named files that lie directly in a folder of a commit, by their names. The
// commit is a whole id; one that is not here is ErrMissing. Links and folders are left out, and no such
// folder is no file. A file of more than limit bytes is a [TooLargeError].
func (r *Repo) Files(ctx context.Context, commit, folder string, limit int64,
	names ...string,
) (files map[string][]byte, err error) {
	places := make([]Place, len(names))
	for i, name := range names {
		places[i] = Place{Commit: commit, Path: folder + "/" + name}
	}
	objects, err := r.Objects(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", commit+":"+folder, err)
	}
	defer func() { err = errors.Join(err, objects.Close()) }()
	found, err := FindPlaces(places, objects.Read)
	files = map[string][]byte{}
	for i, at := range found {
		if errors.Is(at.Err, ErrNoPath) || at.Err == nil && !strings.HasPrefix(at.Mode, "100") {
			continue
		}
		if err = at.Err; err == nil {
			_, files[names[i]], err = objects.Read(at.OID, limit)
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", commit+":"+folder, err)
	}
	return files, nil
}

// TreeFile is a file of a commit.
type TreeFile struct{ Path, Object string }

// TreeFiles lists the files of a commit in all its folders, but no links. The commit is a whole id; one that
// is not here is ErrMissing.
func (r *Repo) TreeFiles(ctx context.Context, commit string) (files []TreeFile, err error) {
	if !IsObjectID(commit) {
		return nil, fmt.Errorf("list files of %q: %w", commit, ErrMissing)
	}
	out, err := r.run.readOutput(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", commit, "--")
	if exitCode(err) > 0 {
		err = ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("list files of %q: %w", commit, err)
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		about, path, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); len(fields) == 3 && strings.HasPrefix(fields[0], "100") {
			files = append(files, TreeFile{Path: path, Object: fields[2]})
		}
	}
	return files, nil
}

// Changes returns the commits that changed something in a folder between two commits, oldest first, along the
// first parents. Both are whole ids, else the error is ErrMissing. The older one has to be an ancestor of the
// newer.
func (h History) Changes(ctx context.Context, older, newer, folder string) ([]string, error) {
	if !IsObjectID(older) || !IsObjectID(newer) {
		return nil, fmt.Errorf("list changes of %q: %w", folder, ErrMissing)
	}
	out, err := h.repo.run.readOutput(ctx, nil, "rev-list", "--first-parent", "--reverse", older+".."+newer,
		"--", ":(top)"+folder)
	if err != nil {
		return nil, fmt.Errorf("list changes of %q: %w", folder, err)
	}
	return strings.Fields(string(out)), nil
}

// MergesBeside returns the merges of history that has a change with history that has base and not the change,
// up to tip. All are whole ids; base is an ancestor of the change, and that one of tip.
func (h History) MergesBeside(ctx context.Context, base, change, tip string) ([]string, error) {
	if !IsObjectID(base) || !IsObjectID(change) || !IsObjectID(tip) {
		return nil, fmt.Errorf("list merges: %w", ErrMissing)
	}
	behind, err := h.repo.run.readOutput(ctx, nil, "rev-list", "--ancestry-path", "--parents", change+".."+tip)
	if err != nil {
		return nil, fmt.Errorf("list merges: %w", err)
	}
	all, err := h.repo.run.readOutput(ctx, nil, "rev-list", "--ancestry-path", base+".."+tip)
	if err != nil {
		return nil, fmt.Errorf("list merges: %w", err)
	}
	beside := map[string]bool{base: true}
	for id := range strings.FieldsSeq(string(all)) {
		beside[id] = true
	}
	delete(beside, change)
	for line := range strings.Lines(string(behind)) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		delete(beside, id)
	}
	var found []string
	for line := range strings.Lines(string(behind)) {
		ids := strings.Fields(line)
		if slices.ContainsFunc(ids[1:], func(id string) bool { return beside[id] }) {
			found = append(found, ids[0])
		}
	}
	return found, nil
}

// Parent returns the first parent of a commit, or nothing where none is here: a shallow clone ends somewhere.
// The commit is a whole id.
func (h History) Parent(ctx context.Context, commit string) (string, error) {
	if !IsObjectID(commit) {
		return "", fmt.Errorf("find parent of %q: %w", commit, ErrMissing)
	}
	parent, err := h.repo.findObject(ctx, commit+"^1")
	if errors.Is(err, ErrMissing) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find parent of %q: %w", commit, err)
	}
	return parent, nil
}

// TreeEntry is an entry of a tree object.
type TreeEntry struct {
	Mode string // as git writes it: "40000" for a tree
	Name string // as hostile as it may be
	OID  string // in hexadecimal
}

// TreeEntries yields the entries of a tree object, in its order: a mode, a blank, a name, a zero byte, and
// the bytes of the object's name, which are so many. One that does not end is an error, and the last that is
// yielded.
func TreeEntries(data []byte, oidBytes int) iter.Seq2[TreeEntry, error] {
	return func(yield func(TreeEntry, error) bool) {
		for len(data) > 0 {
			head, rest, ok := bytes.Cut(data, []byte{0})
			mode, name, named := strings.Cut(string(head), " ")
			if !ok || !named || len(rest) < oidBytes {
				yield(TreeEntry{}, fmt.Errorf("entry %s does not end", strconv.Quote(name)))
				return
			}
			if !yield(TreeEntry{mode, name, hex.EncodeToString(rest[:oidBytes])}, nil) {
				return
			}
			data = rest[oidBytes:]
		}
	}
}

// File returns a file as it is in a revision: at most limit bytes of it. A revision or a path that is not
// here is ErrMissing. The revision is the full name of a ref, a whole id, or a short name that fits one ref
// alone, and steps behind it such as "~2"; else it is an error.
func (r *Repo) File(ctx context.Context, revision, path string, limit int64) (data []byte, err error) {
	subject := revision + ":" + path
	if revision == "" || path == "" {
		return nil, fmt.Errorf("read %q: it names no file of a revision", subject)
	}
	oid, err := r.resolveStrictly(ctx, revision)
	if err == nil {
		oid, err = r.findObject(ctx, oid+":"+path)
	}
	var objects *Batch
	if err == nil {
		objects, err = r.Objects(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	defer func() { err = errors.Join(err, objects.Close()) }()
	typ, data, err := objects.Read(oid, limit)
	if err == nil && typ != "blob" {
		err = fmt.Errorf("it is a %s", typ)
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	return data, nil
}

// WriteObject stores an object so that it survives a power cut, and returns its name. A tag is checked as
// strictly as git checks the tags that it makes.
func (r *Repo) WriteObject(ctx context.Context, typ string, data []byte) (string, error) {
	args := []string{"-c", "core.fsync=loose-object", "-c", "core.fsyncMethod=fsync"}
	switch typ {
	case "tag":
		args = append(args, "mktag")
	case "blob", "tree", "commit":
		args = append(args, "hash-object", "-w", "--stdin", "-t", typ)
	default:
		return "", fmt.Errorf("write object: unknown type %q", typ)
	}
	out, err := r.run.readOutput(ctx, bytes.NewReader(data), args...)
	if err != nil {
		return "", fmt.Errorf("write object: %w", err)
	}
	oid := strings.TrimSuffix(string(out), "\n")
	if !IsObjectID(oid) {
		return "", fmt.Errorf("write object: git answered %q", oid)
	}
	return oid, nil
}

// The bounds of the commits and trees that a search for a path reads. A larger one counts as missing.
const (
	maxCommit = 1 << 20
	maxTree   = 8 << 20
)

// ErrNoPath says that a commit is here and holds nothing at a path.
var ErrNoPath = errors.New("no such path in the commit")

// Place is a file or a folder as it was in a commit.
type Place struct {
	Commit string // Commit is required: a whole id.
	// Path is required: relative to the top, with forward slashes. It is compared byte for byte.
	Path string
}

// Standing is what a commit holds at a place.
type Standing struct {
	OID  string
	Mode string // Mode is as in a tree: 100644, 120000 of a link, 40000 of a folder.
	// Err is ErrMissing where the commit cannot be read, and ErrNoPath where it holds nothing there.
	Err error
}

// FindPlaces finds what commits hold at some places, in the order of the questions. Only names of objects
// are asked for, so that no path can be taken for anything else, by a function that reads as [Batch.Read] does. It
// fails where that does, but for objects that are missing or too large.
func FindPlaces(places []Place, read func(oid string, limit int64) (string, []byte, error)) ([]Standing, error) {
	l := lookup{read: read, tops: map[string]Standing{}, trees: map[string]tree{}}
	found := make([]Standing, len(places))
	for i, p := range places {
		var err error
		if found[i], err = l.findPlace(p); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// lookup walks from commits to paths, and reads each object once.
type lookup struct {
	read  func(oid string, limit int64) (string, []byte, error)
	tops  map[string]Standing
	trees map[string]tree
}

// tree is the entries of a folder by their names, or why it cannot be read.
type tree struct {
	entries map[string]Standing
	err     error
}

// findPlace goes down from the top of a commit.
func (l *lookup) findPlace(p Place) (Standing, error) {
	at, err := l.topOf(p.Commit)
	for left := strings.TrimSuffix(p.Path, "/"); err == nil && at.Err == nil && left != ""; {
		if at.Mode != modeFolder {
			at.Err = ErrNoPath
			break
		}
		var folder tree
		folder, err = l.readTree(at.OID)
		var name string
		name, left, _ = strings.Cut(left, "/")
		next, ok := folder.entries[name]
		switch {
		case folder.err != nil:
			next.Err = folder.err
		case !ok:
			next.Err = ErrNoPath
		}
		at = next
	}
	return at, err
}

// topOf is the tree that a commit names in its first line.
func (l *lookup) topOf(commit string) (Standing, error) {
	if top, known := l.tops[commit]; known {
		return top, nil
	}
	typ, data, err := l.read(commit, maxCommit)
	if err != nil && !IsUnread(err) {
		return Standing{}, err
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	oid, ok := strings.CutPrefix(string(line), "tree ")
	top := Standing{OID: oid, Mode: modeFolder}
	if err != nil || typ != "commit" || !ok || !IsObjectID(oid) {
		top = Standing{Err: fmt.Errorf("commit %q: %w", commit, ErrMissing)}
	}
	l.tops[commit] = top
	return top, nil
}

// modeFolder is the mode of a tree within a tree.
const modeFolder = "40000"

// readTree reads the entries of a tree.
func (l *lookup) readTree(oid string) (tree, error) {
	if t, known := l.trees[oid]; known {
		return t, nil
	}
	typ, data, err := l.read(oid, maxTree)
	if err != nil && !IsUnread(err) {
		return tree{}, err
	}
	t := tree{entries: map[string]Standing{}}
	if err != nil || typ != "tree" {
		t.err = fmt.Errorf("read tree: %w", errors.Join(ErrMissing, err))
	}
	for e, err := range TreeEntries(data, len(oid)/2) {
		if err != nil {
			t.err = fmt.Errorf("read tree: %w: %w", ErrMissing, err)
		}
		t.entries[e.Name] = Standing{OID: e.OID, Mode: e.Mode}
	}
	l.trees[oid] = t
	return t, nil
}
