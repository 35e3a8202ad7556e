package recall

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of a look for what says the same.
const (
	alikeFound  = 10  // items that share most words are looked at in the index
	alikeRead   = 3   // records of those are read at most
	alikeTold   = 3   // how many of those that say the same are told of one record
	alikeOfMany = 200 // records of a batch that are compared
	alikeNewest = 3   // records that the index does not hold yet are read, the newest
	nearWords   = 6   // what has fewer words is not looked for beside what has more
)

// Alike is a record that says already what an item says.
type Alike struct {
	garden.Duplicate

	Place string      // of the item
	Kind  packet.Kind // of the record that says it already
}

// Said is what a record says that was stored, or would be.
type Said struct {
	ID      packet.ID
	Content packet.Content
}

// IsIndexed tells whether the index of a memory was made before.
func IsIndexed(m *memory.Memory) bool {
	_, err := os.Lstat(IndexPath(m))
	return err == nil
}

// Repeats returns for each of some records what says the same already, the closest first: those before it
// among them, what the index holds, however old that is, and the newest few that it does not. It is advice:
// nothing is written, and where it cannot be told nothing fails. Of many records the first are compared.
func Repeats(ctx context.Context, m *memory.Memory, o Options, records []Said) [][]Alike {
	all := make([][]Alike, len(records))
	records = records[:min(len(records), alikeOfMany)]
	if !slices.ContainsFunc(records, func(s Said) bool {
		return slices.ContainsFunc(s.Content.Items, func(i packet.Item) bool {
			return alikeKinds(s.Content.Kind, i.Kind) != nil
		})
	}) {
		return all
	}
	r := asItIs(m, o)
	if r != nil {
		defer func() { _ = r.Close() }()
	}
	newest := map[packet.Kind][]Said{}
	for i, said := range records {
		kind := packet.KindNote
		if said.Content.Kind == packet.KindSkip {
			kind = packet.KindSkip
		}
		if _, known := newest[kind]; !known {
			newest[kind] = r.newestSaid(ctx, m, kind, records)
		}
		found := r.findAlike(ctx, said, slices.Concat(records[:i], newest[kind]))
		if r != nil && r.fault != nil {
			break
		}
		all[i] = found[:min(len(found), alikeTold)]
	}
	return all
}

// asItIs makes a memory ready for questions to the index as it is, however old; nil where it has none.
func asItIs(m *memory.Memory, o Options) *Recall {
	if !IsIndexed(m) || m.Purges().Erased().MustForget() {
		return nil
	}
	r := openHere(m, o)
	r.fresh = true // Nothing brings the index up to date now.
	return r
}

// Near returns records that have most words of some texts and that are not trusted here, as far as the index
// knows them. Where it cannot be asked they are none.
func Near(ctx context.Context, m *memory.Memory, o Options, texts []string) []replay.Entry {
	r := asItIs(m, o)
	if r == nil {
		return nil
	}
	defer func() { _ = r.Close() }()
	var all []replay.Entry
	for _, text := range texts {
		if len(strings.Fields(text)) < nearWords {
			continue
		}
		hits := r.searchIndex(ctx, Query{Query: index.Query{Text: text}}, alikeFound, crowd{})
		glance := r.glanceAt(ctx, hits)
		for _, h := range hits {
			if e, ok := r.readEntry(ctx, glance, h.Ref); ok && !e.Trusted() {
				all = append(all, e)
			}
		}
	}
	return all
}

