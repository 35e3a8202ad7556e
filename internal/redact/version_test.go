package redact_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

//nolint:gochecknoglobals // A flag.
var update = flag.Bool("update", false, "write which rules RulesVersion stands for")

// TestRulesVersion fails where rules changed and their version did not: what other clones scanned by the
// old ones would count as scanned by the new ones. What rules are is read from their tables, and from what
// they find in the rows of the corpus that there were when the version was raised.
func TestRulesVersion(t *testing.T) {
	t.Parallel()
	const sums = "testdata/rules.sum"
	recorded, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	var version, sum string
	var rows [2]int
	if _, err := fmt.Sscan(string(recorded), &version, &rows[0], &rows[1], &sum); err != nil {
		t.Fatalf("read %s: %v", sums, err)
	}
	all := corpusRows(t)
	raised := version != redact.RulesVersion
	same := sumOfRules(t, [2][]redacttest.Row{
		all[0][:min(rows[0], len(all[0]))], all[1][:min(rows[1], len(all[1]))],
	}) == sum
	const run = "then run: go test ./internal/redact -run TestRulesVersion -update"
	switch {
	case *update && (raised || same):
		line := fmt.Appendf(nil, "%s %d %d %s\n", redact.RulesVersion, len(all[0]), len(all[1]), sumOfRules(t, all))
		if err := os.WriteFile(sums, line, 0o600); err != nil {
			t.Fatal(err)
		}
	case raised || !same:
		t.Errorf("the rules are not those of version %s (RulesVersion is %s): raise RulesVersion in redact.go by "+
			"one if you did not yet, %s", version, redact.RulesVersion, run)
	case rows != [2]int{len(all[0]), len(all[1])}:
		t.Errorf("the corpus has rows that version %s never read: raise RulesVersion in redact.go by one if "+
			"something new finds them, or no longer does, %s", version, run)
	}
}

// TestKeywordIndex holds that the index of keywords in the program is the one that the tables give.
func TestKeywordIndex(t *testing.T) {
	t.Parallel()
	embedded, made := redact.KeywordIndex()
	if *update {
		if err := os.WriteFile("keywords.bin", []byte(made), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if embedded != made {
		t.Error("the rules have other keywords than keywords.bin: go test ./internal/redact -run TestKeywordIndex -update")
	}
}

// corpusRows returns the rows that hold secrets, and those that hold none.
func corpusRows(t *testing.T) (all [2][]redacttest.Row) {
	t.Helper()
	for i, file := range []string{"positives.txt", "negatives.txt"} {
		var err error
		if all[i], err = redacttest.Load(filepath.Join("..", "..", "testdata", "redact", file)); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// sumOfRules returns a digest of the tables and of what is found in some rows.
func sumOfRules(t *testing.T, rows [2][]redacttest.Row) string {
	t.Helper()
	h := sha256.New()
	tables, err := filepath.Glob("rules/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			if line[0] != '#' { // Comments are no rules.
				h.Write(line)
			}
		}
	}
	for i, file := range []string{"positives.txt", "negatives.txt"} {
		for _, row := range rows[i] {
			for _, f := range redact.ScanText(row.Text) {
				fmt.Fprintln(h, file, row.Line, f.Rule, f.Severity, f.Start, f.End)
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
