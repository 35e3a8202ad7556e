package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/local"
)

// writer changes the database. There is one at a time.
type writer struct {
	db    *sql.Conn
	done  Synced
	open  bool // open says that a transaction has begun.
	stamp string
	// readOnly says that the database can be compared with a list and no more.
	readOnly bool
	// loose says that something was taken out, of which a part may be left in the gaps of pages.
	loose bool
	// changes is called before anything is changed; nil is nothing.
	changes func() error

	items, length, next int64
	norms               norms
	statements          map[string]*sql.Stmt
}

// newWriter prepares to write.
func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{db: conn, statements: map[string]*sql.Stmt{}}
	// What is not committed stays in this process: others read meanwhile.
	_, err = conn.ExecContext(ctx, "PRAGMA cache_size = -32768; PRAGMA cache_spill = 0")
	if err == nil {
		w.norms = norms{db: w.db}
		row := w.db.QueryRowContext(ctx, "SELECT stamp, items, length, next, loose FROM state")
		err = row.Scan(&w.stamp, &w.items, &w.length, &w.next, &w.loose)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

// close gives back what is not committed.
func (w *writer) close(ctx context.Context) error {
	var err error
	if w.open {
		_, _ = w.db.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // A disk that is full has ended the transaction already.
	}
	for _, s := range w.statements {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, w.db.Close())
}

// begin opens a transaction.
func (w *writer) begin(ctx context.Context) error {
	_, err := w.db.ExecContext(ctx, "BEGIN IMMEDIATE")
	w.open = err == nil
	return err
}

// commit writes what is counted and ends the transaction.
func (w *writer) commit(ctx context.Context) error {
	err := w.norms.flush(ctx, w)
	if err == nil {
		err = w.exec(ctx, "UPDATE state SET stamp = ?, items = ?, length = ?, next = ?, loose = ?",
			w.stamp, w.items, w.length, w.next, w.loose)
	}
	if err == nil {
		_, err = w.db.ExecContext(ctx, "COMMIT")
	}
	w.open = w.open && err != nil
	return err
}

// tighten writes the database anew where something was taken out, and then notes the stamp of the list that it holds: SQLite
// overwrites what is deleted, and yet leaves copies of it in the gaps of pages that it moved rows between.
func (w *writer) tighten(ctx context.Context, stamp string) error {
	_, err := w.db.ExecContext(ctx, "VACUUM")
	if errors.Is(busy(err), local.ErrLocked) { // Somebody reads for longer than a commit waits.
		w.done.Busy = true
		return nil
	}
	if err == nil {
		err = w.begin(ctx)
	}
	if err != nil {
		return err
	}
	w.loose, w.stamp = false, stamp
	return w.commit(ctx)
}

// exec runs a statement that is prepared once.
func (w *writer) exec(ctx context.Context, query string, args ...any) error {
	s, err := w.statement(ctx, query)
	if err != nil {
		return err
	}
	// The driver would start a goroutine for each call that may be cancelled. Whoever calls often looks at the context.
	_, err = s.ExecContext(context.WithoutCancel(ctx), args...)
	return err
}

// statement prepares a statement, or returns it as it was prepared before.
func (w *writer) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := w.statements[query]; s != nil {
		return s, nil
	}
	s, err := w.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	w.statements[query] = s
	return s, nil
}

// add writes one record.
func (w *writer) add(ctx context.Context, p prepared) error {
	n := w.next
	w.next += int64(max(1, len(p.rows)))
	err := w.exec(ctx, "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		n, p.Ref, p.Object, orderOf(p.Ref), len(p.rows), p.head, millis(p.created), expiry(p.expires))
	if err != nil {
		return err
	}
	for _, mark := range p.marks {
		if err := w.exec(ctx, "INSERT OR IGNORE INTO mark VALUES (?, ?)", mark, n); err != nil {
			return err
		}
	}
	w.done.Added++
	if err := w.addCounts(ctx, p.counts, 1); err != nil {
		return err
	}
	if len(p.rows) == 0 {
		return nil
	}
	if err := w.addSorts(ctx, n, &p); err != nil {
		return err
	}
	if err := w.addRules(ctx, n, &p); err != nil {
		return err
	}
	if err := w.exec(ctx, "INSERT INTO words VALUES (?, ?)", n, p.words); err != nil {
		return err
	}
	for i, row := range p.rows {
		if err := w.exec(ctx, "INSERT INTO find (rowid, words) VALUES (?, ?)", n+int64(i), row); err != nil {
			return err
		}
	}
	w.items += int64(len(p.rows))
	w.length += int64(p.length)
	return w.norms.set(ctx, n, p.norms)
}

// remove takes one record out.
func (w *writer) remove(ctx context.Context, old storedRef) error {
	var headText, packed []byte
	var items int
	err := w.db.QueryRowContext(ctx, "SELECT head, items FROM record WHERE n = ?", old.n).Scan(&headText, &items)
	if err != nil {
		return err
	}
	h, err := decodeHead(string(headText))
	if err != nil || len(h.items) != items {
		return errDecode
	}
	for _, mark := range h.marks() {
		if err := w.exec(ctx, "DELETE FROM mark WHERE name = ? AND n = ?", mark, old.n); err != nil {
			return err
		}
	}
	err = errors.Join(w.removeSorts(ctx, old.n, old.ref, &h), w.removeRules(ctx, old.n, items), w.addCounts(ctx, h.counters(), -1))
	if err != nil {
		return err
	}
	if items > 0 {
		if err := w.db.QueryRowContext(ctx, "SELECT data FROM words WHERE n = ?", old.n).Scan(&packed); err != nil {
			return err
		}
		if err := w.removeWords(ctx, old.n, packed, items, h.signer); err != nil {
			return err
		}
	}
	w.done.Removed++
	return w.exec(ctx, "DELETE FROM record WHERE n = ?", old.n)
}

// removeWords takes the words of a record out of the full-text table and of the counts.
func (w *writer) removeWords(ctx context.Context, n int64, packed []byte, items int, signer string) error {
	words, err := parseWords(string(packed), items)
	if err != nil {
		return err
	}
	for i, row := range words.rows(signer) {
		if err := w.exec(ctx, "INSERT INTO find (find, rowid, words) VALUES ('delete', ?, ?)", n+int64(i), row); err != nil {
			return err
		}
		w.length -= int64(words.items[i].length())
	}
	w.items -= int64(items)
	if err := w.norms.set(ctx, n, make([]byte, 2*items)); err != nil {
		return err
	}
	return w.exec(ctx, "DELETE FROM words WHERE n = ?", n)
}
