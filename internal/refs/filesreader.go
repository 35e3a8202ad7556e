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

// filesReader reads loose refs and packed-refs in this process. Loose refs are looked at before packed-refs is
// opened, so that a ref that git packs at this moment is seen in one place at least.
type filesReader struct {
	dir       string // dir is the common directory.
	file      packedCache
	oidLength int
	fallback  reader // fallback reads a packed-refs file that cannot be searched.
}

// loose is the loose half.
func (r *filesReader) loose() looseRefs {
	return looseRefs{dir: r.dir, oidLength: r.oidLength}
}

// packed opens the packed half.
func (r *filesReader) packed() (*packedRefs, error) { return openPacked(&r.file, r.oidLength) }

// resolve implements reader.
func (r *filesReader) resolve(ctx context.Context, ref string) (oid string, err error) {
	oid, state, err := r.loose().read(ref)
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
	packed, err := r.packed()
	if errors.Is(err, errUnsorted) {
		return r.fallback.resolve(ctx, ref)
	}
	if err != nil {
		return "", wrap("read ref", ref, err)
	}
	defer func() { err = errors.Join(err, packed.close()) }()
	oid, err = packed.lookup(ref)
	if errors.Is(err, errUnsorted) {
		return r.fallback.resolve(ctx, ref)
	}
	return oid, wrap("read ref", ref, err)
}

// list implements reader.
func (r *filesReader) list(ctx context.Context, prefix string, newest bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		loose, packed, err := r.halves(prefix)
		if errors.Is(err, errUnsorted) {
			r.fallback.list(ctx, prefix, newest)(yield)
			return
		}
		if err != nil {
			yield(entry{}, wrap("list refs below", prefix, err))
			return
		}
		merge := merger{newest: newest, loose: loose, yield: func(ref, oid string) bool {
			return r.yieldEntry(ctx, entry{ref: ref, oid: oid}, yield)
		}}
		err = errors.Join(merge.run(packed, prefix, ""), packed.close())
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
	oid, err := r.resolve(ctx, e.ref)
	if errors.Is(err, ErrCorrupt) {
		return true
	}
	return yield(entry{ref: e.ref, oid: oid, loose: true}, err)
}

// archives implements reader.
func (r *filesReader) archives(ctx context.Context, remotes []string) ([]Archive, error) {
	return listArchives(ctx, r, remotes)
}

// listArchives lists the archives of each of some remotes.
func listArchives(ctx context.Context, r reader, remotes []string) ([]Archive, error) {
	var found []Archive
	for _, remote := range remotes {
		first := len(found)
		for e, err := range r.list(ctx, archivePrefix(remote), false) {
			if err != nil {
				return nil, err
			}
			if a, ok := archiveOf(e, remote); ok && len(found)-first < mostArchives {
				found = append(found, a)
			}
		}
	}
	return found, nil
}

// names implements reader.
func (r *filesReader) names(ctx context.Context, prefix, from string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		loose, packed, err := r.halves(prefix)
		if errors.Is(err, errUnsorted) {
			r.fallback.names(ctx, prefix, from)(yield)
			return
		}
		if err != nil {
			yield("", wrap("list refs below", prefix, err))
			return
		}
		first, _ := slices.BinarySearch(loose, from)
		merge := merger{loose: loose[first:], yield: func(ref, _ string) bool { return yield(ref, nil) }}
		err = errors.Join(merge.run(packed, prefix, from), packed.close())
		if err != nil && !merge.stopped {
			yield("", wrap("list refs below", prefix, err))
		}
	}
}

// halves reads the loose names and then opens packed-refs.
func (r *filesReader) halves(prefix string) ([]string, *packedRefs, error) {
	loose, err := r.loose().names(prefix)
	if err != nil {
		return nil, nil, err
	}
	packed, err := r.packed()
	return loose, packed, err
}

// remotes implements reader.
func (r *filesReader) remotes(ctx context.Context) (found []string, err error) {
	found, err = r.loose().remotes(TrackingRoot)
	if err != nil {
		return nil, wrap("list refs below", TrackingRoot, err)
	}
	packed, err := r.packed()
	if errors.Is(err, errUnsorted) {
		return r.fallback.remotes(ctx)
	}
	if err != nil {
		return nil, wrap("list refs below", TrackingRoot, err)
	}
	defer func() { err = errors.Join(err, packed.close()) }()
	inPacked, err := packed.remotes()
	found = append(found, inPacked...)
	slices.Sort(found)
	return slices.Compact(found), wrap("list refs below", TrackingRoot, err)
}

