package redact_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

// TestCorpus_set tells how the scanner does on the rows of a directory that LTM_REDACT_SET names, which may
// lie anywhere: the files that end in positives.txt, negatives.txt and documents.txt, whose rows are of the
// group positive or negative, and packets with paths, one a line, in files that end in .jsonl. It shows
// totals and no row, unless LTM_REDACT_SHOW is set:
//
//	LTM_REDACT_SET=DIR go test ./internal/redact -run TestCorpus_set -count=1 -v
func TestCorpus_set(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("LTM_REDACT_SET")
	if dir == "" {
		t.Skip("LTM_REDACT_SET names no directory")
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		switch name := f.Name(); {
		case strings.HasSuffix(name, "positives.txt"), strings.HasSuffix(name, "negatives.txt"),
			strings.HasSuffix(name, "documents.txt"):
			measureFile(t, filepath.Join(dir, name), strings.HasSuffix(name, "documents.txt"))
		case strings.HasSuffix(name, ".jsonl"):
			measurePackets(t, filepath.Join(dir, name))
		}
	}
}

// measureFile reports the rows of a file that hold a secret, and those that hold none.
func measureFile(t *testing.T, path string, documents bool) {
	t.Helper()
	rows, err := redacttest.Load(path)
	if err != nil {
		t.Errorf("%s has a row that cannot be read", filepath.Base(path))
		show(t, err)
		return
	}
	var secret, harmless tally
	for _, row := range rows {
		found := redact.ScanText
		if documents {
			found = func(string) []redact.Finding { return inText(row) }
		}
		if row.Secret != "" {
			secret = secret.plus(judgeFound(row, found(row.Text)))
		} else {
			harmless = harmless.plus(judgeClean(row, found(row.Text)))
		}
	}
	if secret.rows > 0 {
		t.Logf("%s: found %d of %d secrets, %.1f %%, and of %d a part", filepath.Base(path), secret.hit,
			secret.rows, 100*secret.share(), secret.half)
	}
	if harmless.rows > 0 {
		t.Logf("%s: false in %d of %d harmless texts, %.2f %%", filepath.Base(path), harmless.hit,
			harmless.rows, 100*harmless.share())
	}
	for _, row := range append(secret.noted, harmless.noted...) {
		show(t, row.Line, row.Group+"/"+row.Kind, rulesOf(row.Text), row.Text)
	}
}

// measurePackets reports packets that are refused once their paths were written anew, and those that lost a
// word by that.
func measurePackets(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	packets, refused, lost := 0, 0, 0
	for line := range bytes.Lines(data) {
		packets++
		blocking, words := rewrite(t, line)
		if len(blocking) > 0 {
			refused++
		}
		if len(words) > 0 {
			lost++
		}
		if len(blocking)+len(words) > 0 {
			show(t, packets, blocking, words, string(line))
		}
	}
	t.Logf("%s: refused %d of %d packets, and %d lost words", filepath.Base(path), refused, packets, lost)
}

// show logs what belongs to single rows, where somebody asked for that.
func show(t *testing.T, what ...any) {
	t.Helper()
	if os.Getenv("LTM_REDACT_SHOW") != "" {
		t.Log(what...)
	}
}
