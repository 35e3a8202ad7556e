package index

import (
	"cmp"
	"context"
	"slices"
)

const (
	firstRound = 150 // firstRound is how many candidates are judged at first.
	moreRounds = 8   // moreRounds is how many times more are judged when too few of them pass.
)

// found is a hit and where it stands among the items of its record.
type found struct {
	Hit
	item int
	own  bool // own says that it has a word of the query itself, and not only by what holds for its record.
}

// Search finds the items that hold the words of a query, the most relevant first. Of equal ones the ref decides, and then
// the place. A query without words finds the newest. Where a phrase stands nowhere, its words are searched for.
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
	err = x.do(ctx, "search index", func(s *snapshot) error {
		w, err := weigh(s, a)
		if err == nil {
			hits, err = w.search(ctx, s)
		}
		return err
	})
	return hits, err
}

// search judges candidates until there are enough hits.
func (w *weighed) search(ctx context.Context, s *snapshot) ([]Hit, error) {
	rows, err := w.candidates(s)
	if err != nil {
		return nil, err
	}
	j := &judge{w: w, rows: items{snapshot: s}, seen: map[place]bool{}, above: w.newTally(), here: w.newTally()}
	take := max(firstRound, 2*w.Limit)
	if len(rows) > take {
		if err := w.rate(s, rows); err != nil {
			return nil, err
		}
	}
	for done := 0; done < len(rows) && len(j.hits) < w.Limit; take *= moreRounds {
		best := rows
		if len(rows) > take {
			best = bestOf(rows, take)
		}
		if err := j.look(ctx, best); err != nil { // What was looked at before is passed over.
			return nil, err
		}
		done = len(best)
	}
	return j.best(), nil
}

// judge looks at the records of candidates and keeps what is a hit.
type judge struct {
	w     *weighed
	rows  items
	seen  map[place]bool // seen are the records that were looked at.
	hits  []found
	above tally // above is what holds for a whole record.
	here  tally
}

// place is a record of a segment.
type place struct {
	segment *segment
	number  int
}

// look judges the records of some candidates.
func (j *judge) look(ctx context.Context, rows []candidate) error {
	for _, c := range rows {
		kept, err := j.rows.at(c.row)
		if err != nil {
			return err
		}
		at := place{j.rows.segment, kept.record}
		if j.seen[at] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		j.seen[at] = true
		if err := j.record(at); err != nil {
			return err
		}
	}
	return nil
}

// record judges one record.
func (j *judge) record(at place) error {
	r, err := at.segment.record(at.number)
	if err != nil || !j.w.admitsRecord(&r.head) {
		return err
	}
	text, err := at.segment.words(at.number)
	if err != nil {
		return err
	}
	words, err := parseWords(text, len(r.head.items))
	if err == nil {
		j.judge(r.Ref, &r.head, words)
	}
	return err
}

// judge keeps the items of a record that are hits.
func (j *judge) judge(ref string, h *head, words recordWords) {
	j.above.reset(nil)
	j.w.line(&j.above, words.context, aboveWeight, true)
	before := len(j.hits)
	for i, item := range words.items {
		if !j.w.admitsItem(h, &h.items[i]) && i > 0 {
			continue
		}
		j.here.reset(&j.above)
		j.w.line(&j.here, item.text, 1, false)
		j.w.line(&j.here, item.why, whyWeight, false)
		if verdict, ok := j.w.judge(&j.here, item.length()); ok && j.w.admitsItem(h, &h.items[i]) {
			hit := h.hit(ref, i)
			if hit.Relevance = j.w.adjusted(verdict.relevance, h, &h.items[i]); hit.Relevance < j.w.Floor {
				continue
			}
			hit.Matched, hit.Asked = verdict.matched, j.w.shown()
			j.hits = append(j.hits, found{hit, i, j.here.beyond(&j.above)})
		}
		if i == 0 && h.items[0].kind == packetGoal {
			j.w.line(&j.above, item.text, aboveWeight, true)
		}
	}
	j.hits = append(j.hits[:before], j.w.ordered(j.hits[before:])...)
}

// shown are the units of a query as they were asked.
func (w *weighed) shown() []string {
	list := make([]string, len(w.units))
	for i, u := range w.units {
		list[i] = u.shown
	}
	return list
}

// best returns the best hits.
func (j *judge) best() []Hit {
	slices.SortFunc(j.hits, func(a, b found) int {
		return cmp.Or(compareFloat(b.Relevance, a.Relevance), cmp.Compare(a.Ref, b.Ref), a.item-b.item)
	})
	hits := make([]Hit, min(len(j.hits), j.w.Limit))
	for i := range hits {
		hits[i] = j.hits[i].Hit
	}
	return hits
}
