package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Where records lie.
const (
	localRoot    = "refs/ltm/"
	trackingRoot = "refs/ltm-remotes/"
)

// local yields every ref of this clone in the order of the names, with the odd
// ones, which are in that order too, among the records.
func (m *Memory) local(ctx context.Context, odd []target) iter.Seq2[target, error] {
	return func(yield func(target, error) bool) {
		for t, err := range m.records(ctx) {
			for len(odd) > 0 && err == nil && odd[0].name < t.name {
				if !yield(odd[0], nil) {
					return
				}
				odd = odd[1:]
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
		each(odd)(yield)
	}
}

// records yields the records of this clone, of every kind.
func (m *Memory) records(ctx context.Context) iter.Seq2[target, error] {
	return func(yield func(target, error) bool) {
		for t, err := range m.everywhere(ctx) {
			if err == nil && t.ref.Remote != "" {
				continue
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// everywhere yields the records of this clone and of remotes, of every kind.
func (m *Memory) everywhere(ctx context.Context) iter.Seq2[target, error] {
	return func(yield func(target, error) bool) {
		for _, kind := range refs.Kinds() {
			for ref, err := range m.store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
				if !yield(target{ref: ref, name: ref.Full()}, err) || err != nil {
					return
				}
			}
		}
	}
}

// odd returns the refs below refs/ltm that no list of records shows: strays,
// names that are reserved, refs that are broken, and later signatures.
func (m *Memory) odd(ctx context.Context) ([]target, error) {
	stray, err := m.store.Stray(ctx)
	if err != nil {
		return nil, err
	}
	broken, err := m.store.Broken(ctx)
	if err != nil {
		return nil, err
	}
	reserved, err := m.repo.Refs(ctx, []string{localRoot + "archive/", localRoot + "meta/"}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, err
	}
	later, err := m.endorsements(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var odd []target
	add := func(t target) {
		if !seen[t.name] {
			seen[t.name] = true
			odd = append(odd, t)
		}
	}
	for _, name := range stray {
		add(oddTarget(name, localRoot))
	}
	for _, b := range broken {
		if t := oddTarget(b.Ref, localRoot); b.Reason != "dangling" {
			t.flaw, t.why = ruleObject, "the ref is broken: "+b.Reason
			add(t)
		}
	}
	for _, ref := range reserved {
		found, err := m.reserved(ctx, ref)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			add(t)
		}
	}
	for _, t := range later {
		add(t)
	}
	slices.SortFunc(odd, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return odd, nil
}

// reserved says what is wrong with a ref of this clone that is no record. What an archive holds, every list shows.
func (m *Memory) reserved(ctx context.Context, ref git.Ref) ([]target, error) {
	if ref.Name == refs.FormatRef {
		return m.format(ctx, ref.Name, ref.Object)
	}
	if !refs.IsArchive(ref.Name) {
		return []target{oddTarget(ref.Name, localRoot)}, nil
	}
	a, ok := refs.ArchiveAt(ref.Name, ref.Object)
	if !ok {
		return []target{{name: ref.Name, flaw: ruleObject, why: misnamed}}, nil
	}
	_, err := m.holding(ctx, a)
	if IsUnreadable(err) {
		return []target{{name: ref.Name, flaw: ruleObject, why: "the archive is damaged"}}, nil
	}
	return nil, err
}

// format says what is wrong with the ref that tells the format of the layout.
func (m *Memory) format(ctx context.Context, name, oid string) ([]target, error) {
	needs, err := m.store.MinReader(ctx, oid)
	switch {
	case IsUnreadable(err):
		return []target{{name: name, flaw: ruleReserved, why: "it does not say which readers the memory is for"}}, nil
	case err != nil:
		return nil, err
	case needs > refs.Format:
		return []target{oddTarget(name, localRoot)}, nil
	}
	return nil, nil
}

// oddTarget says what is wrong with a name below root that is no record.
func oddTarget(full, root string) target {
	t := target{name: full}
	inner := localRoot + strings.TrimPrefix(full, root)
	name, ok := refs.ParseName(inner)
	_, later := refs.ParseEndorsement(inner)
	switch {
	case ok || later: // It was found among the strays: it stands for another ref.
		t.ref.Name = name
		t.flaw, t.why = ruleStray, "it stands for another ref, and is never followed"
	case refs.InLayout(inner):
		t.flaw, t.why = ruleReserved, "the name is reserved, and this version cannot look into it"
	default:
		t.flaw, t.why = ruleStray, "the name is none of this format; it is never read, and it travels"
	}
	return t
}

// held asks a remote for its records, and fetches what is not here. No ref is made of it.
func (m *Memory) held(ctx context.Context, remote string) ([]target, error) {
	if !refs.SafeRemote(remote) {
		return nil, fmt.Errorf("check remote %q: its name does not fit into a ref", remote)
	}
	listed, err := m.repo.LsRemote(ctx, remote, localRoot+"*")
	if err != nil {
		return nil, err
	}
	local, err := m.repo.Refs(ctx, []string{localRoot}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, err
	}
	ours := make(map[string]string, len(local))
	for _, ref := range local {
		ours[ref.Name] = ref.Object
	}
	waits := map[string]string{}
	var objects []string
	for _, ref := range listed {
		if ours[ref.Name] == ref.Object {
			continue
		}
		objects = append(objects, ref.Object)
		if refs.InLayout(ref.Name) && ref.Name != refs.FormatRef {
			waits[ref.Name] = ref.Object
		}
	}
	if err := m.repo.FetchInto(ctx, remote, objects); err != nil {
		return nil, err
	}
	if err := m.store.Wait(remote, waits); err != nil {
		m.Offer(ctx, remote, waits) // A clone that cannot be written to.
	}
	m.forgetFolded()
	root := trackingRoot + remote + "/"
	var theirs []target
	for _, ref := range listed {
		tail, ok := strings.CutPrefix(ref.Name, localRoot)
		if !ok {
			continue
		}
		if e, ok := refs.ParseEndorsement(ref.Name); ok {
			e.Remote, e.Object = remote, ref.Object
			theirs = append(theirs, endorsementTarget(e))
			continue
		}
		name, ok := refs.ParseName(ref.Name)
		if !ok {
			odd, err := m.heldOdd(ctx, remote, tail, ref)
			if err != nil {
				return nil, err
			}
			theirs = append(theirs, odd...)
			continue
		}
		mine := ours[ref.Name]
		theirs = append(theirs, target{name: root + tail, ref: refs.Ref{
			Name: name, Remote: remote, Object: ref.Object, Conflict: mine != "" && mine != ref.Object,
		}})
	}
	slices.SortFunc(theirs, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return theirs, nil
}

// heldOdd says what there is to look at in a ref of a remote that is no record: what an archive holds, or what is wrong.
func (m *Memory) heldOdd(ctx context.Context, remote, tail string, ref git.Ref) ([]target, error) {
	name := trackingRoot + remote + "/" + tail
	if a, ok := refs.ArchiveAt(ref.Name, ref.Object); ok {
		a.Remote = remote
		return m.within(ctx, a, name)
	}
	if refs.IsArchive(ref.Name) {
		return []target{{name: name, flaw: ruleObject, why: misnamed}}, nil
	}
	if ref.Name == refs.FormatRef {
		return m.format(ctx, name, ref.Object)
	}
	return []target{oddTarget(name, trackingRoot+remote+"/")}, nil
}

// targets finds the records that were asked for, each once, in the order of
// their refs.
func (m *Memory) targets(ctx context.Context, specs []string) ([]target, error) {
	var found []target
	var missing []error
	for _, spec := range specs {
		t, err := m.targetOf(ctx, spec)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		found = append(found, t)
	}
	if len(missing) > 0 {
		return nil, errors.Join(missing...)
	}
	slices.SortFunc(found, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return slices.CompactFunc(found, func(a, b target) bool { return a.name == b.name }), nil
}

// targetOf finds one record. One that nobody can read is found by its id.
func (m *Memory) targetOf(ctx context.Context, spec string) (target, error) {
	if _, ok := nth(spec); !ok {
		for _, kind := range []refs.Kind{refs.Packets, refs.Notes, refs.Skips, refs.Events} {
			ref, err := m.lookupAny(ctx, kind, spec)
			if err == nil {
				return target{ref: ref, name: ref.Full()}, nil
			}
			if read, ok := errors.AsType[*ReadError](err); ok && IsUnreadable(err) {
				name, _ := refs.ParseName(read.Ref)
				return target{ref: refs.Ref{Name: name}, name: read.Ref, flaw: ruleObject, why: refs.Flaw(err)}, nil
			}
			if !errors.Is(err, ErrNotFound) {
				return target{}, err
			}
		}
	}
	e, err := m.Find(ctx, spec)
	if err != nil {
		return target{}, err
	}
	lookup := m.store.Lookup
	if e.Store == OfClone {
		lookup = m.store.LookupPrivate
	}
	ref, err := lookup(ctx, refs.Packets, e.ID)
	return target{ref: ref, name: ref.Full()}, err
}

// present is the names of all records that are known here: of this clone and of
// remotes. Names are all that a check holds of every record.
type present struct {
	ids  []string // the last parts of the refs, sorted
	ends []string // the last 16 characters of the packets among them, sorted
}

// present reads the names.
func (m *Memory) present(ctx context.Context) (present, error) {
	var p present
	for _, kind := range refs.Kinds() {
		for ref, err := range m.store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return present{}, err
			}
			id := string(ref.Name.ID)
			p.ids = append(p.ids, id)
			if kind == refs.Packets {
				p.ends = append(p.ends, ref.Name.ID.Suffix())
			}
		}
	}
	s, err := m.fold(ctx)
	if err != nil {
		return present{}, err
	}
	for id := range s.purged { // What was removed for good is missed by nobody.
		p.ids = append(p.ids, string(id))
	}
	slices.Sort(p.ids)
	slices.Sort(p.ends)
	return p, nil
}

// has tells whether a record of that name, or of that own id, is known. A packet
// that brought an id of another form is found by the name that is derived from
// it.
func (p present) has(own string) bool {
	list, key := p.ids, own
	if _, err := packet.ParseID(own); err != nil {
		list, key = p.ends, packet.DerivedSuffix(own)
	}
	_, ok := slices.BinarySearch(list, key)
	return ok
}
