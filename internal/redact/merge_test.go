package redact_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// scannerOf returns a Scanner with trusted rules and with added ones, by their expressions.
func scannerOf(t *testing.T, trusted, added map[string]string) *redact.Scanner {
	t.Helper()
	rules := func(exprs map[string]string) (all []redact.Rule) {
		for id, expr := range exprs {
			r, err := redact.Custom{ID: id, Expr: expr}.Rule()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		return all
	}
	s, err := redact.NewWith(redact.Config{Rules: rules(trusted), Added: rules(added)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestScanText_tiers holds that what a rule of a file finds hides nothing that an earlier rule finds, so that
// nobody can allow a secret under the name of a rule of their own. SPEC.
func TestScanText_tiers(t *testing.T) {
	t.Parallel()

	one := func(id, expr string) map[string]string { return map[string]string{id: expr} }
	for name, c := range map[string]struct {
		trusted, added map[string]string
		text           string
		want           []place
	}{
		"longer": {
			nil, one("house", `see \S+ here`), "see @ here",
			[]place{{"house", "", false, 0, 49}, {"github-token", "", false, 4, 44}},
		},
		"overlaps before": {
			nil, one("house", `see .{10}`), "see @ here",
			[]place{{"house", "", false, 0, 14}, {"github-token", "", false, 4, 44}},
		},
		"overlaps behind": {
			nil, one("house", `\S{10} here`), "see @ here",
			[]place{{"github-token", "", false, 4, 44}, {"house", "", false, 34, 49}},
		},
		"the same": {
			nil, one("house", `gh[p]_\w+`), "see @ here",
			[]place{{"github-token", "", false, 4, 44}},
		},
		"within": {
			nil, one("house", `a1B2`), "see @ here",
			[]place{{"github-token", "", false, 4, 44}},
		},
		"a trusted one": {
			one("ours", `key-\d+`), one("theirs", `my key-\d+`), "my key-7",
			[]place{{"theirs", "", false, 0, 8}, {"ours", "", false, 3, 8}},
		},
		"within a trusted": {
			one("ours", `my key-\d+`), one("theirs", `key-\d+`), "my key-7",
			[]place{{"ours", "", false, 0, 8}},
		},
		"trusted is longer": {
			one("ours", `see \S+ here`), nil, "see @ here",
			[]place{{"ours", "", false, 0, 49}, {"github-token", "", false, 4, 44}},
		},
		"a place": {
			nil, one("house", `HOUSE-\d+`), "/home/bob/HOUSE-12",
			[]place{{"home-path", "", false, 0, 18}, {"house", "", false, 10, 18}},
		},
		"of one tier": {
			nil,
			map[string]string{"long": `my key-\d+`, "short": `key-\d+`},
			"my key-7",
			[]place{{"long", "", false, 0, 8}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.ReplaceAll(c.text, "@", secretToken())
			s := scannerOf(t, c.trusted, c.added)
			if diff := cmp.Diff(c.want, placesOf(s.ScanText(text))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestScanText_inPlace holds that a place on a machine hides no secret in it, in whatever order they stand.
// SPEC.
func TestScanText_inPlace(t *testing.T) {
	t.Parallel()

	token := secretToken()
	for text, want := range map[string][]string{
		"/home/@/a":              {"home-path", "github-token"},
		"file:///home/@":         {"file-url", "github-token"},
		`C:\Users\bob\@`:         {"windows-path", "github-token"},
		"https://u:@@host/x":     {"github-token"},
		"key=@ in /home/bob/src": {"github-token", "home-path"},
	} {
		var rules []string
		for _, f := range redact.ScanText(strings.Replace(text, "@", token, 1)) {
			rules = append(rules, f.Rule)
		}
		if diff := cmp.Diff(want, rules); diff != "" {
			t.Errorf("rules in %q (-want +got):\n%s", text, diff)
		}
	}
}

// TestMask_overlap holds that labels stand for all of findings that overlap, in values and in pointers.
func TestMask_overlap(t *testing.T) {
	t.Parallel()

	token := secretToken()
	for _, c := range []struct{ expr, text, want string }{
		{`see \S+ here`, "see @ here", "[REDACTED:house]"},
		{`see .{10}`, "see @ here", "[REDACTED:house][REDACTED:github-token] here"},
		{`\S{10} here`, "see @ here", "see [REDACTED:github-token][REDACTED:house]"},
		{`nothing`, "in /home/bob/@/x", "in /home/bob/[REDACTED:github-token]/x"},
	} {
		s := scannerOf(t, nil, map[string]string{"house": c.expr})
		text := strings.ReplaceAll(c.text, "@", token)
		got, _, err := s.Mask([]byte(`["` + text + `"]`))
		if want := `["` + c.want + `"]`; err != nil || string(got) != want {
			t.Errorf("%s: Mask = %s, %v, want %s", c.expr, got, err, want)
		}
		pointer := "/" + strings.ReplaceAll(c.want, "/", "~1")
		fs, err := s.Scan([]byte(`{"` + text + `": "/home/mara/x"}`))
		if err != nil || len(fs) < 2 || fs[len(fs)-1].Path != pointer {
			t.Errorf("%s: %v, %v, want a last pointer %q", c.expr, fs, err, pointer)
		}
	}
}