// findAlike returns what says already what a note, a skip, or a decision of a packet says, the closest first.
// What was taken back, or is told to nobody unasked, is none.
func (r *Recall) findAlike(ctx context.Context, said Said, before []Said) []Alike {
	var all []Alike
	for n, item := range said.Content.Items {
		kinds := alikeKinds(said.Content.Kind, item.Kind)
		if len(kinds) == 0 {
			continue
		}
		others := r.findSimilar(ctx, contentCard(string(said.ID), said.Content, n), kinds)
		for _, b := range before {
			for at, i := range b.Content.Items {
				if slices.Contains(kinds, i.Kind) ||
					slices.Contains(kinds, string(b.Content.Kind)) && i.Kind != packet.NoteIdentity {
					others = append(others, other{contentCard(string(b.ID), b.Content, at), b.Content.Kind})
				}
			}
		}
		cards := make([]garden.Card, len(others))
		for i, o := range others {
			cards[i] = o.card
		}
		for _, d := range garden.Duplicates(contentCard(string(said.ID), said.Content, n), cards) {
			at := slices.IndexFunc(others, func(o other) bool { return o.card.ID == d.Card.ID })
			all = append(all, Alike{Duplicate: d, Place: item.Place, Kind: others[at].kind})
		}
	}
	return all
}

// newestSaid are the newest records of a kind that the index lacks, but those that were stored now: somebody
// who says the same twice in a row is told. Where it lacks none only names are read.
func (r *Recall) newestSaid(ctx context.Context, m *memory.Memory, kind packet.Kind, stored []Said) []Said {
	var held []string
	if r != nil && r.index != nil {
		_, held = r.index.Base(ctx)
	}
	var lacking []index.Listed
	for l, err := range m.Source().Newest(ctx, kind) {
		if err != nil {
			return nil
		}
		if slices.ContainsFunc(stored, func(s Said) bool { return string(s.ID) == path.Base(l.Ref) }) {
			continue
		}
		if r != nil && (!l.Young || slices.Contains(held, l.Record)) || len(lacking) == alikeNewest {
			break // It and what is older is known.
		}
		lacking = append(lacking, l)
	}
	var all []Said
	for _, l := range lacking {
		entry, ok, err := m.Source().ReadNew(ctx, l)
		if err != nil {
			break
		}
		if shown, why := entry.Open(replay.Asked); ok && why == "" && !entry.Life.Resting() {
			all = append(all, Said{ID: entry.ID, Content: shown.Content()})
		}
	}
	return all
}

// alikeKinds are the kinds of items and of records with which an item is compared. Packets of one thread say
// many things again, so that their decisions are compared with notes alone; who somebody is was always said
// before.
func alikeKinds(record packet.Kind, item string) []string {
	switch {
	case item == packet.NoteIdentity:
		return nil
	case record == packet.KindNote:
		return []string{string(packet.KindNote), packet.ItemDecision}
	case record == packet.KindSkip:
		return []string{string(packet.KindSkip)}
	case item == packet.ItemDecision:
		return []string{string(packet.KindNote)}
	default:
		return nil
	}
}

// other is an item of another record.
type other struct {
	card garden.Card
	kind packet.Kind
}

// findSimilar finds items that may say what a card says and that no gate keeps out. Without an index it finds
// none.
func (r *Recall) findSimilar(ctx context.Context, card garden.Card, kinds []string) (all []other) {
	if r == nil {
		return nil
	}
	// The same text has all of the words, and another one says the same only where the tags do.
	q := index.Query{Text: card.Text, Kinds: kinds, Full: !garden.Related(card.Tags, card.Tags)}
	hits := r.searchIndex(ctx, Query{Query: q}, alikeFound, crowd{})
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool {
		return h.ID == card.ID || h.Kind == packet.NoteIdentity ||
			!h.Full && !garden.Related(card.Tags, h.Record.Tags)
	})
	if len(hits) == 0 {
		return nil
	}
	glance := r.glanceAt(ctx, hits)
	left := alikeRead
	for _, h := range hits {
		life, purged := glance.Life(packet.ID(h.ID))
		if life.Resting() || r.gateReason(h, life, purged) != "" {
			continue
		}
		if left--; left < 0 {
			break
		}
		shown, why := r.openRecord(ctx, glance, h.Ref, replay.Asked)
		c := shown.Content()
		at := slices.IndexFunc(c.Items, func(i packet.Item) bool { return i.Place == h.Place })
		if why == "" && at >= 0 {
			all = append(all, other{contentCard(h.ID, c, at), c.Kind})
		}
	}
	return all
}
