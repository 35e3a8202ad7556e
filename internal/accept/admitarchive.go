package accept

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// AdmitArchives judges what the archives of a remote hold, as they are tracked, record by record,
// and makes archives of this clone of what passes: the same one where all of it does. What was
// purged is left out. Refs and archives of which an archive holds everything from then on are
// deleted. Skip tells those that need no look.
func (n *Intake) AdmitArchives(
	ctx context.Context, remote string, skip func(refs.Archive) bool,
) (sum Admission, err error) {
	n.opts.Reader.Forget() // What has come may say what was purged, and who signed it.
	err = n.opts.Store.Archives.Exclusively(ctx, func(ctx context.Context) error {
		mine, err := n.opts.Store.Archives.ListLocal(ctx)
		all, failed := n.opts.Store.Archives.List(ctx)
		if err := cmp.Or(err, failed); err != nil {
			return err
		}
		var local map[string]string
		for _, a := range all {
			if a.Remote != remote || skip(a) {
				continue
			}
			covered, err := n.Covered(ctx, a, mine)
			if err == nil && !covered && local == nil {
				local, err = n.heldHere(ctx)
			}
			var got Admission
			if err == nil && !covered {
				got, err = n.admitArchive(ctx, a, local)
			}
			switch {
			case replay.IsUnreadable(err):
				sum.Refused = append(sum.Refused, Refusal{Ref: a.Ref(), Why: []string{err.Error()}})
			case err != nil:
				return err
			}
			sum.Taken, sum.Refused = append(sum.Taken, got.Taken...), append(sum.Refused, got.Refused...)
		}
		return n.opts.Store.Archives.Settle(ctx)
	})
	n.opts.Reader.Forget()
	return sum, err
}

// Covered reports whether one of some archives holds all that another one does, but for what was
// purged.
func (n *Intake) Covered(ctx context.Context, a refs.Archive, by []refs.Archive) (bool, error) {
	s, err := n.opts.Reader.Fold(ctx)
	if err != nil {
		return false, err
	}
	return n.opts.Store.Archives.Covered(ctx, a, by, s.Gone)
}

// heldHere returns the full names under which this clone holds records, as refs and in archives, and their
// objects.
func (n *Intake) heldHere(ctx context.Context) (map[string]string, error) {
	list, err := n.opts.Store.Held(ctx)
	if err != nil {
		return nil, err
	}
	held := maps.Collect(list.All())
	mine, err := n.opts.Store.Archives.ListLocal(ctx)
	for _, a := range mine {
		names, err := n.InArchive(ctx, a)
		if err != nil && !replay.IsUnreadable(err) {
			return nil, err
		}
		for full, object := range names {
			held[full] = cmp.Or(held[full], object)
		}
	}
	return held, err
}

// admitArchive takes what passes of an archive of a remote, and adds it to local, which is all that
// this clone holds. Events come first, as in [Intake.Admit].
func (n *Intake) admitArchive(
	ctx context.Context, a refs.Archive, local map[string]string,
) (sum Admission, err error) {
	offered, err := check.ReadArchive(ctx, n.opts.Store, a)
	if err != nil {
		return Admission{}, err
	}
	passed := map[string]bool{}
	take := func() error {
		n.opts.Reader.Forget()
		return n.opts.Store.Archives.TakeOver(ctx, a, func(ref string) bool { return passed[ref] })
	}
	events, rest := splitBy(offered, func(t check.Target) bool { return t.Ref.Name.Kind == refs.Events })
	for _, some := range [][]check.Target{events, rest} {
		fresh, refused, err := n.listLacking(ctx, local, some, passed)
		sum.Refused = append(sum.Refused, refused...)
		if err != nil {
			return Admission{}, err
		}
		if len(fresh) == 0 {
			continue
		}
		var coming []refs.Ref
		left := fresh
		for checked, err := range n.judgeTargets(ctx, fresh, nil) {
			if err != nil {
				return Admission{}, err
			}
			t := left[0]
			left = left[1:]
			if r := refusalOf(checked); len(r.Why) > 0 {
				sum.Refused = append(sum.Refused, r)
				continue
			}
			passed[t.Name], local[t.Name] = true, t.Ref.Object
			sum.Taken, coming = append(sum.Taken, t.Name), append(coming, t.Ref)
		}
		if err := n.opts.Reader.Crowded(ctx, coming); err != nil {
			return Admission{}, err
		}
		if len(rest) > 0 && len(sum.Taken) > 0 && fresh[0].Ref.Name.Kind == refs.Events {
			if err := take(); err != nil {
				return Admission{}, err
			}
		}
	}
	return sum, take()
}

// listLacking returns what this clone does not hold yet of what is offered, as things to look at, and
// notes as passed what it does hold. What was purged is passed over, and another record under a
// Name that is held here is refused.
func (n *Intake) listLacking(
	ctx context.Context, local map[string]string, offered []check.Target, passed map[string]bool,
) (fresh []check.Target, refused []Refusal, err error) {
	s, err := n.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range offered {
		if s.Gone(t.Name) {
			continue
		}
		if t.IsRecord() {
			eclipsed, err := n.opts.Reader.Eclipsed(ctx, t.Ref)
			if err != nil {
				return nil, nil, err
			}
			if eclipsed {
				refused = append(refused, Refusal{Ref: t.Name, Why: []string{eclipsedThere}})
				continue
			}
		}
		switch local[t.Name] {
		case "":
			fresh = append(fresh, t)
		case t.Ref.Object:
			passed[t.Name] = true
		default:
			refused = append(refused, Refusal{Ref: t.Name, Why: []string{Contested}})
		}
	}
	return fresh, refused, nil
}

// Contested is why a clone does not take a record under whose name it holds another one.
const Contested = "another record has this name here, and records are written once; this clone keeps its " +
	"own (contested)"

// PassArchive judges what an archive of this clone holds and is not known elsewhere, by the full
// names of the records' refs and what they name. It returns how many those are, and every reason
// Why the archive must not go.
func (n *Intake) PassArchive(
	ctx context.Context, mine refs.Archive, known func(ref, object string) bool,
) (fresh int, why []string, err error) {
	held, err := check.ReadArchive(ctx, n.opts.Store, mine)
	if err != nil {
		return 0, nil, err
	}
	held = slices.DeleteFunc(held, func(t check.Target) bool { return known(t.Name, t.Ref.Object) })
	if len(held) == 0 {
		return 0, nil, nil
	}
	for checked, err := range n.judgeTargets(ctx, held, nil) {
		if err != nil {
			return 0, nil, err
		}
		for _, reason := range refusalOf(checked).Why {
			why = append(why, checked.Subject+": "+reason)
		}
	}
	return len(held), why, nil
}
