package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// The bounds of a warning about what was said before.
const (
	duplicateMost  = 3   // of one record
	comparedOfMany = 200 // records of a batch are compared
)

// duplicate is the JSON shape of a record that says already what was stored.
type duplicate struct {
	ID       string  `json:"id"`
	Type     string  `json:"type"`
	Place    string  `json:"place"` // where the new record says it
	Tags     float64 `json:"tags"`  // how much of the tags both have, from 0 to 1
	Text     float64 `json:"text"`  // how much of the texts both have, from 0 to 1
	Conflict string  `json:"conflict,omitempty"`
}

// rehearsal tells that nothing was stored, and that nothing may be.
type rehearsal bool

// tellDuplicates warns where records that were stored, or would be, say what others say already, and returns those of each. It is
// advice: where it cannot be told, or not soon, nothing is said and nothing fails. A dry run writes no index.
func (e *env) tellDuplicates(ctx context.Context, m *memory.Memory, dry rehearsal, receipts ...memory.Receipt) [][]duplicate {
	all := make([][]duplicate, len(receipts))
	contents := compared(receipts)
	if len(contents) == 0 || bool(dry) && !recall.IsIndexed(m) {
		return all
	}
	if !recall.IsQuick(ctx, m) {
		return all
	}
	r, err := recall.Open(ctx, m, recall.Options{Now: e.now})
	if err != nil {
		return all
	}
	defer func() { _ = r.Close() }() // Nothing of it is needed any more.
	if bool(dry) && !r.ReadOnly(ctx) || !bool(dry) && !r.CatchUp(ctx, len(receipts)) {
		return all
	}
	if len(receipts) > comparedOfMany {
		e.say("hint", fmt.Sprintf("the first %d of them are compared with what was said before", comparedOfMany))
		receipts = receipts[:comparedOfMany]
	}
	told := map[string]bool{} // Of two new records that say the same, one is told of.
	for i, receipt := range receipts {
		c, ok := contents[receipt.ID]
		if !ok {
			continue
		}
		found, err := r.Alike(ctx, receipt.ID, c)
		if err != nil {
			break
		}
		found = found[:min(len(found), duplicateMost)]
		for _, d := range found {
			if !told[d.Card.ID] {
				all[i] = append(all[i], e.tellDuplicate(receipt, d, dry))
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

// tellDuplicate warns of one record that says the same.
func (e *env) tellDuplicate(receipt memory.Receipt, d recall.Alike, dry rehearsal) duplicate {
	text := fmt.Sprintf("%s says what %s says already", receipt.ID, d.Card.ID)
	if d.Conflict != "" {
		text = fmt.Sprintf("%s and %s do not say the same of one thing, %s", receipt.ID, d.Card.ID, d.Conflict)
	}
	text += fmt.Sprintf(" (tags %s, text %s)", hundredths(d.Likeness.Tags), hundredths(d.Likeness.Text))
	switch {
	case bool(dry):
	case d.Place != "/text" && d.Place != "/item":
		text += fmt.Sprintf("; it is about %s, and 'git ltm link %s --to %s' ties the two together", d.Place, d.Card.ID, receipt.ID)
	case d.Kind == packet.KindPacket:
		text += fmt.Sprintf("; 'git ltm rm %s' takes the new one back", receipt.ID)
	default:
		text += fmt.Sprintf(": 'git ltm supersede %s --by %s --why W' replaces it", d.Card.ID, receipt.ID)
	}
	e.warnf("%s", text)
	return duplicate{
		ID: d.Card.ID, Type: string(d.Kind), Place: d.Place, Tags: d.Likeness.Tags, Text: d.Likeness.Text, Conflict: e.printable(d.Conflict),
	}
}

// with adds the records that say the same.
func (s saved) with(duplicates []duplicate) saved {
	s.Duplicates = duplicates
	return s
}

// hundredths writes a part of one: .67.
func hundredths(part float64) string { return strings.TrimPrefix(fmt.Sprintf("%.2f", part), "0") }
