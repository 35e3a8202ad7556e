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
	ids, err := m.record(ctx, draft{kind: kind, targets: c.Changed, why: why})
	if err != nil {
		return Change{}, err
	}
	c.Event = ids[0]
	return c, nil
}

// identify returns the id of the packet that spec names. A packet that is
// withheld, or that nobody can read, can still be named by its id.
func (m *Memory) identify(ctx context.Context, spec string) (packet.ID, error) {
	if _, ok := nth(spec); !ok {
		ref, err := m.lookupAny(ctx, refs.Packets, spec)
		if !errors.Is(err, ErrNotFound) {
			return ref.Name.ID, err
		}
	}
	e, err := m.Find(ctx, spec)
	return e.ID, err
}

// A draft is an event that is not stored yet.
type draft struct {
	kind    string      // required
	targets []packet.ID // required
	why     string
	value   string
	object  string
	until   time.Time // the zero time leaves it out
	reach   Reach     // that of its targets
}

// record stores events through the gate, all or none. One about records that travel and others that are private becomes two,
// in this order. They count after every event about the same records that is known
// here, also where a clock runs ahead.
func (m *Memory) record(ctx context.Context, drafts ...draft) ([]packet.ID, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	me, err := m.me(ctx)
	if err == nil {
		me, err = m.fit(ctx, me)
	}
	if err != nil {
		return nil, err
	}
	rules, err := m.Rules(ctx)
	if err != nil {
		return nil, err
	}
	if drafts, err = m.byReach(ctx, drafts); err != nil {
		return nil, err
	}
	var newest packet.ID
	for _, e := range s.events {
		newest = max(newest, e.ID)
	}
	ids, passed := make([]packet.ID, len(drafts)), make([]encoded, len(drafts))
	for i, d := range drafts {
		at := s.after(d.targets, m.opts.Now())
		if ids[i], err = packet.NewID(at, m.opts.Entropy, newest); err != nil {
			return nil, err
		}
		newest = ids[i]
		rec, err := d.event(ids[i], at, me)
		if err != nil {
			return nil, err
		}
		receipt, err := rules.pass(rec, Refuse)
		if err != nil {
			return nil, err
		}
		passed[i] = encoded{ids[i], receipt.Data, d.reach}
	}
	_, err = m.put(ctx, refs.Events, AsConfigured, passed...)
	return ids, err
}

// lastYear is the last one that a time can state.
const lastYear = 9999

// after returns a time that is not before now and behind every event about the records, but those behind which there is
// no time.
func (s *state) after(targets []packet.ID, now time.Time) time.Time {
	for _, e := range s.events {
		if about(e.Event, targets) && !now.After(e.Event.CreatedAt) {
			if next := e.Event.CreatedAt.UTC().Add(time.Millisecond); next.Year() <= lastYear {
				now = next
			}
		}
	}
	return now
}

// about tells whether an event speaks of one of the records.
func about(e packet.Event, targets []packet.ID) bool {
	return slices.ContainsFunc(targets, func(id packet.ID) bool { return slices.Contains(e.Targets, string(id)) })
}

// event builds the record.
func (d draft) event(id packet.ID, at time.Time, author string) (*packet.Record, error) {
	until := ""
	if !d.until.IsZero() {
		until = d.until.UTC().Format(time.RFC3339)
	}
	rec := new(packet.Record)
	for _, m := range []struct {
		name  string
		value any
	}{
		{"type", "event"},
		{"id", string(id)},
		{"created_at", at.UTC().Format(time.RFC3339Nano)},
		{"event", d.kind},
		{"targets", d.targets},
		{"value", d.value},
		{"object", d.object},
		{"why", d.why},
		{"expires_at", until},
		{"provenance", map[string]string{"author_human": author}},
	} {
		if m.value == "" {
			continue
		}
		if err := rec.Set(m.name, m.value); err != nil {
			return nil, err
		}
	}
	return rec, nil
}
