package deadend_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// Words are looked up in the form of Stem, so a list that holds another form
// would never be met. The test reads the lists out of the source.
func TestLexicon_holdsStems(t *testing.T) {
	t.Parallel()
	lists := []string{
		"isStop", "isLight", "heading", "turnsAway", "forbids", "isPurpose", "opensClause", "isInquiry", "isPolite", "suggests",
		"reportsFailure", "endsDeed", "markClause",
	}
	checked := 0
	for _, name := range []string{"lexicon.go", "prompt.go", "wordrule.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !slices.Contains(lists, f.Name.Name) {
				continue
			}
			checked++
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				word, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if !isStemOfSome(word) {
					t.Errorf("%s: no word is looked up as %q", f.Name.Name, word)
				}
				return true
			})
		}
	}
	if checked != len(lists) {
		t.Errorf("found %d of the lists %s", checked, strings.Join(lists, " "))
	}
}

// isStemOfSome says whether some word has this stem.
func isStemOfSome(stem string) bool {
	return slices.ContainsFunc([]string{"", "e", "s", "es", "ing"}, func(end string) bool { return deadend.Stem(stem+end) == stem })
}

func TestStem(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{"raise", "raises", "raised", "raising", "Increase", "increasing", "bump"},
		{"cache", "caches", "cached", "caching"},
		{"split", "splits", "splitting"},
		{"retry", "retries", "retried", "retrying"},
		{"index", "indexes", "indexing"},
		{"process", "processes", "processed"},
		{"database", "databases", "DB"},
		{"test", "tests", "testing", "tested"},
		{"reduce", "reducing", "decrease", "lower"},
		{"run", "runs", "running"},
		{"user", "users", "user's"},
		{"don't", "dont", "don’t"},
		{"upgrade", "upgrading", "upgrades"},
		{"serialise", "serializing"},
	}
	for _, words := range same {
		for _, w := range words[1:] {
			if deadend.Stem(w) != deadend.Stem(words[0]) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q, want the same", w, deadend.Stem(w), words[0], deadend.Stem(words[0]))
			}
		}
	}
	other := [][2]string{
		{"mustard", "must"},
		{"status", "stat"},
		{"string", "str"},
		{"redis", "red"},
		{"bus", "bu"},
		{"thing", "th"},
		{"S3", "s"},
		{"raise", "lower"},
		{"port", "portal"},
		{"upgrade", "downgrade"},
		{"sing", "s"},
		{"speed", "spe"},
	}
	for _, pair := range other {
		if deadend.Stem(pair[0]) == deadend.Stem(pair[1]) {
			t.Errorf("Stem of %q and of %q are both %q", pair[0], pair[1], deadend.Stem(pair[0]))
		}
	}
}
