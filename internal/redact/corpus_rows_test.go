package redact_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

const (
	// minRecall is the part of the secrets that the scanner finds whole.
	minRecall = 0.98
	// maxAlarms is the part of the harmless texts that it may block.
	maxAlarms = 0.008
)

// A tally counts rows.
type tally struct {
	rows  int
	hit   int              // The whole secret is found, or a harmless row is blocked.
	half  int              // A part of the secret is found, or a harmless row only warns.
	noted []redacttest.Row // Secrets that were missed, harmless rows that were blocked.
}

func (t tally) plus(o tally) tally {
	return tally{t.rows + o.rows, t.hit + o.hit, t.half + o.half, append(t.noted, o.noted...)}
}

// share returns the part of the rows that were hit.
func (t tally) share() float64 { return float64(t.hit) / float64(max(1, t.rows)) }

// A corpus says how the rows of one kind of file are judged.
type corpus struct {
	secrets int // Secrets that each row holds, 0 or 1.
	judge   func(redacttest.Row) tally
	line    string // Format of a group in the report.
}

var (
	secretRows = corpus{
		1, judgePositive,
		"%-18s %-20s %4d rows, recall %6.2f %%, %d missed, %d of them found in part",
	}
	harmlessRows = corpus{
		0, judgeNegative,
		"%-18s %-20s %4d rows, alarms %6.2f %%, %d passed, %d of them with a warning",
	}
)

// reportUnknown fails for each row that the scanner judges wrongly and whose kind is not among the known ones, so that a
// rule cannot be lost among thousands of rows.
func reportUnknown(t *testing.T, what string, wrong []redacttest.Row, known string) {
	t.Helper()
	for _, row := range wrong {
		if kind := row.Group + "/" + row.Kind; !slices.Contains(strings.Fields(known), kind) {
			t.Errorf("%s %s:%d %s: %s", what, row.File, row.Line, kind, rulesOf(row.Text))
		}
	}
}

func TestCorpus_positives(t *testing.T) {
	t.Parallel()
	total := secretRows.measure(t, "positives.txt")
	reportUnknown(t, "missed", total.noted, `
		embedded/generic-winscp generic-assign/ansible-vault
		generic-assign/pin generic-assign/spaces-in-value generic-assign/winscp obfuscated/blank-inside
		obfuscated/nbsp-inside obfuscated/spaces-between password-in-prose/argocd-init
		password-in-prose/clave password-in-prose/try provider-context/honeybadger
		provider-context/line-bot provider-context/newrelic-userid provider-context/onepagecrm-nu
		provider-context/segment-load provider-context/sidekiq-bundle provider-context/snowflake
		provider-context/telegram-hash provider-context/twitter-tweepy provider-context/wandb-login
		provider-context/wolfram provider-prose/telegram-api-hash
	`)
	if total.share() < minRecall {
		t.Errorf("the scanner finds %d of %d secrets whole, want %.1f %%", total.hit, total.rows,
			100*minRecall)
	}
}

func TestCorpus_negatives(t *testing.T) {
	t.Parallel()
	total := harmlessRows.measure(t, "negatives.txt")
	reportUnknown(t, "alarm", total.noted, `
		joined/normal near/provider-id placeholder/percent
	`)
	if total.share() > maxAlarms {
		t.Errorf("the scanner blocks %d of %d harmless texts, want at most %.1f %%", total.hit, total.rows,
			100*maxAlarms)
	}
}

// TestCorpus_hard tells how much is found of what was missed when it was written down.
func TestCorpus_hard(t *testing.T) {
	t.Parallel()
	secretRows.measure(t, "hard_positives.txt")
}

