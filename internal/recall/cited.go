package recall

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// citeAhead checks the places that the records of some hits cite, all at once. Most of what that costs is
// asking git.
func (r *Recall) citeAhead(ctx context.Context, g *replay.Glance, hits []index.Hit) {
	var entries []replay.Shown
	var refs []string
	for _, h := range hits {
		if _, known := r.cited[h.Ref]; known || len(h.Record.Paths) == 0 {
			continue
		}
		e, ok := r.readEntry(ctx, g, h.Ref)
		if !ok {
			continue // Whoever reads it is told.
		}
		r.cited[h.Ref] = nil
		shown, why := e.Open(replay.Asked)
		if why != "" {
			continue
		}
		entries, refs = append(entries, shown), append(refs, h.Ref)
	}
	all, err := r.memory.Cited(ctx, entries)
	if r.noteFault(err) {
		return
	}
	for i, ref := range refs {
		r.cited[ref] = all[i]
	}
}
