package recall

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// readWorked is how many of the attempts that worked are read for one that failed, the newest.
const readWorked = 16

// isOvercome tells whether an attempt that failed worked later, as the same packet or one that continues it
// says, whose author is trusted at least as much, and which nobody took back or called wrong.
func (r *Recall) isOvercome(ctx context.Context, g *replay.Glance, failed Found, worked []index.Hit,
	reading replay.Reading,
) bool {
	if failed.Item.Kind != packet.ItemAttempt {
		return false
	}
	for _, h := range worked[:min(len(worked), readWorked)] {
		life, purged := g.Life(packet.ID(h.ID))
		if life.Contradicted || r.gateReason(h, life, purged) != "" {
			continue
		}
		e, why := r.openRecord(ctx, g, h.Ref, reading)
		if why != "" || !e.Origin().TrustedAs(failed.Entry.Origin()) {
			continue
		}
		items, isSame := e.Content().Items, h.Ref == failed.Hit.Ref
		if isSame { // What stands behind it was tried after it.
			at := slices.IndexFunc(items, func(i packet.Item) bool { return i.Place == failed.Item.Place })
			items = items[at+1:]
		}
		if !slices.ContainsFunc(items, func(i packet.Item) bool { return i.Overcomes(failed.Item) }) {
			continue
		}
		if isSame {
			return true
		}
		thread, err := r.memory.Threads().Thread(ctx, e.Entry, reading)
		if !r.noteFault(err) &&
			slices.ContainsFunc(thread, func(before replay.Entry) bool { return before.ID == failed.Entry.ID }) {
			return true
		}
	}
	return false
}
