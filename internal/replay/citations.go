package replay

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/citation"
)

// Citations is where the places are looked for that records here cite. The user-wide memory speaks of no project that is known.
func (r *Reader) Citations() citation.Tree {
	if r.IsUser() {
		return citation.Tree{}
	}
	return citation.Tree{Repo: r.opts.Repo, BlobOID: r.opts.Store.BlobOID}
}

// Cited says of each place that some records cite how it is now, in the order of the records.
func (r *Reader) Cited(ctx context.Context, entries []Shown) ([][]citation.Cited, error) {
	records := make([]citation.Record, len(entries))
	for i, e := range entries {
		c := e.Content()
		records[i] = citation.Record{Cites: c.Cites, Anchor: c.Anchor, Elsewhere: e.Store == OfUser}
	}
	return r.Citations().Check(ctx, records)
}
