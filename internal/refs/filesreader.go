package refs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// filesReader reads loose refs and packed-refs in this process. Loose refs are looked at before packed-refs
// is opened, so that a ref that git packs at this moment is seen in one place at least.
type filesReader struct {
	looseRefs

	packed   packedCache
	fallback reader // fallback reads a packed-refs file that cannot be searched.
}

// resolveRef implements reader.
func (r *filesReader) resolveRef(ctx context.Context, ref string) (oid string, err error) {
	oid, state, err := r.readRef(ref)
	switch {
	case err != nil:
		return "", wrap("read ref", ref, err)
	case state == looseObject:
		return oid, nil
	case state == looseSymbolic:
		return "", wrap("read ref", ref, symbolicError{})
	case state == looseBroken:
		return "", wrap("read ref", ref, ErrCorrupt)
	}
	packed, err := r.packed.useFile()
	if err == nil {
		oid, err = packed.lookupRef(ref)
		runtime.KeepAlive(packed)
	}
	if errors.Is(err, errUnsorted) {
		return r.fallback.resolveRef(ctx, ref)
	}
	return oid, wrap("read ref", ref, err)
}

// pullRefs implements reader. Where a loose ref and a packed one have the same name the loose one counts.
func (r *filesReader) pullRefs(ctx context.Context, q scan) (puller[entry], error) {
	loose, err := r.listNames(q.prefix)
	var packed *packedRefs
	if err == nil {
		packed, err = r.packed.useFile()
	}
	if errors.Is(err, errUnsorted) {
		return r.fallback.pullRefs(ctx, q)
	}
	if err != nil {
		return puller[entry]{}, wrap("list refs below", q.prefix, err)
	}
	compare := strings.Compare
	if q.newest {
		slices.Reverse(loose)
		compare = func(a, b string) int { return strings.Compare(b, a) }
	}
	none := false
	if len(loose) == 0 {
		none, err = packed.isEmptyBelow(q.prefix)
	}
	pullPacked := packed.pullRecords(q)
	var oid, name []byte // the record of the packed refs that comes next, where it is known
	pull := func() (entry, error, bool) {
		for {
			if err == nil && !none && name == nil {
				oid, name, err = pullPacked()
				none = name == nil
			}
			if err != nil {
				failed := wrap("list refs below", q.prefix, err)
				none, loose, err = true, nil, nil
				return entry{}, failed, true
			}
			order := -1
			if len(loose) == 0 {
				order = 1
			} else if name != nil {
				order = compare(loose[0], string(name))
			}
			if order > 0 {
				e := entry{ref: string(name), oid: string(oid)}
				ok := name != nil
				name = nil
				return e, nil, ok
			}
			if order == 0 {
				name = nil
			}
			e := entry{ref: loose[0], loose: true}
			var broken error
			if loose = loose[1:]; !q.names {
				e.oid, broken = r.resolveRef(ctx, e.ref)
			}
			if !errors.Is(broken, ErrCorrupt) {
				return e, broken, true
			}
		}
	}
	return puller[entry]{pull, func() { runtime.KeepAlive(packed) }}, nil
}

// usualLine is room for a line of packed-refs.
const usualLine = 128

// listBelow lists what listRefs yields of a place, and takes the lines of packed-refs as they are.
func (r *filesReader) listBelow(ctx context.Context, place string) (git.RefList, error) {
	loose, err := r.listNames(place)
	if err != nil {
		return git.RefList{}, err
	}
	packed, err := r.packed.useFile()
	if err != nil {
		return git.RefList{}, err
	}
	var text strings.Builder
	if err := packed.copyBelow(place, &text, len(loose)*usualLine); err != nil {
		return git.RefList{}, err
	}
	runtime.KeepAlive(packed)
	records := strings.Count(text.String(), "\n") - strings.Count(text.String(), "\n^")
	gone := map[string]bool{}
	for _, name := range loose {
		oid, err := r.resolveRef(ctx, name)
		if err != nil && !errors.Is(err, ErrCorrupt) {
			return git.RefList{}, err
		}
		if gone[name] = oid == ""; oid != "" {
			writeLine(&text, name, oid)
			records++
		}
	}
	list := git.ReadRefList(text.String(), func(name, _ string) bool {
		records--
		return !gone[name]
	})
	if records != 0 {
		return git.RefList{}, errUnsorted // A line is no record.
	}
	trace.Refs.Add(list.Len())
	return list, nil
}

