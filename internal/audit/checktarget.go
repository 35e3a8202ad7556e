package audit

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// checkLocal returns every ref of this clone in the order of the names: records, and the odd ones among them.
// The private ones are left out where nobody asks for them.
func (u *Auditor) checkLocal(ctx context.Context, private bool) ([]check.Target, error) {
	lists := []listing{u.opts.Store.List}
	if private {
		lists = append(lists, u.opts.Store.ListPrivate)
	}
	all, err := listedRefs(ctx, lists...)
	if err != nil {
		return nil, err
	}
	odd, err := u.checkOddRefs(ctx)
	all = slices.DeleteFunc(append(odd, all...), func(t check.Target) bool {
		return t.Ref.Remote != "" || !private && check.IsPrivate(t.Name)
	})
	slices.SortStableFunc(all, compareTargets)
	return all, err
}

// listing yields the records of one kind.
type listing func(context.Context, refs.Query) iter.Seq2[refs.Ref, error]

// listedRefs returns what listings have of every kind, of this clone and of remotes.
func listedRefs(ctx context.Context, lists ...listing) (all []check.Target, err error) {
	for _, list := range lists {
		for _, kind := range refs.Kinds() {
			for ref, err := range list(ctx, refs.Query{Kind: kind, Remotes: true}) {
				if err != nil {
					return nil, err
				}
				all = append(all, check.Target{Ref: ref, Name: ref.Full()})
			}
		}
	}
	return all, nil
}

// checkOddRefs returns the refs below refs/ltm that no list of records shows: strays,
// names that are reserved, refs that are broken, and later signatures.
func (u *Auditor) checkOddRefs(ctx context.Context) ([]check.Target, error) {
	stray, err := u.opts.Store.Stray(ctx)
	broken, failed := u.opts.Store.Broken(ctx)
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	reserved, err := u.opts.Repo.Refs(ctx, refs.Root+"archive/", refs.Root+"meta/")
	if err != nil {
		return nil, err
	}
	later, err := u.opts.Store.Endorsements(ctx, "")
	if err != nil {
		return nil, err
	}
	var odd []check.Target
	for _, name := range stray {
		odd = append(odd, check.OddTarget(name, refs.Root))
	}
	for _, b := range broken {
		if t := check.OddTarget(b.Ref, refs.Root); b.Reason != "dangling" {
			t.Flaw, t.Why = check.RuleObject, "the ref is broken: "+b.Reason
			odd = append(odd, t)
		}
	}
	for _, ref := range reserved {
		found, err := u.unrecorded(ctx, "", ref.Name, ref.Object)
		if err != nil {
			return nil, err
		}
		odd = append(odd, found...)
	}
	for _, e := range later {
		if e.Remote == "" {
			odd = append(odd, check.Target{Name: e.Full(), Ref: e})
		}
	}
	slices.SortStableFunc(odd, compareTargets)
	return slices.CompactFunc(odd, sameTarget), nil
}

func compareTargets(a, b check.Target) int { return strings.Compare(a.Name, b.Name) }

func sameTarget(a, b check.Target) bool { return a.Name == b.Name }

// unrecorded says what there is to look at in a ref that is no record, of this clone or, where it is not
// empty, of a remote: what is wrong, or what an archive of the remote holds. What one of this clone holds,
// every list shows.
func (u *Auditor) unrecorded(ctx context.Context, remote, ref, object string) ([]check.Target, error) {
	root := refs.Root
	if remote != "" {
		root = refs.TrackingRoot + remote + "/"
	}
	name := root + strings.TrimPrefix(ref, refs.Root)
	a, ok := refs.ArchiveAt(ref, object)
	switch {
	case ok:
		a.Remote = remote
		all, err := check.Within(ctx, u.opts.Store, a, name)
		return slices.DeleteFunc(all, func(t check.Target) bool { return remote == "" && t.Flaw == "" }), err
	case refs.IsArchive(ref):
		return []check.Target{{Name: name, Flaw: check.RuleObject, Why: check.Misnamed}}, nil
	case ref == refs.FormatRef:
		return check.FormatTargets(ctx, u.opts.Store, name, object)
	}
	return []check.Target{check.OddTarget(name, root)}, nil
}

// checkHeld asks a remote for its records and brings them into the tracking refs, but for what was purged here: that
// is told, and not fetched again.
func (u *Auditor) checkHeld(ctx context.Context, remote string) ([]check.Target, error) {
	if !refs.SafeRemote(remote) {
		return nil, fmt.Errorf("check remote %q: its name does not fit into a ref", remote)
	}
	listed, err := u.opts.Repo.LsRemote(ctx, remote, refs.Root+"*")
	if err != nil {
		return nil, err
	}
	s, err := u.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	var theirs []check.Target
	specs := []string{"+" + refs.Root + "*:" + refs.TrackingRoot + remote + "/*"}
	listed = slices.DeleteFunc(listed, func(ref git.Ref) bool {
		name, ok := refs.Parse(ref.Name)
		gone := ok && s.Purged[name.ID].Reaches(ref.Name)
		if gone {
			held := refs.Ref{Name: name, Remote: remote, Object: ref.Object}
			theirs = append(theirs, check.Target{
				Name: held.Full(), Ref: held, Flaw: check.RulePurged, Why: "it was purged here, and lies there still",
			})
			specs = append(specs, "^"+ref.Name)
		}
		return gone
	})
	if err := u.opts.Repo.FetchInto(ctx, remote, specs); err != nil {
		return nil, err
	}
	ours, err := u.opts.Store.Held(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range listed {
		if name, ok := refs.Parse(ref.Name); ok {
			mine, held := ours.Find(ref.Name), refs.Ref{Name: name, Remote: remote, Object: ref.Object}
			held.Conflict = mine != "" && mine != ref.Object
			theirs = append(theirs, check.Target{Name: held.Full(), Ref: held})
			continue
		}
		odd, err := u.unrecorded(ctx, remote, ref.Name, ref.Object)
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, odd...)
	}
	slices.SortFunc(theirs, compareTargets)
	return theirs, nil
}

// Present reads the names.
func (u *Auditor) presentRefs(ctx context.Context) (check.Present, error) {
	p := check.Present{}
	for _, kind := range refs.Kinds() {
		for ref, err := range u.opts.Store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return nil, err
			}
			if p[string(ref.Name.ID)] = true; kind == refs.Packets {
				p[ref.Name.ID.Suffix()] = true
			}
		}
	}
	s, err := u.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	for id := range s.Purged { // What was removed for good is missed by nobody.
		p[string(id)] = true
	}
	return p, nil
}
