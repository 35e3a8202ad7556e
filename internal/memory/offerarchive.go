package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// misnamed is what is wrong with an archive whose name does not say which commit it is.
const misnamed = "its name is not the digest of what it holds, and an archive never changes"

// within are the records of an archive as things to look at. One that cannot be read is one thing with that flaw.
func (m *Memory) within(ctx context.Context, a refs.Archive, subject string) ([]check.Target, error) {
	all, err := m.holding(ctx, a)
	if IsUnreadable(err) {
		return []check.Target{{Name: subject, Flaw: check.RuleObject, Why: fmt.Sprintf("the archive cannot be read: %v", err)}}, nil
	}
	for i := range all {
		all[i].Name = inArchive(subject, all[i].Name)
	}
	return all, err
}

// offeredArchive says what there is to look at where an archive is offered.
func (m *Memory) offeredArchive(ctx context.Context, o check.Offer) ([]check.Target, error) {
	a, ok := refs.ArchiveAt(o.Ref, o.OID)
	if !ok || o.Was != "" && o.Was != o.OID {
		return []check.Target{{Name: o.Ref, Flaw: check.RuleRewrite, Why: misnamed}}, nil
	}
	all, err := m.within(ctx, a, o.Ref)
	if err != nil || o.From != "" {
		return all, err
	}
	held, err := m.store.Held(ctx, "")
	for i := range all {
		if err == nil {
			err = m.refuseBeside(ctx, &all[i], held)
		}
	}
	return all, err
}

// PassArchive judges what an archive of this clone holds and is not known elsewhere, by the full
// names of the records' refs and what they name. It returns how many those are, and every reason
// Why the archive must not go.
func (m *Memory) PassArchive(
	ctx context.Context, mine refs.Archive, known func(ref, object string) bool,
) (fresh int, why []string, err error) {
	held, err := m.holding(ctx, mine)
	if err != nil {
		return 0, nil, err
	}
	held = slices.DeleteFunc(held, func(t check.Target) bool { return known(t.Name, objectOf(t)) })
	if len(held) == 0 {
		return 0, nil, nil
	}
	for j, err := range m.judgeTargets(ctx, held, nil) {
		if err != nil {
			return 0, nil, err
		}
		for _, reason := range refusalOf(j.Checked).Why {
			why = append(why, j.Subject+": "+reason)
		}
	}
	return len(held), why, nil
}
