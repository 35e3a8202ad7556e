package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestSecurityPage holds the number of rules that docs/security.md tells, and its table, to the rules that
// there are. New rules may be more than the page says.
func TestSecurityPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range redact.Rules() {
		counts[r.Severity.String()+"s"]++
	}
	told := regexp.MustCompile(`more than ([0-9]+) rules that block, and ([0-9]+) that warn`).FindSubmatch(
		page)
	if told == nil {
		t.Fatal("the page does not say how many rules there are")
	}
	for i, answer := range []string{"blocks", "warns"} {
		if n, err := strconv.Atoi(string(told[i+1])); err != nil || counts[answer] < n ||
			counts[answer] > n+100 {
			t.Errorf("the page says %s rules: %s; there are %d", answer, told[i+1], counts[answer])
		}
	}
	rows := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\|.*\| ([0-9]+) \| (blocks|warns) \|$`).FindAllSubmatch(page,
		-1) {
		n, err := strconv.Atoi(string(row[1]))
		if err != nil {
			t.Fatal(err)
		}
		rows[string(row[2])] += n
	}
	for answer, n := range rows {
		if n == 0 || n > counts[answer] {
			t.Errorf("the table of the page has %d rules of which it says %s; there are %d", n, answer,
				counts[answer])
		}
	}
	if len(rows) != len(counts) {
		t.Errorf("the table has %d answers, want %d", len(rows), len(counts))
	}
}
