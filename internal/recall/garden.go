package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// byProgram is the origin of a note that a program wrote.
const byProgram = "tool"

// Bed is the notes that gardening may put together.
type Bed struct {
	Cards    []garden.Card
	Entries  map[string]replay.Shown // the notes of the cards, by id
	Merged   []replay.Shown          // notes that were written in place of others, which still count
	Unknowns int                     // notes that count, and that nobody here vouches for
}

// Cards returns the notes of a memory that count now. What nobody here vouches for is only counted: a note in
// its place would be vouched for. What was contradicted is left out until that is settled.
func Cards(ctx context.Context, m *memory.Memory) (Bed, error) {
	bed := Bed{Entries: map[string]replay.Shown{}}
	var live []replay.Shown
	for e, err := range m.List(ctx, replay.Query{Kind: packet.KindNote}) {
		if err != nil {
			return Bed{}, err
		}
		if e.Life.Resting() || e.Life.Contradicted {
			continue
		}
		shown, why := e.Open(replay.Asked)
		if why != "" || !e.Trusted() {
			bed.Unknowns++
			continue
		}
		bed.Entries[string(e.ID)] = shown
		live = append(live, shown)
	}
	for _, e := range live {
		// A program wrote it in place of others which all count still: whoever did it died before the end, or
		// took it back.
		if e.Note().Origin == byProgram && len(e.Note().Links) > 1 &&
			!slices.ContainsFunc(e.Note().Links, func(id string) bool {
				_, counts := bed.Entries[id]
				return !counts
			}) {
			bed.Merged = append(bed.Merged, e)
			continue
		}
		// A note as gardening sees it. Only notes of one author come together, and only those
		// that end on the same day, or never: nothing is lost before its end, and nothing
		// outlives it.
		c := contentCard(string(e.ID), e.Content(), 0)
		c.Why = e.Note().Why
		c.Class, c.Store = cmp.Or(e.Note().Provenance.AuthorHuman, e.Note().Provenance.Agent)+"\x00",
			string(e.Store)
		if end := e.ExpiresAt(); !end.IsZero() {
			c.Class += end.UTC().Format(time.DateOnly)
		}
		bed.Cards = append(bed.Cards, c)
	}
	return bed, nil
}

// contentCard is an item of a record as gardening sees it.
func contentCard(id string, c packet.Content, item int) garden.Card {
	i := c.Items[item]
	return garden.Card{ID: id, Kind: i.Kind, Text: i.Text, Why: i.Why, Tags: c.Tags, Created: c.CreatedAt}
}

// Inherit counts for a record the uses of those in whose place it stands. Where nothing can be written, none
// is counted.
func Inherit(m *memory.Memory, heir packet.ID, of []packet.ID) {
	u := openUsage(m)
	var sum Use
	for _, id := range of {
		if last := u.useOf(id).Last; last.After(sum.Last) {
			sum.Last = last
		}
	}
	for _, id := range of {
		if use := u.useOf(id); use.Uses > 0 {
			sum.Uses += rank.AddUse(use.Uses, use.Last, sum.Last) - 1
		}
	}
	if sum.Uses > 0 {
		u.countUses([]packet.ID{heir}, sum.Last, func(Use, time.Time) Use { return sum })
	}
}