// remotes jumps from one kind of one remote to the next, without reading the records between.
func (p *packedRefs) remotes() ([]string, error) {
	var found []string
	for next := TrackingRoot; ; {
		at, err := p.search(next)
		if err != nil || at >= p.window.size {
			return found, err
		}
		_, name, _, err := p.record(at)
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

// run visits everything below prefix, from the name from on when the order is rising.
func (m *merger) run(packed *packedRefs, prefix, from string) error {
	start := max(prefix, from)
	if m.newest {
		start = afterPrefix(prefix)
	}
	at, err := packed.search(start)
	if err != nil {
		return err
	}
	visit := packed.forward
	if m.newest {
		visit = packed.backward
	}
	if err := visit(at, prefix, m.packed); err != nil || m.stopped {
		return err
	}
	for len(m.loose) > 0 && !m.stopped {
		m.stopped = !m.yield(m.next(), "")
	}
	return nil
}

// packed yields the loose refs that come before a packed one, and then that one.
func (m *merger) packed(oid, name []byte) bool {
	for len(m.loose) > 0 {
		order := strings.Compare(m.peek(), string(name))
		if m.newest {
			order = -order
		}
		if order > 0 {
			break
		}
		if m.stopped = !m.yield(m.next(), ""); m.stopped {
			return false
		}
		if order == 0 {
			return true
		}
	}
	m.stopped = !m.yield(string(name), string(oid))
	return !m.stopped
}

// peek returns the loose name that comes next.
func (m *merger) peek() string {
	if m.newest {
		return m.loose[len(m.loose)-1]
	}
	return m.loose[0]
}

// next takes that name away.
func (m *merger) next() string {
	name := m.peek()
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

// path is the file of a ref.
func (l looseRefs) path(ref string) string {
	return filepath.Join(l.dir, filepath.FromSlash(ref))
}

// read returns what a loose ref holds.
func (l looseRefs) read(ref string) (oid string, state looseState, err error) {
	text, err := l.text(ref)
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

// text returns the beginning of a loose ref file.
func (l looseRefs) text(ref string) (string, error) {
	file, err := os.Open(l.path(ref))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxLoose))
	return string(text), errors.Join(err, file.Close())
}

// names returns the loose refs whose names begin with prefix, which ends in a slash, sorted. Lock files of git are
// no refs.
func (l looseRefs) names(prefix string) ([]string, error) {
	found, err := l.below(nil, prefix)
	slices.Sort(found)
	return found, err
}

// below appends what lies in one directory and in those under it.
func (l looseRefs) below(found []string, prefix string) ([]string, error) {
	files, err := os.ReadDir(l.path(prefix))
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
			if found, err = l.below(found, prefix+name+"/"); err != nil {
				return found, err
			}
		case !strings.HasSuffix(name, ".lock"):
			trace.Refs.Add(1)
			found = append(found, prefix+name)
		}
	}
	return found, nil
}

// remotes returns the remotes that have a directory of loose tracking refs below dir, which ends in a slash.
func (l looseRefs) remotes(dir string) ([]string, error) {
	files, err := os.ReadDir(l.path(dir))
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
		records := kind.known() || kind == endorsements
		if remote != "" && SafeRemote(remote) && (records || kind == archives && l.holdsArchive(dir+archives)) {
			found = append(found, remote)
		}
		if remote != "" && records {
			continue
		}
		under, err := l.remotes(dir + file.Name() + "/")
		if err != nil {
			return nil, err
		}
		found = append(found, under...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// holdsArchive reports whether a directory of loose tracking refs holds an archive. A remote's name may end as it does.
func (l looseRefs) holdsArchive(dir string) bool {
	names, err := l.names(dir + "/")
	return err == nil && slices.ContainsFunc(names, func(name string) bool { return isArchive(name[len(dir)+1:]) })
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

// list implements reader. It asks for a few refs first and for more when they are wanted.
func (r *gitReader) list(ctx context.Context, prefix string, newest bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		last, loose := "", r.repo.RefFormat == "files" // Git does not say which are.
		for limit := firstPage; ; limit *= pageGrowth {
			refs, err := r.repo.Refs(ctx, []string{prefix}, git.ListOptions{Newest: newest, Limit: limit, NamesOnly: true})
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

// archives implements reader.
func (r *gitReader) archives(ctx context.Context, remotes []string) ([]Archive, error) {
	prefixes := make([]string, len(remotes))
	for i, remote := range remotes {
		prefixes[i] = archivePrefix(remote)
	}
	refs, err := r.repo.Refs(ctx, prefixes, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, wrap("list archives below", Root, err)
	}
	var found []Archive
	for i, remote := range remotes {
		first := len(found)
		for _, ref := range refs {
			if !strings.HasPrefix(ref.Name, prefixes[i]) || ref.Symref != "" {
				continue
			}
			if a, ok := archiveOf(entry{ref: ref.Name, oid: ref.Object}, remote); ok && len(found)-first < mostArchives {
				found = append(found, a)
			}
		}
	}
	return found, nil
}

// names implements reader.
func (r *gitReader) names(ctx context.Context, prefix, from string) iter.Seq2[string, error] {
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

// resolve implements reader.
func (r *gitReader) resolve(ctx context.Context, ref string) (string, error) {
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

// remotes implements reader.
func (r *gitReader) remotes(ctx context.Context) ([]string, error) {
	var found []string
	for name, err := range r.names(ctx, TrackingRoot, "") {
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
