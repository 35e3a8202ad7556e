package replay

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Glance is what some events make of the records that they speak of, without a look at all the others. The
// zero value knows no event.
type Glance struct {
	reader *Reader
	state  State
}

// Glance reads the events about some records, and of each other, which find names by these ids: those, too, about
// what takes the place of one, for of two that say that each takes the place of the other, the later counts.
func (r *Reader) Glance(ctx context.Context, ids []string,
	find func(ctx context.Context, ids []string) (events []string, err error),
) (*Glance, error) {
	events, err := find(ctx, ids)
	for range longestCircle {
		var all []refs.Ref
		for _, full := range events {
			ref, err := r.resolveName(ctx, full)
			if IsUnreadable(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			all = append(all, ref)
		}
		if err != nil {
			return nil, err
		}
		s, err := r.foldThese(ctx, all)
		if err != nil {
			return nil, err
		}
		asked := len(ids)
		for _, id := range ids {
			if next := string(s.Lives[packet.ID(id)].Superseded); next != "" && !slices.Contains(ids, next) {
				ids = append(ids, next)
			}
		}
		had := len(events)
		if len(ids) > asked {
			if events, err = find(ctx, ids); err != nil {
				return nil, err
			}
		}
		if len(events) == had {
			return &Glance{reader: r, state: *s}, nil
		}
	}
	s, err := r.Fold(ctx)
	if err != nil {
		return nil, err
	}
	return &Glance{reader: r, state: *s}, nil
}

// Life returns what became of a record, and whether it was purged.
func (g *Glance) Life(id packet.ID) (life Life, purged bool) {
	_, purged = g.state.Purged[id]
	return g.state.Lives[id], purged
}

// Find returns a packet, a note or a skip by its id.
func (g *Glance) Find(ctx context.Context, id packet.ID) (Entry, error) {
	ref, err := g.reader.lookupAmong(ctx, refs.Telling(), string(id))
	if err != nil {
		return Entry{}, err
	}
	return g.reader.livingIn(ctx, ref, &g.state)
}

// Read returns a record by its full name.
func (g *Glance) Read(ctx context.Context, full string) (Entry, error) {
	ref, err := g.reader.resolveName(ctx, full)
	if err != nil {
		return Entry{}, err
	}
	return g.reader.livingIn(ctx, ref, &g.state)
}
