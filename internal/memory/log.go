package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
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
			ID: e.ID, At: e.event.CreatedAt, What: e.event.Event, Targets: e.event.Targets,
			Why: e.says(e.event.Why), Standing: e.Verdict.Standing,
		})
	}
	saves := 0
	for e, err := range m.List(ctx, Query{Hidden: true}) {
		if err != nil {
			return nil, err
		}
		all = append(all, Happening{
			ID: e.ID, At: e.packet.CreatedAt, What: "save", Targets: []string{string(e.ID)},
			Why: e.says(e.packet.Goal), Standing: e.Verdict.Standing, Parents: parents(e.packet),
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
func (m *Memory) History(ctx context.Context, id packet.ID) ([]Shown, error) {
	s, err := m.fold(ctx)
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
