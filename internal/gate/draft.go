package gate

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// Event is an event that is not stored yet.
type Event struct {
	Kind    string      // required
	Targets []packet.ID // required
	by      []packet.ID
	Why     string
	Value   string
	Object  string
	Until   time.Time    // the zero time leaves it out
	reach   replay.Reach // that of its targets
}

// StoreEvents stores events through the gate, all or none. One about records that travel and others that are private becomes two,
// in this order. They count after every event about the same records that is known
// here, also where a clock runs ahead.
func (w *Writer) StoreEvents(ctx context.Context, drafts ...Event) ([]packet.ID, error) {
	s, err := w.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		if err := w.ownWords(ctx, d.Value, d.Why); err != nil {
			return nil, err
		}
	}
	me, err := w.Author(ctx)
	if err != nil {
		return nil, err
	}
	rules, err := w.opts.Rules.Rules(ctx)
	if err != nil {
		return nil, err
	}
	if drafts, err = w.byReach(ctx, drafts); err != nil {
		return nil, err
	}
	newest := s.Newest()
	ids, passed := make([]packet.ID, len(drafts)), make([]encoded, len(drafts))
	for i, d := range drafts {
		at := s.After(d.Targets, w.opts.Now())
		if ids[i], err = packet.NewID(at, w.opts.Entropy, newest); err != nil {
			return nil, err
		}
		newest = ids[i]
		rec, err := d.event(ids[i], at, w.written(me))
		if err != nil {
			return nil, err
		}
		receipt, err := w.passWritten(rules, rec, Answer{})
		if err != nil {
			return nil, err
		}
		passed[i] = encoded{refs.Name{Kind: refs.Events, ID: ids[i], Private: d.reach == replay.Private}, receipt.Data, signing.AsConfigured}
	}
	_, err = w.put(ctx, passed...)
	return ids, err
}

// event builds the record.
func (d Event) event(id packet.ID, at time.Time, by map[string]string) (*packet.Record, error) {
	until := ""
	if !d.Until.IsZero() {
		until = d.Until.UTC().Format(time.RFC3339)
	}
	rec := new(packet.Record)
	for _, m := range []struct {
		name  string
		value any
	}{
		{"type", "event"},
		{"id", string(id)},
		{"created_at", at.UTC().Format(time.RFC3339Nano)},
		{"event", d.Kind},
		{"targets", d.Targets},
		{"by", d.by},
		{"value", d.Value},
		{"object", d.Object},
		{"why", d.Why},
		{"expires_at", until},
		{"provenance", by},
	} {
		if ids, ok := m.value.([]packet.ID); m.value == "" || ok && len(ids) == 0 {
			continue
		}
		if err := rec.Set(m.name, m.value); err != nil {
			return nil, err
		}
	}
	return rec, nil
}
