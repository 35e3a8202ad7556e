package index

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// SQLite stems as Porter did, and is the judge of our own.
func TestStem(t *testing.T) {
	t.Parallel()
	db, err := dial(memoryName, readWrite)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	words := stemWords()
	want := judgeStems(t.Context(), t, db, words)
	for i, word := range words {
		text := []byte(word)
		if got := string(text[:stem(text)]); got != want[i] {
			t.Errorf("stem(%q) = %q, want %q", word, got, want[i])
		}
	}
}

// stemWords makes words of beginnings and endings.
func stemWords() []string {
	var words []string
	for begin := range strings.FieldsSeq("run hop agree plast bleed motor conflat troubl siz fall hiss fizz fail fil happ sk relat condition rat valenc digit conform radic differ vil analog vietnam predic operat feudal decis hope callous formal sensitiv sensib triplic form electr rev allow infer airlin gyroscop adjust defens irrit replac depend adopt homolog communi activ angul effect bowdl prob ces cont rol trans syzyg b tr cry fly token index") {
		for end := range strings.FieldsSeq("- s es ies ed eed ing y ion ions ational tional enci anci izer abli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize e l ll sses ss ying ied logi bli") {
			words = append(words, begin+strings.TrimPrefix(end, "-"))
		}
	}
	return words
}

// judgeStems returns the stems that SQLite makes.
func judgeStems(ctx context.Context, t *testing.T, db *sql.DB, words []string) []string {
	t.Helper()
	stems := make([]string, len(words))
	_, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE j USING fts5 (w, tokenize='porter ascii'); CREATE VIRTUAL TABLE v USING fts5vocab (j, instance)`)
	for i, word := range words {
		if err == nil {
			_, err = db.ExecContext(ctx, "INSERT INTO j (rowid, w) VALUES (?, ?)", i+1, word)
		}
	}
	if err == nil {
		err = each(ctx, db, func(scan func(...any) error) error {
			var n int
			var text string
			err := scan(&n, &text)
			stems[n-1] = text
			return err
		}, "SELECT doc, term FROM v")
	}
	if err != nil {
		t.Fatal(fmt.Errorf("ask SQLite for stems: %w", err))
	}
	return stems
}
