package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// within are the records of an archive as things to look at. One that cannot be read is one thing with that flaw.
func (m *Memory) within(ctx context.Context, a refs.Archive, subject string) ([]target, error) {
	all, err := m.holding(ctx, a)
	if IsUnreadable(err) {
		return []target{{name: subject, flaw: ruleObject, why: fmt.Sprintf("the archive cannot be read: %v", err)}}, nil
	}
	for i := range all {
		all[i].name = inArchive(subject, all[i].name)
	}
	return all, err
}

// offeredArchive says what there is to look at where an archive is offered. It must hold what the receiver's archive of that
// name holds, but for what was purged.
func (m *Memory) offeredArchive(ctx context.Context, o Offer, writer string) ([]target, error) {
	a := refs.Archive{Writer: writer, Commit: o.OID}
	all, err := m.within(ctx, a, o.Ref)
	if err == nil && o.From == "" {
		err = m.refuseAllBeside(ctx, all)
	}
	if err != nil || o.Was == "" || o.Was == o.OID {
		return all, err
	}
	was, err := m.holding(ctx, refs.Archive{Writer: writer, Commit: o.Was})
	if errors.Is(err, refs.ErrMissing) {
		return all, nil // The sender need not have it; the receiver looks again.
	}
	if err != nil {
		return nil, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	now := map[string]string{}
	for _, t := range all {
		now[t.name] = objectOf(t)
	}
	before := was.names()
	for _, full := range slices.Sorted(maps.Keys(before)) {
		object := before[full]
		if !s.gone(full) && now[inArchive(o.Ref, full)] != object {
			all = append(all, target{name: o.Ref, flaw: ruleRewrite, why: "it lacks " + full + ", which the receiver's archive of this name holds"})
		}
	}
	return all, nil
}

// refuseAllBeside is refuseBeside of what an archive offers.
func (m *Memory) refuseAllBeside(ctx context.Context, all []target) error {
	held, err := m.store.Held(ctx, "")
	if err != nil {
		return err
	}
	for i := range all {
		if err := m.refuseBeside(ctx, &all[i], held); err != nil {
			return err
		}
	}
	return nil
}

// PassArchive judges what an archive of this clone holds and the remote's does not, and returns every reason why it must not
// go.
func (m *Memory) PassArchive(ctx context.Context, mine, theirs refs.Archive) ([]string, error) {
	known, err := m.InArchive(ctx, theirs)
	if err != nil {
		return nil, err
	}
	held, err := m.holding(ctx, mine)
	if err != nil {
		return nil, err
	}
	fresh := slices.DeleteFunc(held, func(t target) bool { return known[t.name] == objectOf(t) })
	var why []string
	for j, err := range m.judgeTargets(ctx, fresh, nil) {
		if err != nil {
			return nil, err
		}
		for _, reason := range refusalOf(j.Checked).Why {
			why = append(why, j.Subject+": "+reason)
		}
	}
	return why, nil
}
