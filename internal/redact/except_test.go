package redact_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

func exprs(all ...string) []*regexp.Regexp {
	var compiled []*regexp.Regexp
	for _, expr := range all {
		compiled = append(compiled, regexp.MustCompile(expr))
	}
	return compiled
}

func TestException(t *testing.T) {
	t.Parallel()

	custom := redact.Custom{ID: "own", Expr: `code: (\d{4})`}
	for _, c := range []struct {
		name   string
		except redact.Exception
		text   string
		want   int
	}{
		{"secret", redact.Exception{Secrets: exprs(`^12`)}, "code: 1234 code: 5678", 1},
		{"secret is not the match", redact.Exception{Secrets: exprs(`code`)}, "code: 1234", 1},
		{"match", redact.Exception{Matches: exprs(`^code: 1`)}, "code: 1234 code: 5678", 1},
		{"line", redact.Exception{Lines: exprs(`^# .* of tests$`)}, "# code: 1234 of tests\ncode: 5678", 1},
		{"last line", redact.Exception{Lines: exprs(`^code: 5678$`)}, "# code: 1234\ncode: 5678", 1},
		{
			"line too long",
			redact.Exception{Lines: exprs(`.`)},
			strings.Repeat("x", 20_000) + "code: 1234" + strings.Repeat("x", 20_000), 1,
		},
		{"word", redact.Exception{Words: []string{"23"}}, "code: 1234 code: 5678", 1},
		{"any", redact.Exception{Words: []string{"23"}, Secrets: exprs("^5")}, "code: 1234 code: 5678", 0},
		{
			"all",
			redact.Exception{Words: []string{"23"}, Secrets: exprs("^5"), All: true},
			"code: 1234 code: 5678 code: 5231", 2,
		},
		{"this rule", redact.Exception{Rules: []string{"own"}, Words: []string{"1234"}}, "code: 1234", 0},
		{"another rule", redact.Exception{Rules: []string{"jwt"}, Words: []string{"1234"}}, "code: 1234", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			r, err := custom.Rule()
			if err != nil {
				t.Fatal(err)
			}
			s, err := redact.NewWith(
				redact.Config{Rules: []redact.Rule{r}, Exceptions: []redact.Exception{c.except}})
			if err != nil {
				t.Fatal(err)
			}
			if got := secrets(s, "own", c.text); len(got) != c.want {
				t.Errorf("found %q, want %d", got, c.want)
			}
		})
	}
}

// TestException_builtIn excepts what built-in rules find, in a text and by the
// name of a member, and holds that masking leaves it.
func TestException_builtIn(t *testing.T) {
	t.Parallel()

	token := "ghp_" + "1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R"
	password := "Tr0ub4dor" + "&3xyz"
	doc := []byte(`{"a": "` + token + `", "password": "` + password + `", "b": "` +
		strings.ToUpper(token[:5]) + `"}`)
	fs, err := redact.BuiltIn().Scan(doc)
	if err != nil || len(redact.Blocking(fs)) != 2 {
		t.Fatalf("without exceptions: %v, %v, want two findings", fs, err)
	}
	s, err := redact.NewWith(
		redact.Config{Exceptions: []redact.Exception{
			{Secrets: exprs("^ghp_1a2B")},
			{Words: []string{password}},
		}})
	if err != nil {
		t.Fatal(err)
	}
	masked, fs, err := s.Mask(doc)
	if err != nil || len(fs) > 0 || string(masked) != string(doc) {
		t.Errorf("Mask = %s, %v, %v, want the document as it is", masked, fs, err)
	}
}

func TestNewWith_wrong(t *testing.T) {
	t.Parallel()

	own, err := redact.Custom{ID: "jwt", Expr: "zz"}.Rule()
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]redact.Config{
		"disable nothing": {Disabled: []string{"no-such-rule"}},
		"except nothing": {Exceptions: []redact.Exception{{
			Rules: []string{"no-such-rule"},
			Words: []string{"a"},
		}}},
		"name of a built-in": {Rules: []redact.Rule{own}},
		"one name twice":     {Disabled: []string{"jwt"}, Rules: []redact.Rule{own, own}},
		"exception of a rule": {
			Disabled: []string{"jwt"}, Rules: []redact.Rule{own},
			Exceptions: []redact.Exception{{Rules: []string{"own"}, Words: []string{"a"}}},
		},
	} {
		if s, err := redact.NewWith(cfg); err == nil || s != nil {
			t.Errorf("%s: NewWith = %v, %v, want an error", name, s, err)
		}
	}
	_, err = redact.NewWith(redact.Config{Disabled: []string{"one", "two"}})
	if !errors.Is(err, redact.ErrUnknownRule) || !strings.Contains(err.Error(), "one") ||
		!strings.Contains(err.Error(), "two") {
		t.Errorf("NewWith: %v, want both unknown rules", err)
	}
}

// TestNewWith_replace holds that a disabled rule gives way to one of its name.
func TestNewWith_replace(t *testing.T) {
	t.Parallel()

	own, err := redact.Custom{ID: "shell-prompt", Expr: `zz@zz`}.Rule()
	if err != nil {
		t.Fatal(err)
	}
	s, err := redact.NewWith(redact.Config{Disabled: []string{"shell-prompt"}, Rules: []redact.Rule{own}})
	if err != nil {
		t.Fatal(err)
	}
	if got := secrets(s, "shell-prompt", "zz@zz mara@thinkpad:~$ ls"); len(got) != 1 || got[0] != "zz@zz" {
		t.Errorf("found %q, want what the new rule finds", got)
	}
	if got, want := len(s.Rules()), len(redact.BuiltIn().Rules()); got != want {
		t.Errorf("%d rules, want %d", got, want)
	}
}
