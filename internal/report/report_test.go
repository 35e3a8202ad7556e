package report_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/report"
)

var update = flag.Bool("update", false, "write the golden files again")

const (
	first  = "refs/ltm/packets/01J9ZQ4M8T3V5X7Y9A1C3E5G7H"
	second = "refs/ltm/packets/01J9ZQ4M8T3V5X7Y9A1C3E5G7J"
	third  = "refs/ltm/packets/01J9ZQ4M8T3V5X7Y9A1C3E5G7K"
	fourth = "refs/ltm/events/01J9ZQ4M8T3V5X7Y9A1C3E5G7M"
)

// sample returns a report with a result of every kind.
func sample() *report.Report {
	began := time.Date(2026, 5, 4, 12, 0, 0, 0, time.FixedZone("", 7200))
	return &report.Report{
		Tool:    "git-ltm",
		Version: "1.2.3",
		Ruleset: "7",
		Home:    "https://github.com/git-ltm/git-ltm",
		Started: began,
		Ended:   began.Add(1250 * time.Millisecond),
		Rules: []report.Rule{
			{
				ID: "github-token", Area: report.Secret, Level: report.Error, About: "Finds tokens of GitHub.",
				Advice: "Revoke it.",
			},
			{ID: "email", Area: report.Secret, Level: report.Warning, About: "Finds addresses for mail."},
			{
				ID: "format", Area: report.Record, Level: report.Error,
				About: "Holds a record against its format {SPEC}.",
			},
			{
				ID: "stray-ref", Area: report.Store, Level: report.Error,
				About: "Finds refs that hold no record.",
			},
			{
				ID: "old-version", Area: report.Record, Level: report.Note,
				About: "Finds records of an old version.",
			},
		},
		Subjects: []string{first, second, third, fourth},
		Results: []report.Result{
			{
				Rule: "github-token", Area: report.Secret, Level: report.Error, Subject: first,
				Pointer: "/attempts/0/learned",
				Region:  report.Region{Line: 12, Column: 34, EndLine: 12, EndColumn: 74}, Mask: "ghp_…",
				Message:     "looks like a GitHub token",
				Advice:      "revoke it at github.com/settings/tokens, then leave it out of the packet",
				Fingerprint: "v1:0123456789abcdef",
			},
			{
				Rule: "email", Area: report.Secret, Level: report.Warning, Subject: first, Pointer: "/notes",
				InName: true, Mask: "…",
				Message: "looks like an address for mail", Fingerprint: "v1:1123456789abcdef",
			},
			{
				Rule: "format", Area: report.Record, Level: report.Error, Subject: second, Pointer: "/goal",
				Message: "must not be empty", Region: report.Region{Line: 3},
			},
			{
				Rule: "format", Area: report.Record, Level: report.Error, Subject: second,
				Message: "has no [id] {0}",
			},
			{
				Rule: "old-version", Area: report.Record, Level: report.Note, Subject: second,
				Message: "is of version 0.1",
			},
			{
				Rule: "github-token", Area: report.Secret, Level: report.Error, Subject: third,
				Pointer: "/goal", Mask: "ghp_…",
				Message: "looks like a GitHub token", Advice: "revoke it", Fingerprint: "v1:2123456789abcdef",
				Suppressed: &report.Suppression{
					By: "A. Person", Why: "an example of the manual",
					Until:  time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", -3600)),
					Record: "01J9ZQ4M8T3V5X7Y9A1C3E5G7N",
				},
			},
			{
				Rule: "stray-ref", Area: report.Store, Level: report.Error, Subject: "refs/ltm/odd name",
				Message: "is no record",
			},
		},
	}
}

