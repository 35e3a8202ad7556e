package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// ErrElsewhere says that only a remote holds a record.
var ErrElsewhere = errors.New("only a remote holds it")

// Outgoing returns the refs with which memory travels, in the order of their names: all of this clone, or
// those of the packets and events that are named, with their later signatures, and the events about them. A
// record that lies in an archive goes with all of it. The format of the memory goes along.
func (m *Memory) Outgoing(ctx context.Context, specs []string) ([]check.Offer, error) {
	if _, err := m.rules.Whole(ctx); err != nil {
		return nil, err
	}
	list, err := m.store.Held(ctx)
	if err != nil {
		return nil, err
	}
	held := maps.Collect(list.All())
	if len(held) > 0 && held[refs.FormatRef] == "" {
		if held[refs.FormatRef], err = m.store.WriteFormat(ctx); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(held, func(name, _ string) bool { return !refs.InLayout(name) })
	wanted := held
	if len(specs) > 0 {
		named, err := m.Targets(ctx, specs)
		if err != nil {
			return nil, err
		}
		wanted = map[string]string{refs.FormatRef: held[refs.FormatRef]}
		for _, t := range named {
			names, err := m.refsAbout(ctx, t.Ref)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				if held[name] == "" {
					if name, err = m.archiveWith(ctx, name, held); err != nil {
						return nil, err
					}
				}
				wanted[name] = held[name]
			}
		}
	}
	var all []check.Offer
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		all = append(all, check.Offer{Ref: name, OID: held[name], From: name})
	}
	if len(all) == 0 || len(all) == 1 && all[0].Ref == refs.FormatRef {
		return nil, fmt.Errorf("record to send: %w", replay.ErrNotFound)
	}
	return all, nil
}

// refsAbout names a record of this clone, its later signatures, and the events about it.
func (m *Memory) refsAbout(ctx context.Context, ref refs.Ref) ([]string, error) {
	id := ref.Name.ID
	switch {
	case ref.Name.Private:
		return nil, fmt.Errorf("record %s: %w", id, gate.ErrPrivate)
	case ref.Remote != "":
		return nil, fmt.Errorf("record %s: %w", id, ErrElsewhere)
	}
	names := []string{ref.Name.Ref()}
	ids := []packet.ID{id}
	events, err := m.History(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if e.Remote == "" && e.Store != replay.OfClone {
			names, ids = append(names, e.Ref), append(ids, e.ID)
		}
	}
	for _, id := range ids {
		later, err := m.store.Endorsements(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, e := range later {
			if e.Remote == "" {
				names = append(names, e.Full())
			}
		}
	}
	return names, nil
}

// archiveWith returns the name of the archive of this clone that holds a record.
func (m *Memory) archiveWith(ctx context.Context, record string, held map[string]string) (string, error) {
	for _, name := range slices.Sorted(maps.Keys(held)) {
		a, ok := refs.ArchiveAt(name, held[name])
		if !ok {
			continue
		}
		within, err := m.intake.InArchive(ctx, a)
		if err == nil && within[record] != "" {
			return name, nil
		}
		if err != nil && !replay.IsUnreadable(err) {
			return "", err
		}
	}
	return "", fmt.Errorf("record %q: %w", record, replay.ErrNotFound)
}
