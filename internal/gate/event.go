package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Happen is something that became of records.
type Happen struct {
	Event   string    // required: the word of an event
	Targets []string  // required: records, as FindAny takes them; events for an undo
	By      []string  // other records that it speaks of
	Value   string    // in the form that the event has
	Why     string    // the reason
	Until   time.Time // for an event that says until when
}

// Change says what an event did.
type Change struct {
	Event   packet.ID   `json:"event,omitempty"` // empty where nothing had to change
	Changed []packet.ID `json:"changed"`
	Already []packet.ID `json:"already"` // these were so before
	// Unheeded are those of Changed that other clones leave as they are until somebody there accepts the
	// event: nobody signed it.
	Unheeded []Waiting `json:"-"`
}

// Waiting is a record on which a change waits, and whoever wrote it; "" where that cannot be read.
type Waiting struct {
	ID packet.ID
	By string
}

// ErrSelf says that an event would set a record in relation to itself.
var ErrSelf = errors.New("it cannot be about itself")

// Happen stores what became of records, as an event. Every record must be there, or nothing is changed.
// Records that are so already are left as they are.
func (w *Writer) Happen(ctx context.Context, h Happen) (Change, error) {
	if err := w.opts.Heal(ctx); err != nil {
		return Change{}, err
	}
	s, err := w.opts.Reader.Fold(ctx)
	if err != nil {
		return Change{}, err
	}
	d := Event{Kind: h.Event, Value: h.Value, Why: h.Why, Until: h.Until}
	by, err := w.identifyAll(ctx, h.By, w.opts.Reader.Identify)
	if err != nil {
		return Change{}, err
	}
	for _, name := range by {
		d.By = append(d.By, name.ID)
	}
	identify := w.opts.Reader.Identify
	if h.Event == replay.UndoEvent {
		identify = w.findUndoable
	}
	targets, err := w.identifyAll(ctx, h.Targets, identify)
	if err != nil {
		return Change{}, err
	}
	var c Change
	for _, target := range targets {
		switch {
		case slices.Contains(d.By, target.ID):
			return Change{}, fmt.Errorf("record %s: %w", target.ID, ErrSelf)
		case s.IsSo(h.Event, d.By, h.Value, target.ID):
			c.Already = append(c.Already, target.ID)
		default:
			c.Changed = append(c.Changed, target.ID)
		}
	}
	if d.Targets = c.Changed; len(d.Targets) == 0 {
		return c, nil
	}
	stored, err := w.StoreEvents(ctx, d)
	if err != nil {
		return Change{}, err
	}
	c.Event = stored[0]
	me, err := w.Author(ctx)
	if err != nil {
		return Change{}, err
	}
	for _, target := range targets {
		if !slices.Contains(c.Changed, target.ID) || w.opts.Seen.Made(target) {
			continue
		}
		found, err := w.opts.Reader.FindAny(ctx, string(target.ID))
		anothers := err == nil && replay.Replaces(h.Event) && found.Origin().Author.AuthorHuman != me
		if replay.Hides(h.Event) && !anothers && (err != nil || !found.Trusted()) {
			continue // What is not trusted here is hidden for this clone alone.
		}
		waiting := Waiting{ID: target.ID}
		if err == nil {
			waiting.By = found.Origin().By()
		}
		c.Unheeded = append(c.Unheeded, waiting)
	}
	if len(c.Unheeded) > 0 {
		if was, _ := w.opts.Seen.Find(refs.Name{Kind: refs.Events, ID: c.Event}); was.Tag != "" {
			c.Unheeded = nil // It was signed.
		}
	}
	return c, nil
}

// identifyAll names records, each once, or tells all that are not there.
func (w *Writer) identifyAll(ctx context.Context, specs []string,
	identify func(context.Context, string) (refs.Name, error),
) ([]refs.Name, error) {
	var all []refs.Name
	var missing []error
	for _, spec := range specs {
		name, err := identify(ctx, spec)
		switch {
		case err != nil:
			missing = append(missing, err)
		case !slices.ContainsFunc(all, func(other refs.Name) bool { return other.ID == name.ID }):
			all = append(all, name)
		}
	}
	return all, errors.Join(missing...)
}

// findUndoable names an event that can be taken back.
func (w *Writer) findUndoable(ctx context.Context, spec string) (refs.Name, error) {
	ref, err := w.opts.Reader.LookupAny(ctx, refs.Events, spec)
	if err != nil {
		return ref.Name, err
	}
	e, err := w.opts.Reader.Living(ctx, ref)
	if err != nil {
		return ref.Name, &replay.ReadError{Ref: ref.Full(), Err: err}
	}
	switch e.EventKind() {
	case replay.PurgeEvent:
		return ref.Name, fmt.Errorf("event %s: %w", e.ID, replay.ErrTombstone)
	case replay.AllowEvent, replay.DisallowEvent:
		return ref.Name, fmt.Errorf("event %s: %w", e.ID, ErrAllowance)
	}
	return ref.Name, nil
}

// ErrAllowance says that an event speaks of findings, which are allowed and disallowed only.
var ErrAllowance = errors.New("it is about a finding, and is taken back by 'git ltm allow --revoke'")

// Event is an event that is not stored yet.
type Event struct {
	Kind    string      // required
	Targets []packet.ID // required
	By      []packet.ID // other records that it speaks of
	Why     string
	Value   string
	Object  string
	Until   time.Time    // the zero time leaves it out
	Reach   replay.Reach // of one that speaks of private records beside its targets; else it is that of these
}

// StoreEvents stores events through the gate, all or none. One about records that travel and others that are
// private becomes two, in this order. They count after every event about the same records that is known here,
// also where a clock runs ahead.
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
		rec, err := d.newRecord(ids[i], at, w.writtenBy(me))
		if err != nil {
			return nil, err
		}
		receipt, err := w.passWritten(rules, rec, Answer{})
		if err != nil {
			return nil, err
		}
		passed[i] = encoded{
			refs.Name{Kind: refs.Events, ID: ids[i], Private: d.Reach == replay.Private},
			receipt.Data, AsConfigured,
		}
	}
	_, err = w.createRefs(ctx, passed...)
	return ids, err
}

// newRecord builds the record.
func (d Event) newRecord(id packet.ID, at time.Time, by map[string]string) (*packet.Record, error) {
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
		{"by", d.By},
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
