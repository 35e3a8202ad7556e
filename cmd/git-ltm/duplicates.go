package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// rehearsal tells that nothing was stored, and that nothing may be.
type rehearsal = reply.Rehearsal

// tellDuplicates warns where records that were stored, or would be, say what others say already, and returns
// those of each. It is advice, for which no id waits: it compares with what the index holds, and says nothing
// where that cannot be told.
func (e *env) tellDuplicates(ctx context.Context, m *memory.Memory, dry rehearsal,
	receipts ...gate.Receipt,
) [][]recall.Alike {
	all := reply.Repeats(ctx, m, e.now, receipts...)
	for i, receipt := range receipts {
		for _, d := range all[i] {
			e.tellDuplicate(receipt, d, dry)
		}
	}
	return all
}

// tellDuplicate warns of one record that says the same.
func (e *env) tellDuplicate(receipt gate.Receipt, d recall.Alike, dry rehearsal) {
	text := fmt.Sprintf("%s says what %s says already", receipt.ID, d.Card.ID)
	if d.Conflict != "" {
		text = fmt.Sprintf("%s and %s do not say the same of one thing, %s", receipt.ID, d.Card.ID,
			d.Conflict)
	}
	text += fmt.Sprintf(" (tags %s, text %s)", hundredths(d.Likeness.Tags), hundredths(d.Likeness.Text))
	switch {
	case bool(dry):
	case d.Place != "/text" && d.Place != "/item":
		text += fmt.Sprintf("; it is about %s, and 'git ltm link %s --to %s' ties the two together", d.Place,
			d.Card.ID, receipt.ID)
	case d.Kind == packet.KindPacket:
		text += fmt.Sprintf("; 'git ltm rm %s' takes the new one back", receipt.ID)
	default:
		text += fmt.Sprintf(": 'git ltm supersede %s --by %s --why W' replaces it", d.Card.ID, receipt.ID)
	}
	e.warnf("%s", text)
}

// hundredths writes a part of one: .67.
func hundredths(part float64) string { return strings.TrimPrefix(fmt.Sprintf("%.2f", part), "0") }
