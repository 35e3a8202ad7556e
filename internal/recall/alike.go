package recall

import (
	"context"
	"errors"
	"os"
	"slices"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The bounds of a look for what says the same.
const (
	alikeLooked = 30  // records that share most words are compared
	alikeWords  = 40  // words of a text that find them
	alikeUnread = 300 // records of a memory without an index, at most: a save builds none of a large one
)

// Alike is a record that says already what an item says.
type Alike struct {
	garden.Duplicate

	Place string      // of the item
	Kind  packet.Kind // of the record that says it already
}

// IsIndexed tells whether the index of a memory was made before.
func IsIndexed(m *memory.Memory) bool {
	_, err := os.Lstat(IndexPath(m))
	return err == nil
}

// CatchUp brings the index up to the refs where not more than a few hundred records came in beside those that were stored just now.
// It returns false where there are more, or where the index cannot be read or written.
func (r *Recall) CatchUp(ctx context.Context, stored int) bool {
	seen, err := r.memory.Stamp(ctx)
	if err != nil {
		return false
	}
	stamp := seen.String()
	if r.fresh = r.index != nil && stamp != "" && r.index.Stamp(ctx) == stamp; r.fresh {
		return true
	}
	listed, err := r.memory.Listing(ctx)
	if err != nil || r.index == nil && len(listed) > alikeUnread {
		return false
	}
	if r.index == nil {
		return r.refresh(ctx) == nil
	}
	load, most := r.load(listed), alikeUnread+stored
	_, err = r.index.Sync(ctx, stamp, names(listed), func(ctx context.Context, wanted []index.Listed) ([]index.Document, error) {
		if most -= len(wanted); most < 0 {
			return nil, errBehind
		}
		return load(ctx, wanted)
	})
	r.fresh = err == nil
	return r.fresh
}

// errBehind says that an index lacks too many records to wait for it.
var errBehind = errors.New("index is far behind")

// ReadOnly lets questions write nothing: a small memory is read in place of an index that is behind. It returns false for a large one.
func (r *Recall) ReadOnly(ctx context.Context) bool {
	seen, err := r.memory.Stamp(ctx)
	if err != nil {
		return false
	}
	stamp := seen.String()
	if r.fresh = r.index != nil && stamp != "" && r.index.Stamp(ctx) == stamp; r.fresh {
		return true
	}
	err = r.Close()
	r.index = nil
	return err == nil && r.CatchUp(ctx, 0)
}

// IsQuick tells whether what says the same can be looked for without reading a large memory as a whole.
func IsQuick(ctx context.Context, m *memory.Memory) bool {
	if IsIndexed(m) {
		return true
	}
	held, err := m.Held(ctx)
	return err == nil && held <= alikeUnread
}

// IsCompared tells a record of which [Recall.Alike] compares an item with others.
func IsCompared(c packet.Content) bool {
	return slices.ContainsFunc(c.Items, func(i packet.Item) bool { return alikeKinds(c.Kind, i.Kind) != nil })
}

// Alike returns what says already what a note, a skip, or a decision of a packet says, the closest first. The record with the id is
// the one that says it, and not among them. What was taken back, or is told to nobody unasked, is none either.
func (r *Recall) Alike(ctx context.Context, id packet.ID, c packet.Content) ([]Alike, error) {
	if err := r.refresh(ctx); err != nil {
		return nil, err
	}
	var all []Alike
	for n, item := range c.Items {
		kinds := alikeKinds(c.Kind, item.Kind)
		if len(kinds) == 0 {
			continue
		}
		others, err := r.similar(ctx, id, item.Text, kinds)
		if err != nil {
			return nil, err
		}
		cards := make([]garden.Card, len(others))
		for i, o := range others {
			cards[i] = o.card
		}
		for _, d := range garden.Duplicates(contentCard(string(id), c, n), cards) {
			at := slices.IndexFunc(others, func(o other) bool { return o.card.ID == d.Card.ID })
			all = append(all, Alike{Duplicate: d, Place: item.Place, Kind: others[at].kind})
		}
	}
	return all, nil
}

// alikeKinds are the kinds of items and of records with which an item is compared. Packets of one thread say many things again, so
// that their decisions are compared with notes alone; who somebody is was always said before.
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

// similar finds items that share words with a text and that no gate keeps out.
func (r *Recall) similar(ctx context.Context, self packet.ID, text string, kinds []string) ([]other, error) {
	hits, err := r.index.Search(ctx, index.Query{Text: plainWords(text, alikeWords), Kinds: kinds, Limit: alikeLooked})
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return h.ID == string(self) || h.Kind == packet.NoteIdentity })
	glance, err := r.glance(ctx, hits)
	if err != nil {
		return nil, err
	}
	var all []other
	for _, h := range hits {
		life, purged := glance.Life(packet.ID(h.ID))
		if life.Resting() || r.gate(h, life, purged) != "" {
			continue
		}
		e, err := glance.Read(ctx, h.Ref)
		if memory.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		shown, why := e.Open(memory.Asked)
		c := shown.Content()
		at := slices.IndexFunc(c.Items, func(i packet.Item) bool { return i.Place == h.Place })
		if why == "" && at >= 0 {
			all = append(all, other{contentCard(h.ID, c, at), c.Kind})
		}
	}
	return all, nil
}

// isGap tells what stands between words.
func isGap(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c) && c != '_'
}
