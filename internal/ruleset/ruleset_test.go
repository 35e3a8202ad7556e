package ruleset_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

var update = flag.Bool("update", false, "write what broken files are told")

var testdata = filepath.Join("..", "..", "testdata", "ruleset")

func parseFile(t *testing.T, name string) (*ruleset.File, error) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return ruleset.Parse(filepath.Base(name), data)
}

func mustParse(t *testing.T, text string) *ruleset.File {
	t.Helper()
	f, err := ruleset.Parse("rules.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func scanner(t *testing.T, trusted, other *ruleset.File) *redact.Scanner {
	t.Helper()
	s, err := redact.NewWith(ruleset.Merge(trusted, other))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// found returns the rules that find something in text.
func found(s *redact.Scanner, text string) []string {
	var ids []string
	for _, f := range s.ScanText(text) {
		ids = append(ids, f.Rule)
	}
	return ids
}

// TestParse_broken holds that each broken file is refused with all that is
// wrong with it.
func TestParse_broken(t *testing.T) {
	t.Parallel()

	files, err := filepath.Glob(filepath.Join(testdata, "broken", "*.toml"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%d broken files, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()

			f, err := parseFile(t, filepath.Join("broken", filepath.Base(file)))
			if _, ok := errors.AsType[*ruleset.InvalidError](err); !ok || f != nil {
				t.Fatalf("Parse = %v, %v, want no file and an InvalidError", f, err)
			}
			golden := strings.TrimSuffix(file, ".toml") + ".txt"
			got := err.Error() + "\n"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestParse_bytes holds what is refused before it is read as TOML.
func TestParse_bytes(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ name, data, want string }{
		{"too large", "#" + strings.Repeat("x", ruleset.MaxSize), "rules.toml: larger than 1048576 bytes"},
		{"not UTF-8", "title = 'x'\n# \xff", `rules.toml:2:3: "invalid UTF-8 character in comment"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			_, err := ruleset.Parse("rules.toml", []byte(c.data))
			if err == nil || err.Error() != c.want {
				t.Errorf("Parse = %v, want %s", err, c.want)
			}
		})
	}
}

// TestParse_kinds holds that a value of the wrong kind is refused where it stands.
func TestParse_kinds(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"[[rules]]\nid = 5":             `2:6: "rules.id" must be a string`,
		"[[rules]]\nregex = ['a']":      `2:9: "rules.regex" must be a string`,
		"[[rules]]\nentropy = '3.5'":    `2:11: "rules.entropy" must be a number`,
		"[[rules]]\nsecretGroup = 1.5":  `2:15: "rules.secretGroup" must be a whole number`,
		"[[rules]]\nkeywords = 'a'":     `2:12: "rules.keywords" must be an array of strings`,
		"[[rules]]\nskipReport = 'yes'": `2:14: "rules.skipReport" must be true or false`,
		"rules = 3":                     `1:9: "rules" must be an array of tables`,
		"extend = 3":                    `1:10: "extend" must be a table`,
		"[[extend]]\nuseDefault = true": `1:3: "cannot store an array table in a struct"`,
	} {
		if _, err := ruleset.Parse("rules.toml", []byte(text)); err == nil || err.Error() != "rules.toml:"+want {
			t.Errorf("Parse(%q) = %v, want %s", text, err, want)
		}
	}
}

// TestParse_quotesNoExpression holds that a broken expression, which may be
// part of a secret, is not repeated.
func TestParse_quotesNoExpression(t *testing.T) {
	t.Parallel()

	_, err := ruleset.Parse("rules.toml",
		[]byte("[[allowlists]]\nregexes = ['(hidden', '[hidden']\n[[rules]]\nid = 'a'\nregex = 'hidden)'\n"))
	if err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("Parse = %v, want an error without the expression", err)
	}
}

// TestParse_many holds that a file full of mistakes is refused shortly.
func TestParse_many(t *testing.T) {
	t.Parallel()

	var unknown strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&unknown, "unknown%d = 1\n", i)
	}
	_, err := ruleset.Parse("rules.toml", []byte(unknown.String()))
	if got := strings.Count(err.Error(), "\n"); got != 50 {
		t.Errorf("%d lines, want 50 problems and how many more", got+1)
	}
	_, err = ruleset.Parse("rules.toml", []byte(strings.Repeat("[[rules]]\nid = 'a'\nregex = 'b'\n", 1001)))
	if err == nil || !strings.Contains(err.Error(), "more than 1000 rules") {
		t.Errorf("Parse = %v, want too many rules", err)
	}
}

// TestParse_steps holds that the expressions of a file are bounded together, wherever they stand, and that
// this is told once.
func TestParse_steps(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("[a-y ]{900}x?", 5)
	var rules, lists strings.Builder
	for i := range 12 {
		id := string(rune('a' + i))
		rules.WriteString("[[rules]]\nid = '" + id + "'\nregex = '" + long + "'\n")
		lists.WriteString("[[allowlists]]\nregexes = ['" + long + "']\n")
	}
	for name, text := range map[string]string{"rules": rules.String(), "allowlists": lists.String()} {
		_, err := ruleset.Parse("rules.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "of 100000 for a whole file") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse of many %s = %v, want one problem", name, err)
		}
	}
}

// TestParse_disabledBoth holds that a rule that is disabled by its own id is not said to stay.
func TestParse_disabledBoth(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]int{
		"'github-pat'": 1, "'github-pat', 'github-token'": 0,
		"'github-token', 'github-pat'": 0,
	} {
		stay := 0
		for _, told := range mustParse(t, "[extend]\ndisabledRules = ["+text+"]\n").Ignored {
			if strings.Contains(told, "stays") {
				stay++
			}
		}
		if stay != want {
			t.Errorf("%s: told %d times that a rule stays, want %d", text, stay, want)
		}
	}
}

func TestParse_ignored(t *testing.T) {
	t.Parallel()

	for name, want := range map[string][]string{
		"files.toml": {
			`rules[2].allowlists[0]: the allowlist never applies, since records have neither paths nor commits`,
			`rules[2].allowlists[1]: paths and commits of the allowlist are left out, since records have none`,
		},
		"house.toml": {
			`extend.disabledRules: the built-in rule "github-token" finds more than "github-pat" and stays: disable it by its own id`,
		},
	} {
		f, err := parseFile(t, filepath.Join("valid", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range want {
			if !slices.Contains(f.Ignored, note) {
				t.Errorf("%s: ignored %q, want %q among them", name, f.Ignored, note)
			}
		}
	}
}

// TestMerge_alone scans with each file as the trusted one, and as the other.
func TestMerge_alone(t *testing.T) {
	t.Parallel()

	const token = "house_1a2b3c4d5e6f7g8h9i0j"
	for _, c := range []struct {
		name, file, text string
		full, addOnly    []string
	}{
		{"own rule", "house.toml", "use " + token + " now", []string{"house-token"}, []string{"house-token"}},
		{"low entropy", "house.toml", "use house_aaaaaaaaaaaaaaaaaaaa now", nil, nil},
		{"own stopword", "house.toml", "use house_testonly3c4d5e6f7g8h now", nil, nil},
		{"second group", "house.toml", "Gate code: 998877", []string{"door-code"}, []string{"door-code"}},
		{"both criteria", "house.toml", "Gate code: 123456 # rehearsal", nil, nil},
		{
			"one criterion of two", "house.toml", "Gate code: 123456",
			[]string{"door-code"},
			[]string{"door-code"},
		},
		{
			"line of another", "house.toml", "Gate code: 123456\n# rehearsal",
			[]string{"door-code"},
			[]string{"door-code"},
		},
		{"match of a target rule", "house.toml", "use house_example3c4d5e6f7g8h now", nil, nil},
		{"disabled", "house.toml", "mara@thinkpad:~$ ls", nil, []string{"shell-prompt"}},
		{"exception of a built-in rule", "house.toml", "ghp_" + strings.Repeat("0", 36), nil, nil},
		{
			"bound to files", "files.toml", "secret: abcdefgh one-12345678",
			[]string{"part-one"},
			[]string{"part-one"},
		},
		{
			"part of a list that names files", "files.toml", "one-11111111 one-00000000",
			[]string{"part-one"},
			[]string{"part-one"},
		},
		{"not reported", "files.toml", "two-12345678", nil, nil},
		{
			"in braces", "inline.toml", "inl_abcdefgh inl_aaaabbbb",
			[]string{"inline-token"},
			[]string{"inline-token"},
		},
		{"name of a built-in rule", "inline.toml", "jwt-of-ours-12345678", []string{"jwt"}, []string{"jwt+"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			f, err := parseFile(t, filepath.Join("valid", c.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.full, found(scanner(t, f, nil), c.text)); diff != "" {
				t.Errorf("full (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.addOnly, found(scanner(t, nil, f), c.text)); diff != "" {
				t.Errorf("add only (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMerge_alone_hostile holds that a file that is not trusted takes nothing
// from the built-in rules, and that one that is trusted may.
func TestMerge_alone_hostile(t *testing.T) {
	t.Parallel()

	secret := "ghp_" + "1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R"
	for name, text := range map[string]string{
		"disable":          "[extend]\ndisabledRules = ['github-token', 'github-pat']\n",
		"except all":       "[[allowlists]]\nregexes = ['.']\n",
		"except old":       "[allowlist]\nregexes = ['.']\n",
		"except by name":   "[[allowlists]]\ntargetRules = ['github-token', 'github-pat']\nregexes = ['.']\n",
		"except by rule":   "[extend]\nuseDefault = true\n[[rules]]\nid = 'github-pat'\n[[rules.allowlists]]\nregexes = ['.']\n[[rules]]\nid = 'github-token'\n[[rules.allowlists]]\nregexes = ['.']\n",
		"replace":          "[[rules]]\nid = 'github-token'\nregex = 'never'\n[[rules]]\nid = 'github-pat'\nregex = 'never'\n",
		"replace, then":    "[[rules]]\nid = 'github-token'\nregex = 'ghp_.*'\n[[rules]]\nid = 'github-pat'\nregex = 'never'\n[[allowlists]]\ntargetRules=['github-token']\nregexes = ['.']\n",
		"left-out target":  "[extend]\ndisabledRules = ['github-token', 'github-pat']\n[[rules]]\nid = 'a'\npath = 'b'\n[[allowlists]]\ntargetRules=['a']\nregexes = ['.']\n",
		"pass for a place": "[extend]\ndisabledRules = ['github-token', 'github-pat']\n[[rules]]\nid = 'home-path'\nregex = '.+'\n[[rules.allowlists]]\nstopwords = ['ghp']\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			f := mustParse(t, text)
			if got := scanner(t, f, nil).ScanText(secret); len(got) > 0 {
				t.Errorf("full: %v, want nothing, or the case shows nothing", got)
			}
			got := redact.Blocking(scanner(t, nil, f).ScanText(secret))
			if len(got) != 1 || got[0].Start != 0 || got[0].End != len(secret) || got[0].IsPlace() {
				t.Errorf("add only: %v, want the whole secret", got)
			}
		})
	}
}

// TestMerge_alone_likes holds that each built-in rule that a rule of gitleaks
// stands for exists: an id of gitleaks is known or refused, never forgotten.
func TestMerge_alone_likes(t *testing.T) {
	t.Parallel()

	f := mustParse(t, "[extend]\ndisabledRules = ['generic-api-key', 'slack-webhook-url', 'pkcs12-file', 'slack-bot-token', 'jwt']\n")
	want := []string{"jwt", "secret-assignment", "slack-bot-token", "slack-webhook"}
	if diff := cmp.Diff(want, ruleset.Merge(f, nil).Disabled); diff != "" {
		t.Errorf("disabled (-want +got):\n%s", diff)
	}
	if len(f.Ignored) != 2 {
		t.Errorf("ignored %q, want that pkcs12-file disables nothing and that slack-token stays", f.Ignored)
	}
}
