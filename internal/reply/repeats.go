package reply

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// ComparedOfMany is how many records of a batch are compared with what was said before.
const ComparedOfMany = 200

// repeatsMost is how many repeats of one record are told.
const repeatsMost = 3

// Repeats returns for each of some records that were stored, or would be, what says the same already, the closest first. It is
// advice: where it cannot be told, or not soon, nothing is said and nothing fails. A dry run writes no index.
func Repeats(ctx context.Context, m *memory.Memory, now func() time.Time, dry Rehearsal, receipts ...memory.Receipt) [][]recall.Alike {
	all := make([][]recall.Alike, len(receipts))
	contents := compared(receipts)
	if len(contents) == 0 || bool(dry) && !recall.IsIndexed(m) || !recall.IsQuick(ctx, m) {
		return all
	}
	r, err := recall.Open(ctx, m, recall.Options{Now: now})
	if err != nil {
		return all
	}
	defer func() { _ = r.Close() }() // Nothing of it is needed any more.
	if bool(dry) && !r.ReadOnly(ctx) || !bool(dry) && !r.CatchUp(ctx, len(receipts)) {
		return all
	}
	told := map[string]bool{} // Of two new records that say the same, one is told of.
	for i, receipt := range receipts[:min(len(receipts), ComparedOfMany)] {
		c, ok := contents[receipt.ID]
		if !ok {
			continue
		}
		found, err := r.Alike(ctx, receipt.ID, c)
		if err != nil {
			break
		}
		for _, d := range found[:min(len(found), repeatsMost)] {
			if !told[d.Card.ID] {
				all[i] = append(all[i], d)
			}
		}
		told[string(receipt.ID)] = len(all[i]) > 0
	}
	return all
}

// compared returns what the new ones among some records say, as far as it is compared with others.
func compared(receipts []memory.Receipt) map[packet.ID]packet.Content {
	all := map[packet.ID]packet.Content{}
	for _, r := range receipts {
		if rec, err := packet.Parse(r.Data, packet.Stored); err == nil && !r.Known && recall.IsCompared(rec.Content()) {
			all[r.ID] = rec.Content()
		}
	}
	return all
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
