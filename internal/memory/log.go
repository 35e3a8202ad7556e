package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Happening is one thing that was done to the memory.
type Happening struct {
	ID       packet.ID // of the record that says so
	At       time.Time
	What     string // "save", or the kind of the event
	Targets  []string
	Who      packet.Provenance
	Why      string // the goal of a packet, the reason of an event
	Standing sign.Standing
	Parents  []string // of a packet
}

// Log returns what was done to the memory, newest first; limit bounds how much,
// and zero does not.
func (m *Memory) Log(ctx context.Context, limit int) ([]Happening, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	var all []Happening
	for _, e := range s.events {
		all = append(all, Happening{
			ID: e.ID, At: e.Event.CreatedAt, What: e.Event.Event, Targets: e.Event.Targets,
			Who: e.Event.Provenance, Why: e.Event.Why, Standing: e.Verdict.Standing,
		})
	}
	saves := 0
	for e, err := range m.List(ctx, Query{Hidden: true}) {
		if err != nil {
			return nil, err
		}
		all = append(all, Happening{
			ID: e.ID, At: e.Packet.CreatedAt, What: "save", Targets: []string{string(e.ID)}, Who: e.Packet.Provenance,
			Why: e.Packet.Goal, Standing: e.Verdict.Standing, Parents: parents(e.Packet),
		})
		if saves++; saves == limit {
			break
		}
	}
	slices.SortFunc(all, func(a, b Happening) int { return cmp.Compare(b.ID, a.ID) })
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// History returns the events about one packet, oldest first.
func (m *Memory) History(ctx context.Context, id packet.ID) ([]Entry, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	var about []Entry
	for _, e := range s.events {
		if slices.Contains(e.Event.Targets, string(id)) {
			about = append(about, e)
		}
	}
	return about, nil
}
