package redact_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

const (
	// minRecall is the part of the secrets that the scanner finds whole.
	minRecall = 0.4
	// maxAlarms is the part of the harmless texts that it may block.
	maxAlarms = 0.008
)

// A tally counts the rows of one group.
type tally struct {
	rows    int
	hit     int // The whole secret is found; for harmless rows, blocked.
	part    int // Bytes of the secret are left over.
	warned  int // Harmless rows that only warn.
	missing []redacttest.Row
}

func (t *tally) add(o tally) {
	t.rows += o.rows
	t.hit += o.hit
	t.part += o.part
	t.warned += o.warned
	t.missing = append(t.missing, o.missing...)
}

// share returns the part of the rows that were hit.
func (t *tally) share() float64 { return float64(t.hit) / float64(max(1, t.rows)) }

func TestCorpus_positives(t *testing.T) {
	t.Parallel()
	total := measure(t, "positives.txt", true, judgePositive)
	for _, row := range total.missing {
		t.Logf("missed %s:%d %s/%s", row.File, row.Line, row.Group, row.Kind)
	}
	if total.share() < minRecall {
		t.Errorf("the scanner finds %d of %d secrets whole, want %.1f %%", total.hit, total.rows, 100*minRecall)
	}
}

func TestCorpus_negatives(t *testing.T) {
	t.Parallel()
	total := measure(t, "negatives.txt", false, judgeNegative)
	for _, row := range total.missing {
		t.Logf("alarm %s:%d %s/%s: %s", row.File, row.Line, row.Group, row.Kind, rulesOf(row.Text))
	}
	if total.share() > maxAlarms {
		t.Errorf("the scanner blocks %d of %d harmless texts, want at most %.1f %%", total.hit, total.rows, 100*maxAlarms)
	}
}

// The rules are not written to these rows, so nothing but totals is shown.
func TestCorpus_heldOut(t *testing.T) {
	t.Parallel()
	measure(t, "held_positives.txt", true, judgePositive)
	measure(t, "held_negatives.txt", false, judgeNegative)
}

// measure judges the rows of a file and reports each group and their total.
// A file of held-out rows may be missing.
func measure(t *testing.T, file string, secret bool, judge func(redacttest.Row) tally) tally {
	t.Helper()
	rows, err := redacttest.Load(filepath.Join("..", "..", "testdata", "redact", file))
	if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(file, "held_") {
		return tally{}
	}
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]*tally{}
	var names []string
	var total tally
	for _, row := range rows {
		if (row.Secret != "") != secret {
			t.Errorf("%s:%d: the row holds a secret: %t, want %t", row.File, row.Line, !secret, secret)
		}
		if groups[row.Group] == nil {
			groups[row.Group] = &tally{}
			names = append(names, row.Group)
		}
		judged := judge(row)
		groups[row.Group].add(judged)
		total.add(judged)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Log(report(file, name, groups[name], secret))
	}
	t.Log(report(file, "total", &total, secret))
	return total
}

// report returns one line about a group.
func report(file, group string, t *tally, secret bool) string {
	if secret {
		return fmt.Sprintf("%-18s %-18s %4d rows, recall %5.1f %%, in part %d", file, group, t.rows, 100*t.share(), t.part)
	}
	return fmt.Sprintf("%-18s %-18s %4d rows, alarms %5.2f %%, warned %d", file, group, t.rows, 100*t.share(), t.warned)
}

// judgePositive tells whether the secret of the row is found. A place and a
// personal detail need no more than a warning.
func judgePositive(row redacttest.Row) tally {
	judged := tally{rows: 1}
	for _, f := range redact.ScanText(row.Text) {
		if f.Severity != redact.Block && row.Group != "place" && row.Group != "personal" {
			continue
		}
		if f.Start <= row.Start && row.End <= f.End {
			judged.hit, judged.part = 1, 0
			return judged
		}
		if f.Start < row.End && row.Start < f.End {
			judged.part = 1
		}
	}
	judged.missing = []redacttest.Row{row}
	return judged
}

// judgeNegative tells whether the row is blocked.
func judgeNegative(row redacttest.Row) tally {
	judged := tally{rows: 1}
	found := redact.ScanText(row.Text)
	switch {
	case len(redact.Blocking(found)) > 0:
		judged.hit = 1
		judged.missing = []redacttest.Row{row}
	case len(found) > 0:
		judged.warned = 1
	}
	return judged
}

// rulesOf returns the rules that block the text.
func rulesOf(text string) string {
	var ids []string
	for _, f := range redact.Blocking(redact.ScanText(text)) {
		ids = append(ids, f.Rule)
	}
	return strings.Join(ids, ", ")
}