// heldOut says of each file of rows to which no rule is written how many were found, or blocked, when it was
// last measured: a change may find more secrets and block fewer harmless texts.
var heldOut = map[string]int{
	"held_positives.txt":                   450, // Of 469.
	"held_negatives.txt":                   2,   // Of 371.
	"held_foreign_layouts_positives.txt":   56,  // Of 60.
	"held_foreign_vendors_positives.txt":   53,  // Of 60.
	"held_foreign_documents_positives.txt": 12,  // Of 14.
	"held_foreign_documents_negatives.txt": 0,   // Of 6.
	"held_foreign_code_negatives.txt":      0,   // Of 40.
}

func TestCorpus_heldOut(t *testing.T) {
	t.Parallel()
	secretRows.sealed(t, "held_positives.txt")
	harmlessRows.sealed(t, "held_negatives.txt")
}

// sealed reports the total of a file of heldOut and nothing of its rows, and fails where it became worse.
func (c corpus) sealed(t *testing.T, file string) {
	t.Helper()
	var total tally
	for _, row := range c.load(t, file) {
		total = total.plus(c.judge(row))
	}
	t.Log(c.report(file, "total", total))
	switch want := heldOut[file]; {
	case c.secrets == 1 && total.hit < want:
		t.Errorf("%s: the scanner finds %d secrets, want at least %d", file, total.hit, want)
	case c.secrets == 0 && total.hit > want:
		t.Errorf("%s: the scanner blocks %d harmless texts, want at most %d", file, total.hit, want)
	}
}

// measure judges the rows of a file and reports each group and their total.
func (c corpus) measure(t *testing.T, file string) tally {
	t.Helper()
	groups := map[string]tally{}
	var total tally
	for _, row := range c.load(t, file) {
		judged := c.judge(row)
		groups[row.Group] = groups[row.Group].plus(judged)
		total = total.plus(judged)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		t.Log(c.report(file, name, groups[name]))
	}
	t.Log(c.report(file, "total", total))
	return total
}

// load reads the rows of a file.
func (c corpus) load(t *testing.T, file string) []redacttest.Row {
	t.Helper()
	rows, err := redacttest.Load(filepath.Join("..", "..", "testdata", "redact", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if got := min(1, len(row.Secret)); got != c.secrets {
			t.Errorf("%s:%d holds %d secrets, want %d", row.File, row.Line, got, c.secrets)
		}
	}
	return rows
}

// report returns one line about a group.
func (c corpus) report(file, group string, t tally) string {
	return fmt.Sprintf(c.line, file, group, t.rows, 100*t.share(), t.rows-t.hit, t.half)
}

// judgePositive tells whether the secret of the row is found. A place and a
// personal detail need no more than a warning.
func judgePositive(row redacttest.Row) tally { return judgeFound(row, redact.ScanText(row.Text)) }

// judgeFound tells whether the secret of the row is among what was found in it.
func judgeFound(row redacttest.Row, found []redact.Finding) tally {
	warning := row.Group == "place" || row.Group == "personal"
	half := 0
	for _, f := range found {
		if f.Severity != redact.Block && !warning {
			continue
		}
		if f.Start <= row.Start && row.End <= f.End {
			return tally{rows: 1, hit: 1}
		}
		if f.Start < row.End && row.Start < f.End {
			half = 1
		}
	}
	return tally{rows: 1, half: half, noted: []redacttest.Row{row}}
}

// judgeNegative tells whether the row is blocked.
func judgeNegative(row redacttest.Row) tally { return judgeClean(row, redact.ScanText(row.Text)) }

// judgeClean tells whether something that was found in the row blocks.
func judgeClean(row redacttest.Row, found []redact.Finding) tally {
	if len(redact.Blocking(found)) > 0 {
		return tally{rows: 1, hit: 1, noted: []redacttest.Row{row}}
	}
	return tally{rows: 1, half: min(1, len(found))}
}

// rulesOf returns the rules that block the text.
func rulesOf(text string) string {
	var ids []string
	for _, f := range redact.Blocking(redact.ScanText(text)) {
		ids = append(ids, f.Rule)
	}
	return strings.Join(ids, ", ")
}
