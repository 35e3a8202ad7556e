package refs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// filesReader reads loose refs and packed-refs in this process. Loose refs are looked at before packed-refs
// is opened, so that a ref that git packs at this moment is seen in one place at least.
type filesReader struct {
	dir       string // dir is the common directory.
	file      packedCache
	oidLength int
	fallback  reader // fallback reads a packed-refs file that cannot be searched.
}

// looseHalf is the loose half.
func (r *filesReader) looseHalf() looseRefs {
	return looseRefs{dir: r.dir, oidLength: r.oidLength}
}

// openPacked opens the packed half.
func (r *filesReader) openPacked() (*packedRefs, error) { return openPacked(&r.file, r.oidLength) }

// resolveRef implements reader.
func (r *filesReader) resolveRef(ctx context.Context, ref string) (oid string, err error) {
	oid, state, err := r.looseHalf().readRef(ref)
	if err != nil {
		return "", wrap("read ref", ref, err)
	}
	switch state {
	case looseObject:
		return oid, nil
	case looseSymbolic:
		return "", wrap("read ref", ref, symbolicError{})
	case looseBroken:
		return "", wrap("read ref", ref, ErrCorrupt)
	case looseGone: // It may be packed.
	}
	packed, err := r.openPacked()
	if errors.Is(err, errUnsorted) {
		return r.fallback.resolveRef(ctx, ref)
	}
	if err != nil {
		return "", wrap("read ref", ref, err)
	}
	defer func() { err = errors.Join(err, packed.close()) }()
	oid, err = packed.lookupRef(ref)
	if errors.Is(err, errUnsorted) {
		return r.fallback.resolveRef(ctx, ref)
	}
	return oid, wrap("read ref", ref, err)
}

// listRefs implements reader.
func (r *filesReader) listRefs(ctx context.Context, prefix string, newest bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		loose, packed, err := r.openHalves(prefix)
		if errors.Is(err, errUnsorted) {
			r.fallback.listRefs(ctx, prefix, newest)(yield)
			return
		}
		if err != nil {
			yield(entry{}, wrap("list refs below", prefix, err))
			return
		}
		merge := merger{newest: newest, loose: loose, yield: func(ref, oid string) bool {
			return r.yieldEntry(ctx, entry{ref: ref, oid: oid}, yield)
		}}
		none := false
		if len(loose) == 0 {
			none, err = packed.isEmptyBelow(prefix)
		}
		if err == nil && !none {
			err = merge.mergeBelow(packed, prefix, "")
		}
		err = errors.Join(err, packed.close())
		if err != nil && !merge.stopped {
			yield(entry{}, wrap("list refs below", prefix, err))
		}
	}
}

// yieldEntry finds the object of a loose ref, which comes without one, and leaves out what is broken.
func (r *filesReader) yieldEntry(ctx context.Context, e entry, yield func(entry, error) bool) bool {
	if e.oid != "" {
		return yield(e, nil)
	}
	oid, err := r.resolveRef(ctx, e.ref)
	if errors.Is(err, ErrCorrupt) {
		return true
	}
	return yield(entry{ref: e.ref, oid: oid, loose: true}, err)
}

// listNames implements reader.
func (r *filesReader) listNames(ctx context.Context, prefix, from string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		loose, packed, err := r.openHalves(prefix)
		if errors.Is(err, errUnsorted) {
			r.fallback.listNames(ctx, prefix, from)(yield)
			return
		}
		if err != nil {
			yield("", wrap("list refs below", prefix, err))
			return
		}
		first, _ := slices.BinarySearch(loose, from)
		merge := merger{loose: loose[first:], yield: func(ref, _ string) bool { return yield(ref, nil) }}
		err = errors.Join(merge.mergeBelow(packed, prefix, from), packed.close())
		if err != nil && !merge.stopped {
			yield("", wrap("list refs below", prefix, err))
		}
	}
}

// openHalves reads the loose names and then opens packed-refs.
func (r *filesReader) openHalves(prefix string) ([]string, *packedRefs, error) {
	loose, err := r.looseHalf().listNames(prefix)
	if err != nil {
		return nil, nil, err
	}
	packed, err := r.openPacked()
	return loose, packed, err
}

// listRemotes implements reader.
func (r *filesReader) listRemotes(ctx context.Context) (found []string, err error) {
	found, err = r.looseHalf().listRemotes(TrackingRoot)
	if err != nil {
		return nil, wrap("list refs below", TrackingRoot, err)
	}
	packed, err := r.openPacked()
	if errors.Is(err, errUnsorted) {
		return r.fallback.listRemotes(ctx)
	}
	if err != nil {
		return nil, wrap("list refs below", TrackingRoot, err)
	}
	defer func() { err = errors.Join(err, packed.close()) }()
	inPacked, err := packed.askOnce("remotes", packed.listRemotes)
	found = append(found, inPacked...)
	slices.Sort(found)
	return slices.Compact(found), wrap("list refs below", TrackingRoot, err)
}

