package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
)

const (
	firstRound = 200 // firstRound is how many candidates are judged at first.
	moreRounds = 8   // moreRounds is how many times more are judged when too few of them pass.
)

// found is a hit and where it stands among the items of its record.
type found struct {
	Hit
	item int
}

// Search finds the items that hold the words of a query, the most relevant first. Of equal ones the ref decides, and then
// the place. A query without words finds the newest.
func (x *Index) Search(ctx context.Context, q Query) (hits []Hit, err error) {
	a := parse(q)
	if len(a.units) == 0 {
		return x.newest(ctx, a)
	}
	err = x.do(ctx, "search index", func(db *sql.DB) error {
		w, err := weigh(ctx, db, a)
		if err == nil {
			hits, err = w.search(ctx, db)
		}
		return err
	})
	return hits, err
}

// newest answers a query without words.
func (x *Index) newest(ctx context.Context, a asked) ([]Hit, error) {
	var hits []Hit
	for hit, err := range x.all(ctx, a) {
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
		if len(hits) == a.Limit {
			break
		}
	}
	return hits, nil
}

// search judges candidates until there are enough hits.
func (w *weighed) search(ctx context.Context, db *sql.DB) ([]Hit, error) {
	rows, err := w.candidates(ctx, db)
	if err != nil {
		return nil, err
	}
	j, err := newJudge(ctx, db, w)
	if err != nil {
		return nil, err
	}
	defer j.close()
	take := max(firstRound, 4*w.Limit)
	if len(rows) > take {
		if err := w.order(ctx, db, rows); err != nil {
			return nil, err
		}
	}
	for from := 0; from < len(rows); take *= moreRounds {
		to := upTo(rows, min(take, len(rows)))
		if err := j.look(ctx, rows[from:to]); err != nil {
			return nil, err
		}
		if from = to; len(j.hits) >= w.Limit {
			break
		}
	}
	return j.best(), nil
}

// judge looks at the records of candidates and keeps what is a hit.
type judge struct {
	w        *weighed
	lookup   *sql.Stmt
	unpacker unpacker
	seen     map[int64]bool // seen are the records that were looked at.
	hits     []found
	above    tally // above is what holds for a whole record.
	here     tally
}

// newJudge prepares to look at records.
func newJudge(ctx context.Context, db *sql.DB, w *weighed) (*judge, error) {
	s, err := db.PrepareContext(ctx, `SELECT r.n, r.ref, r.items, r.head, w.data FROM record r JOIN words w ON w.n = r.n
		WHERE r.n = (SELECT max(n) FROM record WHERE n <= ?)`)
	if err != nil {
		return nil, err
	}
	return &judge{w: w, lookup: s, seen: map[int64]bool{}, above: w.newTally(), here: w.newTally()}, nil
}

func (j *judge) close() { _ = j.lookup.Close() } // Nothing was written.

// look judges the records of some candidates, in the order of their rows.
func (j *judge) look(ctx context.Context, rows []candidate) error {
	list := make([]int64, len(rows))
	for i, c := range rows {
		list[i] = c.row
	}
	slices.Sort(list)
	ends := int64(0) // ends is where the record that was looked at last ends.
	for _, row := range list {
		if row < ends {
			continue
		}
		n, items, err := j.record(ctx, row)
		if err != nil {
			return err
		}
		ends = n + items
	}
	return nil
}

// record judges the record that a row belongs to.
func (j *judge) record(ctx context.Context, row int64) (n, items int64, err error) {
	var ref string
	var headText, packed []byte
	err = j.lookup.QueryRowContext(ctx, row).Scan(&n, &ref, &items, &headText, &packed)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row >= n+items {
		return 0, 0, errDecode
	}
	if err != nil || j.seen[n] {
		return n, items, err
	}
	j.seen[n] = true
	h, err := decodeHead(string(headText))
	if err != nil || int64(len(h.items)) != items {
		return 0, 0, errDecode
	}
	if !j.w.admitsRecord(&h) {
		return n, items, nil
	}
	words, err := j.unpacker.unpack(packed, len(h.items))
	if err != nil {
		return 0, 0, err
	}
	j.judge(ref, &h, words)
	return n, items, nil
}

// judge keeps the items of a record that are hits.
func (j *judge) judge(ref string, h *head, words recordWords) {
	j.above.reset(nil)
	j.w.line(&j.above, words.context, aboveWeight, true)
	for i, item := range words.items {
		if !j.w.admitsItem(h, &h.items[i]) && i > 0 {
			continue
		}
		j.here.reset(&j.above)
		j.w.line(&j.here, item.text, 1, false)
		j.w.line(&j.here, item.why, whyWeight, false)
		if verdict, ok := j.w.judge(&j.here, item.length()); ok && j.w.admitsItem(h, &h.items[i]) {
			hit := h.hit(ref, i)
			hit.Relevance, hit.Matched, hit.Asked = verdict.relevance, verdict.matched, j.w.shown()
			j.hits = append(j.hits, found{hit, i})
		}
		if i == 0 && h.items[0].kind == packetGoal {
			j.w.line(&j.above, item.text, aboveWeight, true)
		}
	}
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
