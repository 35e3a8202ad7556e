package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// local yields every ref of this clone in the order of the names, with the odd
// ones, which are in that order too, among the records.
func (m *Memory) local(ctx context.Context, odd []check.Target) iter.Seq2[check.Target, error] {
	return func(yield func(check.Target, error) bool) {
		for t, err := range m.records(ctx) {
			for len(odd) > 0 && err == nil && odd[0].Name < t.Name {
				if !yield(odd[0], nil) {
					return
				}
				odd = odd[1:]
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
		check.Each(odd)(yield)
	}
}

// records yields the records of this clone, of every kind.
func (m *Memory) records(ctx context.Context) iter.Seq2[check.Target, error] {
	return func(yield func(check.Target, error) bool) {
		for t, err := range m.everywhere(ctx) {
			if err == nil && t.Ref.Remote != "" {
				continue
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// everywhere yields the records of this clone and of remotes, of every kind.
func (m *Memory) everywhere(ctx context.Context) iter.Seq2[check.Target, error] {
	return func(yield func(check.Target, error) bool) {
		for _, kind := range refs.Kinds() {
			for ref, err := range m.store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
				if !yield(check.Target{Ref: ref, Name: ref.Full()}, err) || err != nil {
					return
				}
			}
		}
	}
}

// odd returns the refs below refs/ltm that no list of records shows: strays,
// names that are reserved, refs that are broken, and later signatures.
func (m *Memory) odd(ctx context.Context) ([]check.Target, error) {
	stray, err := m.store.Stray(ctx)
	if err != nil {
		return nil, err
	}
	broken, err := m.store.Broken(ctx)
	if err != nil {
		return nil, err
	}
	reserved, err := m.repo.Refs(ctx, []string{refs.Root + "archive/", refs.Root + "meta/"}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, err
	}
	later, err := m.endorsements(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var odd []check.Target
	add := func(t check.Target) {
		if !seen[t.Name] {
			seen[t.Name] = true
			odd = append(odd, t)
		}
	}
	for _, name := range stray {
		add(check.OddTarget(name, refs.Root))
	}
	for _, b := range broken {
		if t := check.OddTarget(b.Ref, refs.Root); b.Reason != "dangling" {
			t.Flaw, t.Why = check.RuleObject, "the ref is broken: "+b.Reason
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
	slices.SortFunc(odd, func(a, b check.Target) int { return strings.Compare(a.Name, b.Name) })
	return odd, nil
}

// endorsements returns the later signatures that this clone holds.
func (m *Memory) endorsements(ctx context.Context) ([]check.Target, error) {
	all, err := m.store.Endorsements(ctx, "")
	var local []check.Target
	for _, e := range all {
		if e.Remote == "" {
			local = append(local, check.EndorsementTarget(e))
		}
	}
	return local, err
}

// reserved says what is wrong with a ref of this clone that is no record. What an archive holds, every list shows.
func (m *Memory) reserved(ctx context.Context, ref git.Ref) ([]check.Target, error) {
	if ref.Name == refs.FormatRef {
		return m.format(ctx, ref.Name, ref.Object)
	}
	if !refs.IsArchive(ref.Name) {
		return []check.Target{check.OddTarget(ref.Name, refs.Root)}, nil
	}
	a, ok := refs.ArchiveAt(ref.Name, ref.Object)
	if !ok {
		return []check.Target{{Name: ref.Name, Flaw: check.RuleObject, Why: misnamed}}, nil
	}
	_, err := m.holding(ctx, a)
	if IsUnreadable(err) {
		return []check.Target{{Name: ref.Name, Flaw: check.RuleObject, Why: "the archive is damaged"}}, nil
	}
	return nil, err
}

// format says what is wrong with the ref that tells the format of the layout.
func (m *Memory) format(ctx context.Context, name, oid string) ([]check.Target, error) {
	needs, err := m.store.MinReader(ctx, oid)
	switch {
	case IsUnreadable(err):
		return []check.Target{{Name: name, Flaw: check.RuleReserved, Why: "it does not say which readers the memory is for"}}, nil
	case err != nil:
		return nil, err
	case needs > refs.Format:
		return []check.Target{check.OddTarget(name, refs.Root)}, nil
	}
	return nil, nil
}

// held asks a remote for its records and brings them into the tracking refs.
func (m *Memory) held(ctx context.Context, remote string) ([]check.Target, error) {
	if !refs.SafeRemote(remote) {
		return nil, fmt.Errorf("check remote %q: its name does not fit into a ref", remote)
	}
	listed, err := m.repo.LsRemote(ctx, remote, refs.Root+"*")
	if err != nil {
		return nil, err
	}
	if err := m.repo.FetchRefs(ctx, remote, "+"+refs.Root+"*:"+refs.TrackingRoot+remote+"/*"); err != nil {
		return nil, err
	}
	local, err := m.repo.Refs(ctx, []string{refs.Root}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, err
	}
	ours := make(map[string]string, len(local))
	for _, ref := range local {
		ours[ref.Name] = ref.Object
	}
	root := refs.TrackingRoot + remote + "/"
	var theirs []check.Target
	for _, ref := range listed {
		tail, ok := strings.CutPrefix(ref.Name, refs.Root)
		if !ok {
			continue
		}
		if e, ok := refs.ParseEndorsement(ref.Name); ok {
			e.Remote, e.Object = remote, ref.Object
			theirs = append(theirs, check.EndorsementTarget(e))
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
		theirs = append(theirs, check.Target{Name: root + tail, Ref: refs.Ref{
			Name: name, Remote: remote, Object: ref.Object, Conflict: mine != "" && mine != ref.Object,
		}})
	}
	slices.SortFunc(theirs, func(a, b check.Target) int { return strings.Compare(a.Name, b.Name) })
	return theirs, nil
}

// heldOdd says what there is to look at in a ref of a remote that is no record: what an archive holds, or what is wrong.
func (m *Memory) heldOdd(ctx context.Context, remote, tail string, ref git.Ref) ([]check.Target, error) {
	name := refs.TrackingRoot + remote + "/" + tail
	if a, ok := refs.ArchiveAt(ref.Name, ref.Object); ok {
		a.Remote = remote
		return m.within(ctx, a, name)
	}
	if refs.IsArchive(ref.Name) {
		return []check.Target{{Name: name, Flaw: check.RuleObject, Why: misnamed}}, nil
	}
	if ref.Name == refs.FormatRef {
		return m.format(ctx, name, ref.Object)
	}
	return []check.Target{check.OddTarget(name, refs.TrackingRoot+remote+"/")}, nil
}

// Targets finds the records that were asked for, each once, in the order of
// their refs.
func (m *Memory) targets(ctx context.Context, specs []string) ([]check.Target, error) {
	var found []check.Target
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
	slices.SortFunc(found, func(a, b check.Target) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(found, func(a, b check.Target) bool { return a.Name == b.Name }), nil
}

// targetOf finds one record. One that nobody can read is found by its id.
func (m *Memory) targetOf(ctx context.Context, spec string) (check.Target, error) {
	if _, ok := nth(spec); !ok {
		for _, kind := range []refs.Kind{refs.Packets, refs.Notes, refs.Skips, refs.Events} {
			ref, err := m.lookupAny(ctx, kind, spec)
			if err == nil {
				return check.Target{Ref: ref, Name: ref.Full()}, nil
			}
			if read, ok := errors.AsType[*ReadError](err); ok && IsUnreadable(err) {
				name, _ := refs.ParseName(read.Ref)
				return check.Target{Ref: refs.Ref{Name: name}, Name: read.Ref, Flaw: check.RuleObject, Why: refs.Flaw(err)}, nil
			}
			if !errors.Is(err, ErrNotFound) {
				return check.Target{}, err
			}
		}
	}
	e, err := m.Find(ctx, spec)
	if err != nil {
		return check.Target{}, err
	}
	lookup := m.store.Lookup
	if e.Store == OfClone {
		lookup = m.store.LookupPrivate
	}
	ref, err := lookup(ctx, refs.Packets, e.ID)
	return check.Target{Ref: ref, Name: ref.Full()}, err
}

// Present reads the names.
func (m *Memory) present(ctx context.Context) (check.Present, error) {
	var p check.Present
	for _, kind := range refs.Kinds() {
		for ref, err := range m.store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return check.Present{}, err
			}
			id := string(ref.Name.ID)
			p.IDs = append(p.IDs, id)
			if kind == refs.Packets {
				p.Ends = append(p.Ends, ref.Name.ID.Suffix())
			}
		}
	}
	s, err := m.fold(ctx)
	if err != nil {
		return check.Present{}, err
	}
	for id := range s.purged { // What was removed for good is missed by nobody.
		p.IDs = append(p.IDs, string(id))
	}
	slices.Sort(p.IDs)
	slices.Sort(p.Ends)
	return p, nil
}
