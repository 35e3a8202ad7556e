package redact_test

import (
	"encoding/base64"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// withRules returns a Scanner that has rules beside the built-in ones.
func withRules(t *testing.T, rules ...redact.Custom) *redact.Scanner {
	t.Helper()
	var cfg redact.Config
	for _, c := range rules {
		r, err := c.Rule()
		if err != nil {
			t.Fatal(err)
		}
		cfg.Rules = append(cfg.Rules, r)
	}
	s, err := redact.NewWith(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// secrets returns what the rule of a name finds in text.
func secrets(s *redact.Scanner, rule, text string) []string {
	var all []string
	for _, f := range s.ScanText(text) {
		if f.Rule == rule {
			all = append(all, text[f.Start:f.End])
		}
	}
	return all
}

func TestCustom(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		name   string
		custom redact.Custom
		text   string
		want   []string
	}{
		{
			"whole match",
			redact.Custom{Expr: `zz-\d{4}`},
			"a zz-1234, zz-5678",
			[]string{"zz-1234", "zz-5678"},
		},
		{"first group", redact.Custom{Expr: `zz-(\d{4})`}, "zz-1234", []string{"1234"}},
		{"first group that is not empty", redact.Custom{Expr: `zz-(x*)(\d{4})`}, "zz-1234", []string{"1234"}},
		{"named group", redact.Custom{Expr: `(zz)-(\d{4})`, Group: 2}, "zz-1234", []string{"1234"}},
		{
			"named group that is empty",
			redact.Custom{Expr: `zz-(x*)\d{4}`, Group: 1},
			"zz-1234",
			[]string{"zz-1234"},
		},
		{"line ends around it", redact.Custom{Expr: `\nzz-\d{4}\n`}, "a\nzz-1234\nb", []string{"zz-1234"}},
		{
			"keyword far away",
			redact.Custom{Expr: `zz-\d{4}`, Keywords: []string{"other", "Vault"}},
			"zz-1234 is of the VAULT",
			[]string{"zz-1234"},
		},
		{"no keyword", redact.Custom{Expr: `zz-\d{4}`, Keywords: []string{"vault"}}, "zz-1234", nil},
		{
			"short keyword",
			redact.Custom{Expr: `zz-\d{4}`, Keywords: []string{"Q"}},
			"zz-1234 q",
			[]string{"zz-1234"},
		},
		{"short keyword missing", redact.Custom{Expr: `zz-\d{4}`, Keywords: []string{"Q"}}, "zz-1234", nil},
		{
			"keyword beyond ASCII",
			redact.Custom{Expr: `zz-\d{4}`, Keywords: []string{"schlüssel"}},
			"SCHLÜSSEL zz-1234",
			[]string{"zz-1234"},
		},
		{"nothing required", redact.Custom{Expr: `[yz]{2}-\d{4}`}, "zy-1234", []string{"zy-1234"}},
		{
			"one of two required",
			redact.Custom{Expr: `(?:alpha|beta)-(\d{4})`},
			"alpha-1234 beta-5678",
			[]string{"1234", "5678"},
		},
		{
			"required in any case",
			redact.Custom{Expr: `(?i)kiss-(\d{4})`},
			"\u212aI\u017fs-1234",
			[]string{"1234"},
		},
		{"required and repeated", redact.Custom{Expr: `(?:zz){2,3}-(\d{4})`}, "zzzz-1234", []string{"1234"}},
		{"may be left out", redact.Custom{Expr: `(?:alpha)?-(\d{4})`}, "-1234", []string{"1234"}},
		{
			"entropy",
			redact.Custom{Expr: `zz-(\w{8})`, Entropy: 2},
			"zz-abababab zz-abcdefgh",
			[]string{"abcdefgh"},
		},
		{"entropy must be exceeded", redact.Custom{Expr: `zz-(\w{8})`, Entropy: 3}, "zz-abcdefgh", nil},
		{"across lines", redact.Custom{Expr: `(?s)begin (.*?) end`}, "begin a\nb end", []string{"a\nb"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			c.custom.ID = "own"
			if diff := cmp.Diff(c.want, secrets(withRules(t, c.custom), "own", c.text)); diff != "" {
				t.Errorf("secrets in %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// TestCustom_decoded holds that what decoders make of a text is looked at too.
func TestCustom_decoded(t *testing.T) {
	t.Parallel()

	s := withRules(t, redact.Custom{ID: "own", Expr: `zz-secret-\d{8}`})
	for _, text := range []string{
		base64.StdEncoding.EncodeToString([]byte("the value is zz-secret-12345678 here")),
		"zz%2Dsecret%2D12345678",
		"zz-sec\u200bret-12345678",
	} {
		if len(secrets(s, "own", text)) != 1 {
			t.Errorf("%q: %v, want one finding", text, s.ScanText(text))
		}
	}
}

func TestCustom_finding(t *testing.T) {
	t.Parallel()

	s := withRules(t, redact.Custom{
		ID: "own", Expr: `zz-\d{4}`, Description: "a \x1b[1mdoor\ncode",
	})
	got := s.ScanText("zz-1234")
	if len(got) != 1 {
		t.Fatalf("%v, want one finding", got)
	}
	f := got[0]
	if f.Severity != redact.Block || f.Mask != "…" || f.Advice == "" ||
		f.Why != "matches a rule of your own: a door code" {
		t.Errorf("finding = %+v", f)
	}
}

func TestCustom_Rule_wrong(t *testing.T) {
	t.Parallel()

	c := redact.Custom{
		ID: "two words", Expr: "a(b", Keywords: []string{" "}, Entropy: math.NaN(),
	}
	_, err := c.Rule()
	if err == nil {
		t.Fatal("Rule: no error")
	}
	var keys []string
	for line := range strings.Lines(err.Error()) {
		key, _, _ := strings.Cut(line, ":")
		keys = append(keys, key)
	}
	if diff := cmp.Diff([]string{"id", "regex", "keywords", "entropy"}, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if strings.Contains(err.Error(), "a(b") {
		t.Errorf("%v quotes the expression", err)
	}
	for _, expr := range []string{
		"", "x*", `\b`, "a?|b", "(?:ab)*", "^$",
		strings.Repeat("[a-z]{1000}", 11),
	} {
		if _, err := (redact.Custom{ID: "own", Expr: expr}).Rule(); err == nil {
			t.Errorf("expression %.20q is taken", expr)
		}
	}
	if _, err := (redact.Custom{ID: "own", Expr: "a(b)", Group: 2}).Rule(); err == nil {
		t.Error("a group that does not exist is taken")
	}
}

// TestCustom_manyMatches holds that what stands behind the last match that is
// looked at is found, whatever it is, and that the time stays bounded.
func TestCustom_manyMatches(t *testing.T) {
	t.Parallel()

	s := withRules(t, redact.Custom{
		ID: "own", Expr: `(?s)zz(?:.*never)?`,
		Except: []redact.Exception{{Words: []string{"zz"}}},
	})
	text := strings.Repeat("zz", 1<<15) + "tail"
	got := s.ScanText(text)
	if len(got) != 1 || got[0].End != len(text) {
		t.Errorf("%d findings, want one that reaches to the end", len(got))
	}
	few := strings.Repeat("zz ", 60)
	if got := s.ScanText(few); len(got) > 0 {
		t.Errorf("%v, want no finding where all matches are looked at", got)
	}
}

// TestCustom_mask holds that masking ends, even for rules that match labels.
func TestCustom_mask(t *testing.T) {
	t.Parallel()

	for _, expr := range []string{`.+`, `\w+`, `zz(..)`, `code=(.{8})`, `(?:zz|\[)(.+)`, `#\d|zz`} {
		s := withRules(t, redact.Custom{ID: "own", Expr: expr})
		doc := []byte(`{"code=12345678 zz": ["zzab code=12345678 [REDACTED:own#3]", {"x zz": "zz", "x  zz": 1}]}`)
		masked, findings, err := s.Mask(doc)
		if err != nil || len(findings) == 0 {
			t.Errorf("%s: %v, %d findings, want a masked document", expr, err, len(findings))
			continue
		}
		left, err := s.Scan(masked)
		if err != nil || len(redact.Blocking(left)) > 0 {
			t.Errorf("%s: %v left in %s, error %v", expr, left, masked, err)
		}
	}
}

// TestCustom_labels holds that a label covers nothing but the name of a rule and a short number.
func TestCustom_labels(t *testing.T) {
	t.Parallel()

	s := withRules(t, redact.Custom{ID: "house", Expr: `HOUSE-\d{6}|\d{8}`})
	for text, want := range map[string]int{
		"[REDACTED:house]":                         0,
		"[REDACTED:house#12]":                      0,
		"[REDACTED:house]#12":                      0,
		"[REDACTED:house#HOUSE-123456]":            1,
		"[REDACTED:house#2 HOUSE-123456]":          1,
		"[REDACTED:HOUSE-123456]":                  1,
		"[REDACTED:house#20261121]":                1,
		"[REDACTED:house]#20261121":                1,
		"[REDACTED:house][REDACTED:house#20261121": 1,
	} {
		if got := secrets(s, "house", text); len(got) != want {
			t.Errorf("%s: found %q, want %d", text, got, want)
		}
	}
}

// TestScanner_concurrent holds that a Scanner with own rules may be shared.
func TestScanner_concurrent(t *testing.T) {
	t.Parallel()

	s := withRules(t, redact.Custom{
		ID: "own", Expr: `zz-\d{4}`,
		Except: []redact.Exception{{Words: []string{"0000"}}},
	})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := secrets(s, "own", "zz-1234 zz-0000"); len(got) != 1 {
				t.Errorf("found %q, want one", got)
			}
		})
	}
	group.Wait()
}
