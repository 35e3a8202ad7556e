package accept

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
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

// admitArchive takes what passes of an archive of a remote, as [Intake.Admit] does, and adds it to local, which is
// all that this clone holds.
func (n *Intake) admitArchive(
	ctx context.Context, a refs.Archive, local map[string]string,
) (Admission, error) {
	held, err := n.InArchive(ctx, a)
	if err != nil {
		return Admission{}, err
	}
	var lines strings.Builder
	var contested []Refusal
	passed := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(held)) {
		switch local[name] {
		case "":
			lines.WriteString(held[name] + " " + name + "\n")
		case held[name]:
			passed[name] = true
		default:
			contested = append(contested, Refusal{Ref: name, Why: []string{Contested}})
		}
	}
	keep := func(ctx context.Context, coming git.RefList) ([]string, error) {
		for name, object := range coming.All() {
			passed[name], local[name] = true, object
		}
		s, err := n.opts.Reader.Fold(ctx) // An event that came before may have purged what is here.
		if err != nil {
			return nil, err
		}
		return nil, n.opts.Store.Archives.TakeOver(ctx, a, func(ref string) bool {
			return passed[ref] && !s.Gone(ref)
		})
	}
	offers := git.ReadRefList(lines.String(), func(_, _ string) bool { return true })
	sum, err := n.admitBy(ctx, offers, keep)
	if err == nil && len(sum.Taken) == 0 {
		_, err = keep(ctx, git.RefList{})
	}
	sum.Refused = append(contested, sum.Refused...)
	return sum, err
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
