package index

import (
	"cmp"
	"context"
	"slices"
)

const moreRounds = 8 // moreRounds is how many times more items are looked at when too few of them pass.

// found is a hit and where it stands among the items of its record.
type found struct {
	Hit
	item int
}

// Search finds the items that hold the words of a query, the best first. Of equal ones the newest record
// comes first.
func (x *Index) Search(ctx context.Context, q Query) (hits []Hit, err error) {
	a := parseQuery(q)
	if len(a.units) == 0 {
		return nil, nil
	}
	filters, err := x.filterSorts(ctx, &a)
	if err != nil {
		return nil, err
	}
	err = x.withSnapshot(ctx, "search index", func(s *snapshot) error {
		w, err := weighQuery(s, a, filters)
		if err == nil {
			hits, err = w.searchItems(ctx, s)
		}
		return err
	})
	return hits, err
}

// searchItems looks at the best items until there are enough hits.
func (w *weighed) searchItems(ctx context.Context, s *snapshot) ([]Hit, error) {
	for n := w.Limit; ; n *= moreRounds {
		best, err := w.bestItems(s, n)
		if err != nil {
			return nil, err
		}
		hits, err := w.readHits(ctx, best)
		if err != nil || len(hits) >= w.Limit || len(best) < n {
			return hits[:min(len(hits), w.Limit)], err
		}
	}
}

// readHits reads the records of items, and leaves out those that do not pass the filters.
func (w *weighed) readHits(ctx context.Context, best []candidate) ([]Hit, error) {
	var all []found
	tables := map[*segment]*itemTable{}
	for _, c := range best {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tables[c.segment] == nil {
			tables[c.segment] = &itemTable{segment: c.segment}
		}
		number, item, err := tables[c.segment].itemAt(c.item)
		if err != nil {
			return nil, err
		}
		r, err := c.segment.recordAt(number)
		if err != nil {
			return nil, err
		}
		if item >= len(r.head.Items) {
			return nil, errDecode
		}
		if !w.admitsRecord(&r.head) || !w.admitsItem(&r.head, &r.head.Items[item]) {
			continue
		}
		hit := r.head.hitOf(r.Ref, item)
		hit.Score, hit.Evidence, hit.Asked = float64(c.score), w.evidenceOf(c), w.counted
		// Are the units that an item has, as they were asked, the rarest first, and whether these
		// are all that were asked.
		var list []string
		own := 0
		for _, u := range w.heavy {
			if u.isIn(c.terms) {
				if list = append(list, u.Shown); !u.also {
					own++
				}
			}
		}
		hit.Matched, hit.Full = list, own >= len(w.counted)
		if hit.Full || !w.Full {
			all = append(all, found{hit, item})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(orderOf(b.Ref), orderOf(a.Ref)),
			cmp.Compare(b.Ref, a.Ref), a.item-b.item)
	})
	hits := make([]Hit, len(all))
	for i, f := range all {
		hits[i] = f.Hit
	}
	return hits, nil
}
