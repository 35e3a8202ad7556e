package purge

import (
	"context"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Erased is what this clone has taken out for good.
func (g *Purges) Erased() *ledger.Erased { return g.opts.Erased }

// NoteTombstones makes the journal name what purges name now, and nothing else: so no index takes
// that in, and each record is found by its words again whose purge was refused, or did not come so
// far.
func (g *Purges) NoteTombstones(ctx context.Context) error {
	g.opts.Reader.Forget()
	s, err := g.opts.Reader.Fold(ctx)
	if err != nil {
		return err
	}
	return g.noteTombstones(s)
}

func (g *Purges) noteTombstones(s *replay.State) error {
	known, err := g.opts.Erased.Read()
	if err != nil {
		return err
	}
	maps.DeleteFunc(known, func(id packet.ID, _ string) bool { return s.Purged[id].Event != "" })
	g.opts.Erased.Unerase(slices.Collect(maps.Keys(known)))
	g.opts.Erased.Note(slices.Collect(maps.Keys(s.Purged)), s.Stones)
	return nil
}

// Lingers reports whether one of the refs, by their full names, is about a record that this clone has taken out for good. So it
// does where records wait in quarantine, whose time may be over.
func (g *Purges) Lingers(ctx context.Context, held map[string]string) (bool, error) {
	if waiting, err := g.opts.Store.InQuarantine(ctx); err != nil || len(waiting) > 0 {
		return len(waiting) > 0, err
	}
	return g.opts.Erased.Lingers(held)
}

// HeldStamp returns a stamp of all refs of this clone below refs/ltm and of what it has taken out, or "".
func (g *Purges) HeldStamp() (string, error) { return g.opts.Store.HeldStamp(g.opts.Erased.Files()...) }
