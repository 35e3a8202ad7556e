package index

import (
	"context"
	"database/sql"
	"iter"
	"math"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// packetGoal is the kind of item that says what a whole record is about.
const packetGoal = packet.ItemGoal

const pageRecords = 256 // pageRecords is how many records are read at once.

// All yields the items of all records that pass the filters of a query, the newest record first, up to its limit if it has
// one. Its text does not count. The relevance of each is 1.
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
		created, ref := int64(math.MaxInt64), lastChunk
		names, size, left := a.sorts(), min(pageRecords, a.Limit), a.Limit
		for {
			page, err := x.page(ctx, names, size, created, ref)
			if err != nil {
				yield(Hit{}, err)
				return
			}
			for i := range page {
				created, ref = page[i].created, page[i].ref
				if !a.Since.IsZero() && created < millis(a.Since) {
					return
				}
				if !a.yield(page[i], &left, yield) {
					return
				}
			}
			if len(page) < size {
				return
			}
		}
	}
}

// record is a record as it is read.
type record struct {
	ref     string
	created int64
	head    head
}

// page reads the records before one, of any of some sorts. No answer is kept open while the caller looks at them.
func (x *Index) page(ctx context.Context, names []string, size int, created int64, ref string) (page []record, err error) {
	query, args := `SELECT ref, created, items, head FROM record
		WHERE items > 0 AND (created, ref) < (?, ?) ORDER BY created DESC, ref DESC LIMIT ?`, []any{created, ref, size}
	if len(names) > 0 {
		query, args = newestOf(names, created, ref, size)
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
		if err := scan(&r.ref, &r.created, &items, &raw); err != nil {
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
