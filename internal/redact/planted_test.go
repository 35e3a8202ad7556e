package redact_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// mark stands for the secret in the rows of a table, so that no row holds one.
const mark = "§"

// holdsPlanted checks that the scanner finds the secret in each row from its
// first byte to its last and nothing else that blocks.
func holdsPlanted(t *testing.T, secret string, rows []string) {
	t.Helper()
	for _, row := range rows {
		before, _, ok := strings.Cut(row, mark)
		if !ok {
			t.Fatalf("%q has no mark", row)
		}
		text := strings.Replace(row, mark, secret, 1)
		fs := blockingSecrets(text)
		if len(fs) != 1 || fs[0].Start != len(before) || fs[0].End != len(before)+len(secret) {
			t.Errorf("%q: %v, want one finding at %d to %d", row, standing(fs), len(before),
				len(before)+len(secret))
		}
	}
}

// holdsNothing checks that nothing in the rows blocks.
func holdsNothing(t *testing.T, rows []string) {
	t.Helper()
	for _, row := range rows {
		if fs := blockingSecrets(row); len(fs) > 0 {
			t.Errorf("%q: %v, want no finding", row, standing(fs))
		}
	}
}

// blockingSecrets returns the findings that block and are no places.
func blockingSecrets(text string) []redact.Finding {
	return slices.DeleteFunc(redact.Blocking(redact.ScanText(text)), redact.Finding.IsPlace)
}

// A stand is where a rule found something.
type stand struct {
	rule     string
	from, to int
}

func standing(fs []redact.Finding) []stand {
	var all []stand
	for _, f := range fs {
		all = append(all, stand{f.Rule, f.Start, f.End})
	}
	return all
}