// listRemotes jumps from one kind of one remote to the next, without reading the records between.
func (p *packedRefs) listRemotes() ([]string, error) {
	var found []string
	for next := TrackingRoot; ; {
		at, err := p.searchName(next)
		if err != nil || at >= p.window.size {
			return found, err
		}
		_, name, _, err := p.readRecord(at)
		if err != nil || !strings.HasPrefix(string(name), TrackingRoot) {
			return found, err
		}
		next = string(name) + "\x00"
		if remote, record, ok := ParseTracking(string(name)); ok {
			found = append(found, remote)
			next = afterPrefix(TrackingRoot + remote + "/" + string(record.Kind) + "/")
		} else if remote, ok := parseTrackingArchive(string(name)); ok {
			found = append(found, remote)
		}
	}
}

// merger brings loose names and packed records into one order. Where both exist the loose one counts.
type merger struct {
	newest  bool
	loose   []string // loose is sorted in rising order; what was yielded is cut off.
	yield   func(ref, oid string) bool
	stopped bool
}

// mergeBelow visits everything below prefix, from the name from on when the order is rising.
func (m *merger) mergeBelow(packed *packedRefs, prefix, from string) error {
	start := max(prefix, from)
	if m.newest {
		start = afterPrefix(prefix)
	}
	at, err := packed.searchName(start)
	if err != nil {
		return err
	}
	visit := packed.visitForward
	if m.newest {
		visit = packed.visitBackward
	}
	if err := visit(at, prefix, m.yieldPacked); err != nil || m.stopped {
		return err
	}
	for len(m.loose) > 0 && !m.stopped {
		m.stopped = !m.yield(m.takeName(), "")
	}
	return nil
}

// yieldPacked yields the loose refs that come before a packed one, and then that one.
func (m *merger) yieldPacked(oid, name []byte) bool {
	for len(m.loose) > 0 {
		order := strings.Compare(m.peekName(), string(name))
		if m.newest {
			order = -order
		}
		if order > 0 {
			break
		}
		if m.stopped = !m.yield(m.takeName(), ""); m.stopped {
			return false
		}
		if order == 0 {
			return true
		}
	}
	m.stopped = !m.yield(string(name), string(oid))
	return !m.stopped
}

// peekName returns the loose name that comes next.
func (m *merger) peekName() string {
	if m.newest {
		return m.loose[len(m.loose)-1]
	}
	return m.loose[0]
}

// takeName takes that name away.
func (m *merger) takeName() string {
	name := m.peekName()
	if m.newest {
		m.loose = m.loose[:len(m.loose)-1]
	} else {
		m.loose = m.loose[1:]
	}
	return name
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
	case len(text) < l.oidLength || !isHex([]byte(text[:l.oidLength])):
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

// listRemotes returns the remotes that have a directory of loose tracking refs below dir, which ends in a
// slash.
func (l looseRefs) listRemotes(dir string) ([]string, error) {
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
		under, err := l.listRemotes(dir + file.Name() + "/")
		if err != nil {
			return nil, err
		}
		found = append(found, under...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
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
}

// firstPage and pageGrowth bound what is listed in vain when only the first few refs are wanted.
const (
	firstPage  = 64
	pageGrowth = 64
)

// listRefs implements reader. It asks for a few refs first and for more when they are wanted.
func (r *gitReader) listRefs(ctx context.Context, prefix string, newest bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		last, loose := "", r.repo.RefFormat == "files" // Git does not say which are.
		for limit := firstPage; ; limit *= pageGrowth {
			refs, err := r.repo.Refs(ctx, []string{prefix},
				git.ListOptions{Newest: newest, Limit: limit, NamesOnly: true})
			if err != nil {
				yield(entry{}, wrap("list refs below", prefix, err))
				return
			}
			full := len(refs) == limit
			for _, ref := range refs {
				seen := last != "" && (ref.Name == last || (ref.Name > last) == newest)
				if seen || ref.Symref != "" {
					continue
				}
				last = ref.Name
				if !yield(entry{ref: ref.Name, oid: ref.Object, loose: loose}, nil) {
					return
				}
			}
			if !full {
				return
			}
		}
	}
}

// listNames implements reader.
func (r *gitReader) listNames(ctx context.Context, prefix, from string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		refs, err := r.repo.Refs(ctx, []string{prefix}, git.ListOptions{NamesOnly: true})
		if err != nil {
			yield("", wrap("list refs below", prefix, err))
			return
		}
		for _, ref := range refs {
			if ref.Name >= from && !yield(ref.Name, nil) {
				return
			}
		}
	}
}

// resolveRef implements reader.
func (r *gitReader) resolveRef(ctx context.Context, ref string) (string, error) {
	refs, err := r.repo.Refs(ctx, []string{ref}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return "", wrap("read ref", ref, err)
	}
	for _, found := range refs {
		if found.Name == ref && found.Symref != "" {
			return "", wrap("read ref", ref, ErrCorrupt)
		}
		if found.Name == ref {
			return found.Object, nil
		}
	}
	return "", nil
}

// listRemotes implements reader.
func (r *gitReader) listRemotes(ctx context.Context) ([]string, error) {
	var found []string
	for name, err := range r.listNames(ctx, TrackingRoot, "") {
		if err != nil {
			return nil, err
		}
		remote, _, ok := ParseTracking(name)
		if !ok {
			remote, ok = parseTrackingArchive(name)
		}
		if ok && !slices.Contains(found, remote) {
			found = append(found, remote)
		}
	}
	slices.Sort(found)
	return found, nil
}
