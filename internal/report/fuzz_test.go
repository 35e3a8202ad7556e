package report_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/report"
)

// FuzzWrite holds that no text in a result breaks a format.
func FuzzWrite(f *testing.F) {
	f.Add(first, "/goal", "ghp_…", "looks like a GitHub token", "revoke it", "v1:0123456789abcdef", 12, 34,
		uint8(7))
	f.Add("::"+attack, attack, attack, attack, attack, attack, -1, 0, uint8(0))
	f.Add("", "", "", "", "", "", 0, 0, uint8(255))
	f.Add("-", "/\xff", "\u2028", "]]>", "{0}[a](b)", "#", 1<<31, -1<<31, uint8(28))
	schema := oasis(f)
	f.Fuzz(func(t *testing.T, subject, pointer, mask, message, advice, fingerprint string, line, column int,
		kind uint8,
	) {
		r := sample()
		x := report.Result{
			Rule:    r.Rules[kind%5].ID,
			Area:    []report.Area{"", report.Secret, report.Record, report.Store}[kind%4],
			Level:   []report.Level{report.Error, report.Note, report.Warning, report.Error}[kind/4%4],
			Subject: subject, Pointer: pointer,
			InName: kind&16 != 0, Mask: mask, Message: message, Advice: advice, Fingerprint: fingerprint,
			Region: report.Region{Line: line, Column: column, EndLine: column, EndColumn: line},
		}
		if kind&32 != 0 {
			x.Suppressed = &report.Suppression{
				By: mask, Why: message, Record: advice,
				Until: time.Unix(int64(line), 0),
			}
		}
		if kind&64 != 0 {
			x.Rule = message
		}
		r.Results = append(r.Results, x, x)
		r.Subjects = append(r.Subjects, subject)

		validate(t, schema, write(t, r, report.SARIF))
		parseXML(t, write(t, r, report.JUnit))
		parseCommands(t, write(t, r, report.GitHub), r)
		fingerprints(t, r)
		text := write(t, r, report.Text)
		noCommands(t, text)
		if i := strings.IndexFunc(text, func(c rune) bool {
			return c != '\n' && unicode.In(c, unicode.C, unicode.Zl, unicode.Zp)
		}); i >= 0 || !utf8.ValidString(text) {
			t.Errorf("%q is not printable", text)
		}
		if lines := strings.Count(text, "\n"); lines > 40 {
			t.Errorf("%d lines:\n%s", lines, text)
		}
		comesBack(t, r, x)
	})
}

// comesBack finds a result again in JSON.
func comesBack(t *testing.T, r *report.Report, want report.Result) {
	t.Helper()
	var got struct {
		Results []struct {
			Rule, Subject, Pointer, Mask, Message, Advice, Fingerprint string
			Region                                                     struct{ Line, Column int }
		}
	}
	text := write(t, r, report.JSON)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	said := []string{
		want.Rule, want.Subject, want.Pointer, want.Mask, want.Message, want.Advice,
		want.Fingerprint,
	}
	for i, s := range said {
		said[i] = string([]rune(s))
	}
	for _, x := range got.Results {
		if slices.Equal(said,
			[]string{x.Rule, x.Subject, x.Pointer, x.Mask, x.Message, x.Advice, x.Fingerprint}) &&
			x.Region.Line == want.Region.Line && x.Region.Column == want.Region.Column {
			return
		}
	}
	t.Errorf("%q at %v does not come back in\n%s", said, want.Region, text)
}

// FuzzReadBaseline holds that what is read is bounded by what is written there, and that a list means what it
// says.
func FuzzReadBaseline(f *testing.F) {
	f.Add("v1:0123456789abcdef # a\n")
	f.Add(write(f, sample(), report.JSON))
	f.Add(`{"tool":"t","ruleset":"1","results":[{"rule":"r","subject":"s","fingerprint":"v1:0123456789abcdef"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := report.ReadBaseline(strings.NewReader(text))
		r := sample()
		b.Apply(r)
		for _, x := range r.Results {
			if x.Suppressed == nil || x.Suppressed.By != "baseline" {
				continue
			}
			if err != nil || x.Fingerprint == "" {
				t.Errorf("%q is suppressed (%v)", x.Fingerprint, err)
			}
			if !strings.Contains(text, `\`) && !strings.Contains(text, x.Fingerprint) {
				t.Errorf("%q is suppressed and is not in %q", x.Fingerprint, text)
			}
		}
		if n := b.Unused(); n > len(text)/19 {
			t.Errorf("%d entries in %d bytes", n, len(text))
		}
	})
}
