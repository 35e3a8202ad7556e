package reply

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Repeats returns for each of some records that were stored, or would be, what says the same already, the closest first. It is
// advice: where it cannot be told nothing is said and nothing fails.
func Repeats(ctx context.Context, m *memory.Memory, now func() time.Time, receipts ...gate.Receipt) [][]recall.Alike {
	said := make([]recall.Said, len(receipts))
	for i, r := range receipts {
		if rec, err := packet.Parse(r.Data, packet.Stored); err == nil && !r.Known {
			said[i] = recall.Said{ID: r.ID, Content: rec.Content()}
		}
	}
	return recall.Repeats(ctx, m, recall.Options{Now: now}, said)
}

// With adds the records that say the same.
func (s Saved) With(rules *scan.Rules, repeats []recall.Alike) Saved {
	for _, d := range repeats {
		s.Duplicates = append(s.Duplicates, Duplicate{
			ID: d.Card.ID, Type: string(d.Kind), Place: d.Place, Tags: d.Likeness.Tags, Text: d.Likeness.Text, Conflict: Printable(rules, d.Conflict),
		})
	}
	return s
}
