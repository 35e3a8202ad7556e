package refs

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
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