// listRemotes implements reader.
func (r *filesReader) listRemotes(ctx context.Context) ([]string, error) {
	found, err := r.looseRemotes(TrackingRoot)
	var packed *packedRefs
	if err == nil {
		packed, err = r.packed.useFile()
	}
	if err == nil {
		var inPacked []string
		inPacked, err = packed.askOnce("remotes", packed.listRemotes)
		found = append(found, inPacked...)
		runtime.KeepAlive(packed)
	}
	if errors.Is(err, errUnsorted) {
		return r.fallback.listRemotes(ctx)
	}
	slices.Sort(found)
	return slices.Compact(found), wrap("list refs below", TrackingRoot, err)
}

// looseState is what a loose ref file holds.
type looseState int

const (
	looseGone     looseState = iota // looseGone says that there is no file.
	looseObject                     // looseObject is an ordinary ref.
	looseSymbolic                   // looseSymbolic names another ref; it is never followed.
	looseBroken                     // looseBroken is empty or garbage.
)

// maxLoose bounds how much of a loose ref file is read; a good one holds an object name.
const maxLoose = 4096

// looseRefs reads the loose ref files of one repository.
type looseRefs struct {
	dir       string // dir is the common directory.
	oidLength int
}

// refPath is the file of a ref.
func (l looseRefs) refPath(ref string) string {
	return filepath.Join(l.dir, filepath.FromSlash(ref))
}

// readRef returns what a loose ref holds.
func (l looseRefs) readRef(ref string) (oid string, state looseState, err error) {
	text, err := l.readText(ref)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) {
		return "", looseGone, nil
	}
	if err != nil {
		return "", looseBroken, err
	}
	switch {
	case strings.HasPrefix(text, "ref:"):
		return "", looseSymbolic, nil
	case len(text) < l.oidLength || !git.IsHex(text[:l.oidLength]):
		return "", looseBroken, nil
	case len(text) > l.oidLength && !strings.ContainsAny(text[l.oidLength:l.oidLength+1], " \t\n\r\v\f"):
		return "", looseBroken, nil
	}
	return text[:l.oidLength], looseObject, nil
}

// readText returns the beginning of a loose ref file.
func (l looseRefs) readText(ref string) (string, error) {
	file, err := os.Open(l.refPath(ref))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxLoose))
	return string(text), errors.Join(err, file.Close())
}

// listNames returns the loose refs whose names begin with prefix, which ends in a slash, sorted. Lock files
// of git are no refs.
func (l looseRefs) listNames(prefix string) ([]string, error) {
	found, err := l.appendBelow(nil, prefix)
	slices.Sort(found)
	return found, err
}

// appendBelow appends what lies in one directory and in those under it.
func (l looseRefs) appendBelow(found []string, prefix string) ([]string, error) {
	files, err := os.ReadDir(l.refPath(prefix))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	for _, file := range files {
		name := file.Name()
		switch {
		case file.IsDir():
			if found, err = l.appendBelow(found, prefix+name+"/"); err != nil {
				return found, err
			}
		case !strings.HasSuffix(name, ".lock"):
			trace.Refs.Add(1)
			found = append(found, prefix+name)
		}
	}
	return found, nil
}

