package index

import (
	"context"
	"database/sql"
	"slices"
	"time"
)

// countAuthor is how the names of the counters begin that the index keeps for itself: one for each writer, in lower case.
const countAuthor = "\x01author "

// Counts returns the counters whose names begin with a prefix. One that stands at nothing is not kept.
func (x *Index) Counts(ctx context.Context, prefix string) (counts map[string]int, err error) {
	counts = map[string]int{}
	err = x.do(ctx, "count records of index", func(db *sql.Conn) error {
		return each(ctx, db, func(scan func(...any) error) error {
			var name string
			var n int
			err := scan(&name, &n)
			counts[name] = n
			return err
		}, "SELECT name, count FROM tally WHERE name >= ? AND name < ?", prefix, prefix+lastChunk)
	})
	return counts, err
}

// addCounts changes the counters of a record.
func (w *writer) addCounts(ctx context.Context, names []string, by int) error {
	for _, name := range names {
		if err := w.exec(ctx, "INSERT INTO tally VALUES (?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count", name, by); err != nil {
			return err
		}
		if by < 0 {
			if err := w.exec(ctx, "DELETE FROM tally WHERE name = ? AND count <= 0", name); err != nil {
				return err
			}
		}
	}
	return nil
}

// counters are the counters of a record, with those that the index keeps for itself.
func (h *head) counters() []string {
	if len(h.items) == 0 {
		return h.counts
	}
	names := h.names()
	slices.Sort(names)
	all := slices.Clone(h.counts)
	for _, name := range slices.Compact(names) {
		all = append(all, countAuthor+name)
	}
	return all
}

// Ending yields the items of the records that expire in a span of time, as they say themselves: those first that expire first.
func (x *Index) Ending(ctx context.Context, from, until time.Time) (hits []Hit, err error) {
	err = x.do(ctx, "find what expires in index", func(db *sql.Conn) error {
		list, err := records(ctx, db, `SELECT ref, at, items, head FROM record WHERE expires >= ? AND expires < ?
			ORDER BY expires, ref`, expiry(from), expiry(until))
		for _, r := range list {
			for i := range r.head.items {
				hits = append(hits, r.head.hit(r.ref, i))
			}
		}
		return err
	})
	return hits, err
}

// expiry is when a record expires as the database has it; nothing for never.
func expiry(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return max(1, at.UnixMilli())
}
