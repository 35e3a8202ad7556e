package replay

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Happening is one thing that was done to the memory.
type Happening struct {
	ID       packet.ID // of the record that says so
	At       time.Time
	What     string // "save", or the kind of the event
	Targets  []string
	Why      provenance.Text // the goal of a packet, the reason of an event, with who wrote it
	Standing sign.Standing
	By       []string // of an event: the other records that it names
	Value    provenance.Text
	Until    time.Time // of an event that ends a record
	Made     bool      // this clone made it
}

// Log returns what events did, newest first by id; limit bounds how much, and zero does not.
func (r *Reader) Log(ctx context.Context, limit int) ([]Happening, error) {
	// Of strangers' events those count that do among as many as are wanted; where all are wanted, among all.
	wanted := limit
	if wanted == 0 || r.state != nil {
		wanted = math.MaxInt
	}
	var all []Happening
	var group []refs.Ref
	appendGroup := func() error {
		counting, err := r.Counting(ctx, group)
		if err != nil {
			return err
		}
		s, err := r.foldThese(ctx, counting)
		if err != nil {
			return err
		}
		group = nil
		for _, e := range s.events {
			all = append(all, e.Happening())
		}
		return nil
	}
	for ref, err := range r.Everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true}) {
		if group = append(group, ref); err == nil && len(group) == max(wanted, fewEvents) {
			err = appendGroup()
		}
		if err != nil {
			return nil, err
		}
		if limit > 0 && len(all) >= limit {
			break
		}
	}
	if len(group) > 0 && (limit == 0 || len(all) < limit) {
		if err := appendGroup(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Happening) int { return cmp.Compare(b.ID, a.ID) })
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// Happening is what an event did.
func (e Entry) Happening() Happening {
	return Happening{
		ID: e.ID, At: e.event.CreatedAt, What: e.event.Event, Targets: e.event.Targets,
		Why: e.sealText(e.event.Why), Standing: e.Verdict.Standing, By: e.event.By, Made: e.Made,
		Value: e.sealText(e.event.Value), Until: e.event.ExpiresAt,
	}
}

// History returns the events about one packet, oldest first.
func (r *Reader) History(ctx context.Context, id packet.ID) ([]Shown, error) {
	s, err := r.stateOf(ctx, id)
	if err != nil {
		return nil, err
	}
	var about []Shown
	for _, e := range s.events {
		if slices.Contains(e.event.Targets, string(id)) {
			if shown, why := e.Open(Asked); why == "" {
				about = append(about, shown)
			}
		}
	}
	return about, nil
}

// editLasts is how long after a record the event is stored at most that puts it in the place of another one.
const editLasts = time.Minute

// Replaced returns the record in whose place an edit put one, if it did.
func (r *Reader) Replaced(ctx context.Context, id packet.ID) (old Entry, ok bool, err error) {
	for ref, err := range r.Everything(ctx, refs.Query{Kind: refs.Events, Remotes: true, After: id}) {
		if err != nil || ref.Name.ID.Time().Sub(id.Time()) > editLasts {
			return old, false, err
		}
		e, err := r.Read(ctx, ref)
		if err != nil || !slices.Contains(e.event.By, string(id)) || e.event.Event != "supersede" {
			continue // Others tell of what cannot be read.
		}
		for _, target := range e.event.Targets {
			old, err = r.FindAny(ctx, target)
			if err == nil && old.Life.Superseded == id {
				return old, true, nil
			}
		}
	}
	return old, false, nil
}
