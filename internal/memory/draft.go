package memory

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// A draft is an event that is not stored yet.
type draft struct {
	kind    string      // required
	targets []packet.ID // required
	by      []packet.ID
	why     string
	value   string
	object  string
	until   time.Time // the zero time leaves it out
	reach   Reach     // that of its targets
}

// record stores events through the gate, all or none. One about records that travel and others that are private becomes two,
// in this order. They count after every event about the same records that is known
// here, also where a clock runs ahead.
func (w *Writer) record(ctx context.Context, drafts ...draft) ([]packet.ID, error) {
	s, err := w.reader.fold(ctx)
	if err != nil {
		return nil, err
	}
	me, err := w.me(ctx)
	if err == nil {
		me, err = w.fit(ctx, me)
	}
	if err != nil {
		return nil, err
	}
	rules, err := w.rules.Rules(ctx)
	if err != nil {
		return nil, err
	}
	if drafts, err = w.byReach(ctx, drafts); err != nil {
		return nil, err
	}
	newest := s.newest()
	ids, passed := make([]packet.ID, len(drafts)), make([]encoded, len(drafts))
	for i, d := range drafts {
		at := s.after(d.targets, w.now())
		if ids[i], err = packet.NewID(at, w.entropy, newest); err != nil {
			return nil, err
		}
		newest = ids[i]
		rec, err := d.event(ids[i], at, w.written(me))
		if err != nil {
			return nil, err
		}
		receipt, err := passGate(rules, rec, Refuse)
		if err != nil {
			return nil, err
		}
		passed[i] = encoded{refs.Name{Kind: refs.Events, ID: ids[i], Private: d.reach == Private}, receipt.Data, signing.AsConfigured}
	}
	_, err = w.put(ctx, passed...)
	return ids, err
}

// event builds the record.
func (d draft) event(id packet.ID, at time.Time, by map[string]string) (*packet.Record, error) {
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
		{"by", d.by},
		{"value", d.value},
		{"object", d.object},
		{"why", d.why},
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
