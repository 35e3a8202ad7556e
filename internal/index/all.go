package index

import (
	"cmp"
	"context"
	"database/sql"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// packetGoal is the kind of item that says what a whole record is about.
const packetGoal = packet.ItemGoal

// The records that are read at once: at first, and later.
const (
	firstRecords = 32
	pageRecords  = 256
)

// All yields the items of all records that pass the filters of a query, the newest record first by id, up to its limit if it
// has one. Its text does not count. The relevance of each is 1.
func (x *Index) All(ctx context.Context, q Query) iter.Seq2[Hit, error] {
	limit := q.Limit
	q.Text = ""
	a := parse(q)
	if a.Limit = limit; limit <= 0 {
		a.Limit = math.MaxInt
	}
	return x.all(ctx, a)
}

// all yields what passes the filters, up to the limit.
func (x *Index) all(ctx context.Context, a asked) iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		authors, ok, err := x.authorsOf(ctx, &a)
		if err != nil {
			yield(Hit{}, err)
			return
		}
		var sums []int64
		if ok {
			sums = a.sorts(authors)
		}
		if page, ok, err := x.since(ctx, a.Since); err != nil || ok {
			if err != nil {
				yield(Hit{}, err)
			}
			left := a.Limit
			for i := range page {
				if !a.yield(page[i], &left, yield) {
					return
				}
			}
			return
		}
		at, ref := int64(math.MaxInt64), lastChunk
		size, left := min(firstRecords, a.Limit), a.Limit
		for {
			page, err := x.page(ctx, sums, size, at, ref)
			if err != nil {
				yield(Hit{}, err)
				return
			}
			for i := range page {
				at, ref = page[i].at, page[i].ref
				if !a.yield(page[i], &left, yield) {
					return
				}
			}
			if len(page) < size {
				return
			}
			size = min(4*size, pageRecords)
		}
	}
}

// mostSince is how many records are looked at because of when they were made.
const mostSince = 2048

// since reads all records that were made at or after a time, the newest first by id; not ok without a time, and where they are
// many, so that most of what is looked at otherwise was made since, too.
func (x *Index) since(ctx context.Context, from time.Time) (list []record, ok bool, err error) {
	if from.IsZero() {
		return nil, false, nil
	}
	err = x.do(ctx, "list items of index by time", func(db *sql.Conn) error {
		list, err = records(ctx, db, "SELECT ref, at, items, head FROM record WHERE items > 0 AND created >= ? LIMIT ?", millis(from), mostSince+1)
		return err
	})
	slices.SortFunc(list, func(a, b record) int { return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(b.ref, a.ref)) })
	return list, len(list) <= mostSince, err
}

// record is a record as it is read.
type record struct {
	ref  string
	at   int64 // as orderOf has it
	head head
}

// page reads the records before one, of any of some sorts. No answer is kept open while the caller looks at them.
func (x *Index) page(ctx context.Context, sums []int64, size int, at int64, ref string) (page []record, err error) {
	query, args := `SELECT ref, at, items, head FROM record
		WHERE items > 0 AND (at, ref) < (?, ?) ORDER BY at DESC, ref DESC LIMIT ?`, []any{at, ref, size}
	if len(sums) > 0 {
		query, args = newestOf(sums, at, ref, size)
	}
	err = x.do(ctx, "list items of index", func(db *sql.Conn) error {
		page, err = records(ctx, db, query, args...)
		return err
	})
	return page, err
}

// records reads the records of an answer.
func records(ctx context.Context, db querier, query string, args ...any) ([]record, error) {
	var list []record
	err := each(ctx, db, func(scan func(...any) error) error {
		var r record
		var items int
		var raw sql.RawBytes
		if err := scan(&r.ref, &r.at, &items, &raw); err != nil {
			return err
		}
		h, err := decodeHead(string(raw))
		if err != nil || len(h.items) != items {
			return errDecode
		}
		r.head = h
		list = append(list, r)
		return nil
	}, query, args...)
	return list, err
}

// yield yields the items of a record that pass the filters, and reports whether more are wanted.
func (a *asked) yield(r record, left *int, yield func(Hit, error) bool) bool {
	if !a.admitsRecord(&r.head) {
		return true
	}
	for i := range r.head.items {
		if !a.admitsItem(&r.head, &r.head.items[i]) {
			continue
		}
		hit := r.head.hit(r.ref, i)
		hit.Relevance = 1
		if *left--; !yield(hit, nil) || *left <= 0 {
			return false
		}
	}
	return true
}
