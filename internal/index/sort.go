package index

import (
	"context"
	"slices"
	"strings"
)

// The sorts by which the newest records are found without a look at all others, each followed by a kind or a branch.
const (
	sortKind   = "k:"
	sortBranch = "b:"
)

// mostSorts is how many sorts a query may ask for before all records are looked at.
const mostSorts = 16

// sorts are the sorts that a record is of: the kinds of its items, its own kind, and the branch that it was made on.
func (h *head) sorts() []string {
	if len(h.items) == 0 {
		return nil
	}
	names := []string{sortKind + strings.ToLower(string(h.kind))}
	if h.branch != "" {
		names = append(names, sortBranch+h.branch)
	}
	for i := range h.items {
		names = append(names, sortKind+strings.ToLower(h.items[i].kind))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// sorts are the sorts of which a record has to be one to pass the filters of a query. There is none where any will do.
func (a *asked) sorts() []string {
	if a.Branch != "" {
		return []string{sortBranch + a.Branch}
	}
	names := make([]string, len(a.Kinds))
	for i, kind := range a.Kinds {
		names[i] = sortKind + strings.ToLower(kind)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > mostSorts {
		return nil
	}
	return names
}

// addSorts notes the sorts of a record.
func (w *writer) addSorts(ctx context.Context, n int64, p *prepared) error {
	if len(p.sorts) == 0 {
		return nil
	}
	args := make([]any, 0, 3*len(p.sorts))
	for _, name := range p.sorts {
		args = append(args, name, millis(p.created), n)
	}
	// A statement that may fail after its first row would have the full-text table write out what it has gathered so far.
	return w.exec(ctx, "INSERT OR IGNORE INTO sort VALUES (?, ?, ?)"+strings.Repeat(", (?, ?, ?)", len(p.sorts)-1), args...)
}

// removeSorts takes the sorts of a record out.
func (w *writer) removeSorts(ctx context.Context, n int64, h *head) error {
	for _, name := range h.sorts() {
		if err := w.exec(ctx, "DELETE FROM sort WHERE name = ? AND created = ? AND n = ?", name, millis(h.created), n); err != nil {
			return err
		}
	}
	return nil
}

// newestOfSort finds the newest records of one sort before a record.
const newestOfSort = `SELECT * FROM (SELECT s.created AS created, r.ref AS ref, s.n AS n FROM sort s JOIN record r ON r.n = s.n
	WHERE s.name = ? AND s.created <= ? AND (s.created < ? OR r.ref < ?) ORDER BY s.created DESC, r.ref DESC LIMIT ?)`

// newestOf returns a statement that finds the newest records of any of some sorts before a record, and what it is given.
func newestOf(names []string, created int64, ref string, limit int) (query string, args []any) {
	for _, name := range names {
		args = append(args, name, created, created, ref, limit)
	}
	parts := slices.Repeat([]string{newestOfSort}, len(names))
	return `SELECT r.ref, r.created, r.items, r.head FROM (` + strings.Join(parts, " UNION ") + ` ORDER BY 1 DESC, 2 DESC LIMIT ?) t
		JOIN record r ON r.n = t.n ORDER BY t.created DESC, t.ref DESC`, append(args, limit)
}
