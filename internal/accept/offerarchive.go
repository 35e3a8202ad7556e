package accept

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// offeredArchive says what there is to look at where an archive is offered.
func (n *Intake) offeredArchive(ctx context.Context, o check.Offer) ([]check.Target, error) {
	a, ok := refs.ArchiveAt(o.Ref, o.OID)
	if !ok || o.Was != "" && o.Was != o.OID {
		return []check.Target{{Name: o.Ref, Flaw: check.RuleRewrite, Why: check.Misnamed}}, nil
	}
	all, err := check.Within(ctx, n.opts.Store, a, o.Ref)
	if err != nil || o.From != "" {
		return all, err
	}
	held, err := n.opts.Store.Held(ctx, "")
	for i := range all {
		if err == nil {
			err = n.refuseBeside(ctx, &all[i], held)
		}
	}
	return all, err
}

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
	held = slices.DeleteFunc(held, func(t check.Target) bool { return known(t.Name, check.ObjectOf(t)) })
	if len(held) == 0 {
		return 0, nil, nil
	}
	for j, err := range n.judgeTargets(ctx, held, nil) {
		if err != nil {
			return 0, nil, err
		}
		for _, reason := range refusalOf(j.Checked).Why {
			why = append(why, j.Subject+": "+reason)
		}
	}
	return len(held), why, nil
}
