package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchQuality shows that the tables have a row for each search on each collection, and one for each style of question.
func TestBenchQuality(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	var out strings.Builder
	if err := benchQuality(t.Context(), &out, []string{filepath.Join("..", "..", collections)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| ADI | recall | 35 |", "| ADI | index alone | 35 |", "| ADI | FTS5 BM25 | 35 |", "| ADI | FTS5 BM25, stems | 35 |", "| ADI | grep count | 35 |",
		"| coding | recall | 90 |", "| coding | index alone | 90 |", "| coding | FTS5 BM25 | 90 |", "| coding | FTS5 BM25, stems | 90 |", "| coding | grep count | 90 |",
		"| hard | 15 |", "| code | 11 |",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("not once %q in\n%s", want, out.String())
		}
	}
	for _, args := range [][]string{{t.TempDir()}, {collections, collections}} {
		if err := benchQuality(t.Context(), &out, args); err == nil {
			t.Errorf("measured with %q", args)
		}
	}
}
