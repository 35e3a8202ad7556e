package index_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/index"
)

// hostile are queries that are more than words to somebody.
func hostile() []string {
	return []string{
		"", " ", `"`, `""`, `"""`, "'", "-", "--", "-\"", "*", "a*", "a AND", "OR", "NOT a", "NEAR(a b)",
		"^a", "a + b", "words : a", "{words} : a",
		"\x00", "a\x00b", "\xff\xfe", "(", ")", "((((", "a:b:c", "kind:", "kind:\"", "tag:\"a b\" x", ":",
		"::", "-kind:note", "path:../..", "path:/",
		"; DROP TABLE record; --", "%", "_", "\\", "\u202e", strings.Repeat("a", 100_000),
		strings.Repeat("a b\" -c ", 12_000),
		strings.Repeat("\"", 9999), strings.Repeat("(", 99_999), strings.Repeat("数", 50_000),
		strings.Repeat("x.y/", 30_000), "redis\nOR\nretry",
	}
}

func TestIndex_Search_hostile(t *testing.T) {
	t.Parallel()
	x := opened(t, sample())
	for _, text := range hostile() {
		if _, err := x.Search(t.Context(), index.Query{Text: text}); err != nil {
			t.Errorf("Search(%.40q) = %v", text, err)
		}
	}
	for _, text := range hostile() {
		if len(text) > 1000 {
			continue
		}
		if got := search(t, x, index.Query{Text: text + " sqlstate"}); len(got) == 0 {
			t.Errorf("beside %q a plain word finds %v", text, got)
		}
	}
}

// Whatever a record says, it is found by it, and whatever is asked is no error; the relevance is one.
func FuzzIndex_Search(f *testing.F) {
	for _, text := range hostile() {
		if len(text) < 1000 {
			f.Add(text, "sqlstate")
		}
	}
	f.Add("error[E0308]: mismatched types in src/main.rs:12", "E0308")
	f.Add("don't touch ERR_TOO_MANY.clients v1.2.3", "don't")
	f.Add("数据库连接超时", "超时")
	f.Fuzz(func(t *testing.T, text, query string) {
		s := sample()
		s.add(7, nil, "note: "+text)
		x, err := index.Memory(t.Context(), []index.Document{s["refs/ltm/packets/"+idFor(7)]})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = x.Close() }() // It lies in memory.
		hits, err := x.Search(t.Context(), index.Query{Text: query})
		if err != nil {
			t.Fatalf("Search(%q) = %v", query, err)
		}
		for _, h := range hits {
			if !(h.Score >= 0 && h.Evidence < 1e6) || len(h.Matched) > len(h.Asked) {
				t.Errorf("Search(%q) has the score %v and the evidence %v, and matches %q of %q", query,
					h.Score, h.Evidence, h.Matched, h.Asked)
			}
		}
		for word := range strings.FieldsSeq(text) {
			if !utf8.ValidString(word) || !named(word) || len(text) > 2000 {
				continue
			}
			hits, err := x.Search(t.Context(), index.Query{Text: word})
			if err != nil || len(hits) != 1 {
				t.Errorf("%q is not found by its word %q: %d, %v", text, word, len(hits), err)
			}
		}
	})
}

// named reports whether a word has a plain letter or a digit.
func named(word string) bool {
	return strings.ContainsFunc(word, func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	})
}
