//go:build manpages

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra/doc"
)

// TestManPages keeps docs/man equal to what the command tree says.
func TestManPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	released := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	e := &env{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer), width: width}
	header := &doc.GenManHeader{
		Section: "1", Source: "git-ltm", Manual: "Git Manual",
		Date: &released,
	}
	if err := doc.GenManTree(newRoot(e), header, dir); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d pages were made (%v), want one for each command", len(names), err)
	}
	for _, name := range names {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		kept := filepath.Join("..", "..", "docs", "man", filepath.Base(name))
		if *update {
			if err := os.WriteFile(kept, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got) {
			t.Errorf("%s is out of date; run 'make docs':\n%s", kept, diff.Diff("now", want, "page", got))
		}
	}
}