// looseRemotes returns the remotes that have a directory of loose tracking refs below dir, which ends in a
// slash.
func (l looseRefs) looseRemotes(dir string) ([]string, error) {
	files, err := os.ReadDir(l.refPath(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []string
	remote := strings.TrimSuffix(strings.TrimPrefix(dir, TrackingRoot), "/")
	for _, file := range files {
		if !file.IsDir() {
			continue
		}
		kind := Kind(file.Name())
		records := kind.isKnown() || kind == endorsements
		if remote != "" && SafeRemote(remote) &&
			(records || kind == archives && l.holdsArchive(dir+archives)) {
			found = append(found, remote)
		}
		if remote != "" && records {
			continue
		}
		under, err := l.looseRemotes(dir + file.Name() + "/")
		if err != nil {
			return nil, err
		}
		found = append(found, under...)
	}
	return found, nil
}

// holdsArchive reports whether a directory of loose tracking refs holds an archive. A remote's name may end
// as it does.
func (l looseRefs) holdsArchive(dir string) bool {
	names, err := l.listNames(dir + "/")
	return err == nil &&
		slices.ContainsFunc(names, func(name string) bool { return isArchive(name[len(dir)+1:]) })
}

// gitReader asks the git program for refs.
type gitReader struct {
	repo *git.Repo

	mu     sync.Mutex
	tables string               // what tables.list said when the answers were given
	given  map[string][]git.Ref // the answers, by what was asked
}

// mostGiven is of how many refs an answer is kept.
const mostGiven = 1000

// readRefs lists the refs that a pattern names. What was asked before is answered from memory as long as
// reftable/tables.list names the same tables: none is ever changed, and no name of one comes back (git's
// reftable.txt, "Update transactions").
func (r *gitReader) readRefs(ctx context.Context, pattern string) ([]git.Ref, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tables, err := os.ReadFile(filepath.Join(r.repo.CommonDir, "reftable", "tables.list"))
	if err != nil || r.repo.RefFormat != "reftable" {
		return r.repo.Refs(ctx, pattern)
	}
	if r.tables != string(tables) || r.given == nil {
		r.tables, r.given = string(tables), map[string][]git.Ref{}
	}
	refs, ok := r.given[pattern]
	if !ok {
		if refs, err = r.repo.Refs(ctx, pattern); err == nil && len(refs) <= mostGiven {
			r.given[pattern] = refs
		}
	}
	return refs, err
}

// pullRefs implements reader.
func (r *gitReader) pullRefs(ctx context.Context, q scan) (puller[entry], error) {
	refs, err := r.readRefs(ctx, q.prefix)
	if err != nil {
		return puller[entry]{}, wrap("list refs below", q.prefix, err)
	}
	if q.newest {
		refs = slices.Clone(refs)
		slices.Reverse(refs)
	}
	loose := r.repo.RefFormat == "files" // Git does not say which are.
	return puller[entry]{func() (e entry, err error, ok bool) {
		for len(refs) > 0 && !ok {
			ref := refs[0]
			refs = refs[1:]
			e = entry{ref: ref.Name, oid: ref.Object, loose: loose, symbolic: ref.Symref != ""}
			ok = q.names || !e.symbolic
		}
		return e, nil, ok
	}, func() {}}, nil
}

// resolveRef implements reader.
func (r *gitReader) resolveRef(ctx context.Context, ref string) (string, error) {
	refs, err := r.readRefs(ctx, ref)
	for _, found := range refs {
		switch {
		case found.Name != ref:
		case found.Symref != "":
			return "", wrap("read ref", ref, ErrCorrupt)
		default:
			return found.Object, nil
		}
	}
	return "", wrap("read ref", ref, err)
}

// listRemotes implements reader.
func (r *gitReader) listRemotes(ctx context.Context) ([]string, error) {
	var found []string
	for e, err := range listRefs(ctx, r, scan{prefix: TrackingRoot, names: true}) {
		if err != nil {
			return nil, err
		}
		if remote := remoteOf(e.ref); remote != "" && !slices.Contains(found, remote) {
			found = append(found, remote)
		}
	}
	slices.Sort(found)
	return found, nil
}
