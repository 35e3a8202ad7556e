package memory

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Change says what an event did.
type Change struct {
	Event   packet.ID // empty where nothing had to change
	Changed []packet.ID
	Already []packet.ID // these were so before
}

// Retract takes packets out of every list, recall and briefing. Their bytes
// stay. Every spec must name a packet, or nothing is changed.
func (m *Memory) Retract(ctx context.Context, specs []string, why string) (Change, error) {
	return m.change(ctx, "retract", specs, why, func(l Life) bool { return l.Retracted })
}

// Restore takes a retraction back.
func (m *Memory) Restore(ctx context.Context, specs []string, why string) (Change, error) {
	return m.change(ctx, "restore", specs, why, func(l Life) bool { return !l.Retracted })
}

func (m *Memory) change(ctx context.Context, kind string, specs []string, why string, done func(Life) bool) (Change, error) {
	if err := m.heal(ctx); err != nil {
		return Change{}, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return Change{}, err
	}
	var c Change
	var missing []error
	seen := map[packet.ID]bool{}
	for _, spec := range specs {
		id, err := m.identify(ctx, spec)
		switch {
		case err != nil:
			missing = append(missing, err)
		case seen[id]:
		case done(s.lives[id]):
			c.Already = append(c.Already, id)
		default:
			c.Changed = append(c.Changed, id)
		}
		seen[id] = true
	}
	if len(missing) > 0 {
		return Change{}, errors.Join(missing...)
	}
	if len(c.Changed) == 0 {
		return c, nil
	}
	c.Event, err = m.record(ctx, kind, c.Changed, why)
	return c, err
}

// identify returns the id of the packet that spec names. A packet that is
// withheld, or that nobody can read, can still be named by its id.
func (m *Memory) identify(ctx context.Context, spec string) (packet.ID, error) {
	if _, ok := nth(spec); !ok {
		ref, err := m.lookup(ctx, refs.Packets, spec)
		if !errors.Is(err, ErrNotFound) {
			return ref.Name.ID, err
		}
	}
	e, err := m.Find(ctx, spec)
	return e.ID, err
}

// record stores an event through the gate. It counts after every event about
// the same records that is known here, also where a clock runs ahead.
func (m *Memory) record(ctx context.Context, kind string, targets []packet.ID, why string) (packet.ID, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return "", err
	}
	var newest packet.ID
	now := m.opts.Now()
	for _, e := range s.events {
		newest = max(newest, e.ID)
		if about(e.Event, targets) && !now.After(e.Event.CreatedAt) {
			now = e.Event.CreatedAt.Add(time.Millisecond)
		}
	}
	id, err := packet.NewID(now, m.opts.Entropy, newest)
	if err != nil {
		return "", err
	}
	me, err := m.me(ctx)
	if err != nil {
		return "", err
	}
	rec, err := event(kind, id, now, targets, why, me)
	if err != nil {
		return "", err
	}
	rules, err := m.Rules(ctx)
	if err != nil {
		return "", err
	}
	passed, err := rules.pass(rec, Refuse)
	if err != nil {
		return "", err
	}
	return id, m.put(ctx, refs.Events, id, passed.Data)
}

// about tells whether an event speaks of one of the records.
func about(e packet.Event, targets []packet.ID) bool {
	return slices.ContainsFunc(targets, func(id packet.ID) bool { return slices.Contains(e.Targets, string(id)) })
}

// event builds the record of a change.
func event(kind string, id packet.ID, at time.Time, targets []packet.ID, why, author string) (*packet.Record, error) {
	rec := new(packet.Record)
	for _, m := range []struct {
		name  string
		value any
	}{
		{"type", "event"},
		{"id", string(id)},
		{"created_at", at.UTC().Format(time.RFC3339Nano)},
		{"event", kind},
		{"targets", targets},
		{"why", why},
		{"provenance", map[string]string{"author_human": author}},
	} {
		if err := rec.Set(m.name, m.value); err != nil {
			return nil, err
		}
	}
	return rec, nil
}
