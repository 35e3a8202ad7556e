package memory

import (
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
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
	var c Change
	var missing []error
	seen := map[packet.ID]bool{}
	for _, spec := range specs {
		e, err := m.Find(ctx, spec)
		switch {
		case err != nil:
			missing = append(missing, err)
		case seen[e.ID]:
		case done(e.Life):
			c.Already = append(c.Already, e.ID)
		default:
			c.Changed = append(c.Changed, e.ID)
		}
		seen[e.ID] = true
	}
	if len(missing) > 0 {
		return Change{}, errors.Join(missing...)
	}
	if len(c.Changed) == 0 {
		return c, nil
	}
	var err error
	c.Event, err = m.record(ctx, kind, c.Changed, why)
	return c, err
}

// record stores an event through the gate.
func (m *Memory) record(ctx context.Context, kind string, targets []packet.ID, why string) (packet.ID, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return "", err
	}
	var newest packet.ID
	for _, e := range s.events {
		newest = max(newest, e.ID)
	}
	now := m.opts.Now()
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
	data, findings, err := inspect(rec)
	if err != nil {
		return "", err
	}
	if hits := redact.Blocking(findings); len(hits) > 0 {
		return "", &SecretError{Findings: hits}
	}
	return id, m.put(ctx, refs.Events, id, data)
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
