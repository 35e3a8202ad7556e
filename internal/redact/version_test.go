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
	if raised := version != redact.RulesVersion; raised && *update {
		rows = [2]int{1 << 30, 1 << 30}
		now := sumOfRules(t, &rows)
		line := fmt.Appendf(nil, "%s %d %d %s\n", redact.RulesVersion, rows[0], rows[1], now)
		if err := os.WriteFile(sums, line, 0o600); err != nil {
			t.Fatal(err)
		}
	} else if raised || sumOfRules(t, &rows) != sum {
		t.Errorf("the rules are not those of version %s (RulesVersion is %s): raise RulesVersion in redact.go by "+
			"one if you did not yet, then run: go test ./internal/redact -run TestRulesVersion -update", version,
			redact.RulesVersion)
	}
}

// sumOfRules returns a digest of the tables and of what is found in so many rows, which it bounds by those
// that there are.
func sumOfRules(t *testing.T, most *[2]int) string {
	t.Helper()
	h := sha256.New()
	tables, err := filepath.Glob("rules/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(tables, "gitleaks.go") {
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
		all, err := redacttest.Load(filepath.Join("..", "..", "testdata", "redact", file))
		if err != nil {
			t.Fatal(err)
		}
		most[i] = min(most[i], len(all))
		for _, row := range all[:most[i]] {
			for _, f := range redact.ScanText(row.Text) {
				fmt.Fprintln(h, file, row.Line, f.Rule, f.Severity, f.Start, f.End)
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
