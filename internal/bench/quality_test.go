package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// TestBenchQuality shows that the tables have a row for each search on each collection, of the open
// questions.
func TestBenchQuality(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	folder := filepath.Join("..", "..", collections)
	if err := catch(func() { qualityOfPart(t.Context(), &out, folder, retrieval.Open, 100) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The questions: open", "| notes | recall | 60 |",
		"| notes | recall, other words |", "| notes | BM25 | 60 |", "| notes | FTS5 porter |",
		"| notes | term counts |", "| notes among 100 | BM25 |", "| packets | recall |",
		"| prompts, plain | hook |",
		"| prompts, polite | hook |", "| prompts, log | hook |", "| coding | recall | 90 |",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("not once %q in\n%s", want, out.String())
		}
	}
	for _, args := range [][]string{{t.TempDir()}, {collections, collections}} {
		if err := catch(func() { benchQuality(t.Context(), &out, args) }); err == nil {
			t.Errorf("measured with %q", args)
		}
	}
}