func write(tb testing.TB, r *report.Report, f report.Format) string {
	tb.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, f); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func formats(tb testing.TB) []report.Format {
	tb.Helper()
	var all []report.Format
	for _, name := range report.Formats() {
		f, err := report.ParseFormat(name)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

func TestReport_Write_golden(t *testing.T) {
	t.Parallel()
	for _, f := range formats(t) {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("..", "..", "testdata", "report", string(f)+".golden")
			got := write(t, sample(), f)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

func TestParseFormat(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "SARIF", "xml", "json "} {
		if f, err := report.ParseFormat(name); err == nil ||
			!strings.Contains(err.Error(), "text, json, sarif, junit, github, gitlab") {
			t.Errorf("ParseFormat(%q) = %q, %v, want an error that lists the formats", name, f, err)
		}
	}
	if err := sample().Write(&bytes.Buffer{}, "xml"); err == nil {
		t.Error("Write takes the format xml")
	}
}

// TestReport_Write_summary counts by what a person would do about it.
func TestReport_Write_summary(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		subjects []string
		results  []report.Result
		want     string
	}{
		"empty":    {nil, nil, "checked 0 records: nothing found\n"},
		"clear":    {[]string{first}, nil, "checked 1 record: nothing found\n"},
		"stdin":    {[]string{"-"}, nil, "checked standard input: nothing found\n"},
		"files":    {[]string{"a", "b"}, nil, "checked 2 files: nothing found\n"},
		"mixed":    {[]string{"a", first}, nil, "checked 2 texts: nothing found\n"},
		"a record": {[]string{first, second}, sample().Results[2:4], "checked 2 records: 1 invalid record\n"},
		"all": {
			[]string{first, second, third, fourth},
			sample().Results,
			"checked 3 records and 1 change: 1 secret, 1 invalid record, 1 store error, 1 warning, 1 note, 1 suppressed; secrets in 01J9ZQ4M8T3V5X7Y9A1C3E5G7H\n",
		},
		"two": {
			[]string{first},
			[]report.Result{
				sample().Results[0], sample().Results[0], sample().Results[1],
				sample().Results[1],
			},
			"checked 1 record: 2 secrets, 2 warnings; secrets in 01J9ZQ4M8T3V5X7Y9A1C3E5G7H\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := sample()
			r.Subjects, r.Results = test.subjects, test.results
			for _, f := range []report.Format{report.Text, report.GitHub} {
				lines := strings.SplitAfter(write(t, r, f), "\n")
				if got := lines[len(lines)-2]; got != test.want {
					t.Errorf("%s ends with %q, want %q", f, got, test.want)
				}
			}
		})
	}
}

// TestReport_Write_scattered finds the results of a subject together, also when other results stand between.
func TestReport_Write_scattered(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Results[1], r.Results[6] = r.Results[6], r.Results[1]
	if got := strings.Count(write(t, r, report.Text), first+"  (2 findings)\n"); got != 1 {
		t.Errorf("the first subject has %d blocks, want 1", got)
	}
	if got := strings.Count(write(t, r, report.JUnit), "<testcase "); got != 5 {
		t.Errorf("%d tests, want one for each of 4 subjects and the stray ref", got)
	}
}

var errFull = errors.New("disk full")

// A fullDisk takes so many bytes and no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		n := d.room
		d.room = 0
		return n, errFull
	}
	d.room -= len(p)
	return len(p), nil
}

func TestReport_Write_error(t *testing.T) {
	t.Parallel()
	r := large(200)
	for _, f := range formats(t) {
		whole := len(write(t, r, f))
		for room := 0; room < whole; room += 1 + whole/50 {
			if err := r.Write(&fullDisk{room}, f); !errors.Is(err, errFull) {
				t.Errorf("%s, after %d of %d bytes: got %v, want %v", f, room, whole, err, errFull)
			}
		}
	}
}

// A gauge measures what is written to it.
type gauge struct{ total, largest int }

func (g *gauge) Write(p []byte) (int, error) {
	g.total += len(p)
	g.largest = max(g.largest, len(p))
	return len(p), nil
}

// TestReport_Write_streams shows that a large report is never held as a whole.
func TestReport_Write_streams(t *testing.T) {
	t.Parallel()
	r := large(10_000)
	for _, f := range formats(t) {
		var g gauge
		if err := r.Write(&g, f); err != nil {
			t.Fatal(err)
		}
		if g.total < 1<<20 || g.largest > 1<<14 {
			t.Errorf("%s: %d bytes, %d in one piece, want at least 1 MiB, at most 16 KiB in one piece", f,
				g.total, g.largest)
		}
	}
}

func large(n int) *report.Report {
	r := sample()
	r.Subjects, r.Results = nil, nil
	for i := range n {
		x := sample().Results[i%7]
		x.Subject = fmt.Sprintf("refs/ltm/packets/%026d", i/3)
		if i%3 == 0 {
			r.Subjects = append(r.Subjects, x.Subject)
		}
		if x.Fingerprint != "" {
			x.Fingerprint = fmt.Sprintf("v1:%016x", i)
		}
		r.Results = append(r.Results, x)
	}
	return r
}
