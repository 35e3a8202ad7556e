package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

const moreRounds = 8 // moreRounds is how many times more items are looked at when too few of them pass.

// found is a hit and where it stands among the items of its record.
type found struct {
	Hit
	item int
}

// Search finds the items that hold the words of a query, the best first. Of equal ones the newest record comes first. A query
// without words finds the newest. Where a phrase stands nowhere, its words are searched for.
func (x *Index) Search(ctx context.Context, q Query) (hits []Hit, err error) {
	a := parse(q)
	switch {
	case a.idle:
		return nil, nil
	case len(a.units) == 0:
		for hit, err := range x.all(ctx, a) {
			if err != nil {
				return nil, err
			}
			hits = append(hits, hit)
		}
		return hits, nil
	}
	hits, err = x.search(ctx, a)
	if err == nil && len(hits) == 0 && slices.ContainsFunc(a.units, func(u unit) bool { return u.phrase }) {
		q.loose = true
		hits, err = x.search(ctx, parse(q))
	}
	return hits, err
}

// search finds what holds the words of a query.
func (x *Index) search(ctx context.Context, a asked) (hits []Hit, err error) {
	filters, err := x.filters(ctx, &a)
	if err != nil {
		return nil, err
	}
	err = x.do(ctx, "search index", func(s *snapshot) error {
		w, err := weigh(s, a)
		if err == nil {
			hits, err = w.search(ctx, s, filters)
		}
		return err
	})
	return hits, err
}

// search looks at the best items until there are enough hits.
func (w *weighed) search(ctx context.Context, s *snapshot, filters []int64) ([]Hit, error) {
	for n := w.Limit; ; n *= moreRounds {
		best, err := w.best(s, filters, n)
		if err != nil {
			return nil, err
		}
		hits, err := w.hits(ctx, best)
		if err != nil || len(hits) >= w.Limit || len(best) < n {
			return hits[:min(len(hits), w.Limit)], err
		}
	}
}

// hits reads the records of items, and leaves out those that do not pass the filters.
func (w *weighed) hits(ctx context.Context, best []candidate) ([]Hit, error) {
	var all []found
	tables := map[*segment]*itemTable{}
	for _, c := range best {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tables[c.segment] == nil {
			tables[c.segment] = &itemTable{segment: c.segment}
		}
		number, item, err := tables[c.segment].at(c.item)
		if err != nil {
			return nil, err
		}
		r, err := c.segment.record(number)
		if err != nil {
			return nil, err
		}
		ok, err := w.holds(c.segment, r, item)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		hit := r.head.hit(r.Ref, item)
		hit.Score, hit.Evidence, hit.Asked = float64(c.score), w.evidence(c), w.counted
		hit.Matched, hit.Full = w.matched(c)
		all = append(all, found{hit, item})
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(orderOf(b.Ref), orderOf(a.Ref)), cmp.Compare(b.Ref, a.Ref), a.item-b.item)
	})
	hits := make([]Hit, len(all))
	for i, f := range all {
		hits[i] = f.Hit
	}
	return hits, nil
}

// holds reports whether an item passes the filters, has the phrases of a query, and nothing that it must not have.
func (w *weighed) holds(seg *segment, r *record, item int) (bool, error) {
	if item >= len(r.head.items) {
		return false, errDecode
	}
	if !w.admitsRecord(&r.head) || !w.admitsItem(&r.head, &r.head.items[item]) {
		return false, nil
	}
	if w.must == 0 && len(w.exclude) == 0 {
		return true, nil
	}
	text, err := seg.words(r.n)
	if err != nil {
		return false, err
	}
	words, err := parseWords(text, len(r.head.items))
	if err != nil {
		return false, err
	}
	lines := words.of(item, r.head.items[0].kind)
	for _, u := range w.units {
		if u.phrase && !u.standsIn(lines) {
			return false, nil
		}
	}
	return !slices.ContainsFunc(w.exclude, func(u unit) bool { return u.standsIn(lines) }), nil
}

// standsIn reports whether lines hold a unit: a phrase word by word, a name as a whole, or all its parts.
func (u unit) standsIn(lines []string) bool {
	if u.phrase {
		return slices.ContainsFunc(lines, func(line string) bool { return hasPhrase(line, u.Parts) })
	}
	has := func(text string) bool {
		return slices.ContainsFunc(lines, func(line string) bool {
			for word := range strings.FieldsSeq(line) {
				if strings.TrimPrefix(word, string(nameMark)) == text {
					return true
				}
			}
			return false
		})
	}
	if whole := u.Whole(); whole != "" && has(whole) {
		return true
	}
	return len(u.Parts) > 0 && !slices.ContainsFunc(u.Parts, func(text string) bool { return !has(text) })
}

// hasPhrase reports whether words stand next to each other in a line.
func hasPhrase(line string, parts []string) bool {
	words := slices.DeleteFunc(strings.Fields(line), func(word string) bool { return word[0] == nameMark })
	for i := range words {
		if len(words)-i >= len(parts) && slices.Equal(words[i:i+len(parts)], parts) {
			return true
		}
	}
	return false
}
