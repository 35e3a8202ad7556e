package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanner_knownNames holds that what is remembered of the names of members changes no finding: each
// document is scanned again by one scanner, between others, as by one that never saw a document.
func TestScanner_knownNames(t *testing.T) {
	t.Parallel()
	value := strings.Repeat("k3QzT9mWx2Lp", 2)
	var many strings.Builder
	for i := range 3000 { // More names than are remembered.
		fmt.Fprintf(&many, `"name_%d": "harmless", `, i)
	}
	docs := []string{
		`{"title": "a harmless text", "password": "see the vault", "items": [{"title": "x"}]}`,
		`{"title": "a harmless text", "password": "` + value + `", "items": [{"password": "` + value + `"}]}`,
		`{"` + secretToken() + `": "harmless", "title": "` + value + `"}`,
		`{` + many.String() + `"password": "` + value + `", "secrets": {"title": "` + value + `"}}`,
		`{"` + strings.Repeat("n", 100) + `_token": "` + value + `"}`,
	}
	scan := func(s *redact.Scanner, doc string) []redact.Finding {
		found, err := s.Scan([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	fresh := func() *redact.Scanner {
		s, err := redact.NewWith(redact.Config{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	used, blocking := fresh(), 0
	for range 3 {
		for i, doc := range docs {
			want := scan(fresh(), doc)
			blocking += len(redact.Blocking(want))
			if diff := cmp.Diff(want, scan(used, doc), cmp.AllowUnexported(redact.Finding{})); diff != "" {
				t.Errorf("document %d (-want +got):\n%s", i, diff)
			}
		}
	}
	if blocking < 3*6 {
		t.Errorf("%d findings in three rounds, want six or more in each", blocking)
	}
}
