package deadend_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// What the set of cases must reach. Precision stands first: a warning that is
// wrong is worse than one that is missing.
const (
	wantPrecision = 0.95
	wantRecall    = 0.85
)

// ruleSet is the rules of the test set with their names.
type ruleSet struct {
	names []string
	rules []deadend.Rule
}

// testCase is an action and the names of the rules that it meets.
type testCase struct {
	line   string
	action deadend.Action
	want   []string
}

func dataLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "deadend", name))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "# ")
	})
}

func readRules(t *testing.T) ruleSet {
	t.Helper()
	var set ruleSet
	for _, line := range dataLines(t, "rules.txt") {
		head, rest, ok := strings.Cut(line, ": ")
		words := strings.Fields(head)
		if !ok || len(words) != 3 || slices.Contains(set.names, words[0]) {
			t.Fatalf("rules.txt: %q is no rule, or a second one of its name", line)
		}
		set.names = append(set.names, words[0])
		set.rules = append(set.rules, readRule(t, words[1], words[2], rest))
	}
	return set
}

func readRule(t *testing.T, kind, first, rest string) deadend.Rule {
	t.Helper()
	if kind == "tried" {
		return deadend.Rule{Words: rest, Derived: true, Confidence: first}
	}
	var rule deadend.Rule
	for part := range strings.SplitSeq(first+": "+rest, " | ") {
		field, value, _ := strings.Cut(part, ": ")
		switch field {
		case "command":
			rule.Command = value
		case "path":
			rule.Path = value
		case "words":
			rule.Words = value
		default:
			t.Fatalf("rules.txt: no field %q", field)
		}
	}
	return rule
}

func readCases(t *testing.T, set ruleSet, name string) []testCase {
	t.Helper()
	var cases []testCase
	for _, line := range dataLines(t, name) {
		head, want, ok := strings.Cut(line, " => ")
		kind, text, _ := strings.Cut(head, " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		c := testCase{line: line}
		switch kind {
		case "run":
			c.action.Command = text
		case "edit":
			c.action.Paths = strings.Fields(text)
		case "ask":
			c.action.Prompt = text
		default:
			ok = false
		}
		if want != "-" {
			c.want = strings.Fields(want)
		}
		if !ok || slices.ContainsFunc(c.want, func(id string) bool {
			return !slices.Contains(set.names, id)
		}) {
			t.Fatalf("%s: %q is no case", name, line)
		}
		cases = append(cases, c)
	}
	return cases
}

// The cases of cases.txt were written before the matcher, those of more.txt
// and of held.txt after it; each says what it reached when they were new. All
// together must reach the figures above.
// SPEC.
func TestCheck_cases(t *testing.T) {
	t.Parallel()
	set := readRules(t)
	rules := deadend.New(set.rules)
	var all figures
	for _, name := range []string{"cases.txt", "more.txt", "held.txt"} {
		var f figures
		for _, c := range readCases(t, set, name) {
			f.judge(t, set, c, rules.Check(c.action))
		}
		t.Logf("%s: %s", name, &f)
		all.add(f)
	}
	t.Logf("all: %s", &all)
	if all.precision() < wantPrecision || all.recall() < wantRecall {
		t.Errorf("precision %.3f and recall %.3f, want at least %.2f and %.2f", all.precision(), all.recall(),
			wantPrecision, wantRecall)
	}
	if 2*all.silent < all.cases {
		t.Errorf("%d of %d cases are silent, want at least half", all.silent, all.cases)
	}
}

// figures count how cases went.
type figures struct{ cases, silent, right, extra, missed int }

func (f *figures) add(g figures) {
	f.cases += g.cases
	f.silent += g.silent
	f.right += g.right
	f.extra += g.extra
	f.missed += g.missed
}

func (f *figures) precision() float64 { return float64(f.right) / float64(f.right+f.extra) }

func (f *figures) recall() float64 { return float64(f.right) / float64(f.right+f.missed) }

func (f *figures) String() string {
	return fmt.Sprintf("%d cases, %d of them silent: precision %.3f, recall %.3f", f.cases, f.silent,
		f.precision(), f.recall())
}

// judge counts one case, and names what went wrong.
func (f *figures) judge(t *testing.T, set ruleSet, c testCase, found []deadend.Match) {
	t.Helper()
	want := slices.Clone(c.want)
	f.cases++
	if len(want) == 0 {
		f.silent++
	}
	for _, m := range found {
		id := set.names[m.Rule]
		if i := slices.Index(want, id); i >= 0 {
			want = slices.Delete(want, i, i+1)
			f.right++
			continue
		}
		f.extra++
		t.Logf("FALSE ALARM %s: %s by %s on %q, %s", c.line, id, m.By, m.On, m.Sure)
	}
	for _, id := range want {
		f.missed++
		t.Logf("MISSED %s: %s", c.line, id)
	}
}

// A match explains itself.
// SPEC.
func TestCheck_explains(t *testing.T) {
	t.Parallel()
	rules := []deadend.Rule{
		{Command: "npm install --force"},
		{Path: "internal/gen/**"},
		{Words: "redis for the session cache"},
		{Words: "raising the connection pool size to 100", Derived: true, Confidence: "high"},
		{Words: "raising the connection pool size to 100", Derived: true, Confidence: "low"},
		{Words: "the npm flag `npm install --force lodash`", Derived: true, Confidence: "high"},
		{},
		{Words: "mustard"},
	}
	tests := []struct {
		action deadend.Action
		want   []string
	}{
		{
			deadend.Action{Command: "cd web && sudo npm install lodash --force"},
			[]string{
				"0 command [npm install --force] of 0, high",
				"5 command [npm install lodash --force] of 0, medium",
			},
		},
		{
			deadend.Action{Paths: []string{"a.go", "internal/gen/a.go"}},
			[]string{"1 path [internal/gen/a.go] of 0, high"},
		},
		{
			deadend.Action{Command: "rm -f internal/gen/a.go"},
			[]string{"1 path [internal/gen/a.go] of 0, medium"},
		},
		{
			deadend.Action{Prompt: "Use Redis as session cache."},
			[]string{"2 words [Redis session cache] of 3, high"},
		},
		{
			deadend.Action{Prompt: "Increase the connection pool's size to 100!"},
			[]string{
				"3 words [Increase connection pool size 100] of 5, medium",
				"4 words [Increase connection pool size 100] of 5, low",
			},
		},
		{deadend.Action{Prompt: "add mustard, it is a must"}, nil},
		{deadend.Action{}, nil},
	}
	for _, tt := range tests {
		var got []string
		for _, m := range deadend.New(rules).Check(tt.action) {
			got = append(got, fmt.Sprintf("%d %s %v of %d, %s", m.Rule, m.By, m.On, m.Of, m.Sure))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v\n got %q\nwant %q", tt.action, got, tt.want)
		}
	}
}

// Of a rule whose words are common in the talk of programmers all must be there, and one word alone is
// never enough.
func TestCheck_commonWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, prompt string
		met          bool
	}{
		{"update the build script", "update the script of the build", true},
		{"update the build script", "update the build", false},
		{"update the script", "please update that script", false},
		{"webpack in the application", "move the application to webpack", true},
		{"webpack in the application", "move to webpack", false},
		{"migrate the database of users to mongo", "migrate users to mongo", true},
		{"migrate the database of users to mongo", "migrate to mongo", false},
	} {
		met := len(deadend.New([]deadend.Rule{{Words: c.rule}}).Check(deadend.Action{Prompt: c.prompt})) > 0
		if met != c.met {
			t.Errorf("%q meets %q: %t, want %t", c.prompt, c.rule, met, c.met)
		}
	}
}
