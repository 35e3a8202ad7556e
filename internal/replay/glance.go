package replay

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Glance is what some events make of the records that they speak of, without a look at all the others. The
// zero value knows no event.
type Glance struct {
	reader *Reader
	state  State
}

// Glance reads events by their full names. They have to be all that speak of the records in question, and of
// each other.
func (r *Reader) Glance(ctx context.Context, events []string) (*Glance, error) {
	all := make([]refs.Ref, 0, len(events))
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
	s, err := r.foldThese(ctx, all)
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
