package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Retract takes records out of every list, recall and briefing. Their bytes stay. Every spec must name a record, or nothing is
// changed.
func (m *Memory) Retract(ctx context.Context, specs []string, why string) (Change, error) {
	return m.Happen(ctx, Happen{Event: "retract", Targets: specs, Why: why})
}

// Restore takes it back that records were retracted, archived, superseded or consolidated.
func (m *Memory) Restore(ctx context.Context, specs []string, why string) (Change, error) {
	return m.Happen(ctx, Happen{Event: "restore", Targets: specs, Why: why})
}

// identify returns the id of the record that spec names, of a kind that says something. One that is withheld, or that nobody can
// read, can still be named by its id.
func (m *Memory) identify(ctx context.Context, spec string) (packet.ID, error) {
	if _, ok := nth(spec); !ok {
		ref, err := m.lookupAmong(ctx, refs.Telling(), spec)
		if !errors.Is(err, ErrNotFound) {
			return ref.Name.ID, err
		}
	}
	e, err := m.Find(ctx, spec)
	return e.ID, err
}

// lookupAmong finds the one record of some kinds that spec names.
func (m *Memory) lookupAmong(ctx context.Context, kinds []refs.Kind, spec string) (refs.Ref, error) {
	var found []refs.Ref
	missing := error(nil)
	for _, kind := range kinds {
		ref, err := m.lookupAny(ctx, kind, spec)
		switch {
		case err == nil:
			found = append(found, ref)
		case !errors.Is(err, ErrNotFound):
			return ref, err
		case missing == nil || errors.Is(err, ErrPurged):
			missing = err
		}
	}
	found = slices.CompactFunc(found, func(a, b refs.Ref) bool { return a.Name.ID == b.Name.ID })
	switch len(found) {
	case 0:
		return refs.Ref{}, missing
	case 1:
		return found[0], nil
	}
	return refs.Ref{}, ambiguous(spec, found)
}
