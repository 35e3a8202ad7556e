package retrieval

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// Indexed is the search of the index of this project, with what recall makes of it: which answers are sure. Age, use and the other
// things that decide among equals do not count. Its second result closes the index.
func Indexed(ctx context.Context, c *Collection) (Searcher, func() error, error) {
	ids := map[string]string{}
	documents := make([]index.Document, 0, len(c.Documents))
	for _, d := range c.Documents {
		ref := "refs/ltm/" + string(d.Content.Kind) + "s/" + string(ulidOf(d.ID))
		ids[ref] = d.ID
		documents = append(documents, index.Document{Ref: ref, Content: d.Content})
	}
	x, err := index.Memory(ctx, documents)
	if err != nil {
		return nil, nil, fmt.Errorf("index %s: %w", c.Name, err)
	}
	return func(ctx context.Context, q Question, limit int) (hits []Hit, err error) {
		found, err := x.Search(ctx, index.Query{Text: q.Text, Also: q.Also, Limit: limit})
		for _, h := range found {
			hits = append(hits, Hit{Key: Key(ids[h.Ref], h.Place), Weak: !recall.IsSure(h)})
		}
		return hits, err
	}, x.Close, nil
}

// ulidOf is the id under which a document is indexed: its own where that is a ULID, or one made of it.
func ulidOf(id string) packet.ID {
	if own, err := packet.ParseID(id); err == nil {
		return own
	}
	return packet.DeriveID(id, madeUp())
}

// madeUp is the moment of a document that tells none.
func madeUp() time.Time { return time.Date(2026, time.November, 1, 12, 0, 0, 0, time.UTC) }
