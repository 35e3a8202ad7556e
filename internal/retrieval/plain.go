package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// queryWords are the words of a query as both plain searches take them: runs of letters and digits in lower case, each once.
func queryWords(query string) []string {
	all := strings.FieldsFunc(strings.ToLower(query), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	slices.Sort(all)
	return slices.Compact(all)
}

// Grep is the search of somebody with grep -ic: an item counts as many points as words of the query occur in it, also within
// other words. Items of the same number keep their order, and one without any is not found.
func Grep(c *Collection) Searcher {
	entries := c.Entries()
	for i := range entries {
		entries[i].Text = strings.ToLower(entries[i].Text)
	}
	return func(_ context.Context, query string, limit int) ([]string, error) {
		type counted struct {
			key   string
			words int
		}
		var hits []counted
		for _, e := range entries {
			hit := counted{key: e.Key}
			for _, w := range queryWords(query) {
				if strings.Contains(e.Text, w) {
					hit.words++
				}
			}
			if hit.words > 0 {
				hits = append(hits, hit)
			}
		}
		slices.SortStableFunc(hits, func(a, b counted) int { return cmp.Compare(b.words, a.words) })
		keys := make([]string, 0, limit)
		for _, h := range hits[:min(len(hits), limit)] {
			keys = append(keys, h.key)
		}
		return keys, nil
	}
}

// SQLite runs statements on the database in that file, by the sqlite3 program, and returns what it prints.
type SQLite func(ctx context.Context, database, statements string) (string, error)

// The tokenizers of full-text tables of SQLite: the one that is the default, and stems by Porter's rules.
const (
	PlainWords = "unicode61"
	Stems      = "porter unicode61"
)

// FTS5 is the search of somebody who puts the items into a full-text table of SQLite: one column, a tokenizer, the words of the
// query joined by OR, in the order of bm25. The database must not exist.
func FTS5(ctx context.Context, run SQLite, database, tokenizer string, c *Collection) (Searcher, error) {
	var s strings.Builder
	fmt.Fprintf(&s, "BEGIN;\nCREATE VIRTUAL TABLE items USING fts5(key UNINDEXED, text, tokenize = %s);\n", quoted(tokenizer))
	for _, e := range c.Entries() {
		fmt.Fprintf(&s, "INSERT INTO items VALUES (%s, %s);\n", quoted(e.Key), quoted(e.Text))
	}
	s.WriteString("COMMIT;\n")
	if _, err := run(ctx, database, s.String()); err != nil {
		return nil, fmt.Errorf("fill the plain table of %s: %w", c.Name, err)
	}
	return func(ctx context.Context, query string, limit int) ([]string, error) {
		all := queryWords(query)
		for i, w := range all {
			all[i] = `"` + w + `"`
		}
		if len(all) == 0 {
			return nil, nil
		}
		printed, err := run(ctx, database, fmt.Sprintf("SELECT key FROM items WHERE items MATCH %s ORDER BY bm25(items), rowid LIMIT %d;\n",
			quoted(strings.Join(all, " OR ")), limit))
		if err != nil {
			return nil, fmt.Errorf("search the plain table: %w", err)
		}
		return strings.Fields(printed), nil
	}, nil
}

// quoted is a text as SQL has it.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
