package deadend_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// SPEC.
func TestGlob(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern string
		yes, no []string
	}{
		{
			"vendor",
			[]string{"vendor", "vendor/a.go", "./vendor/a/b.go"},
			[]string{"x/vendor", "vendors", "vendor.md"},
		},
		{"vendor/", []string{"vendor/a.go"}, []string{"vendored/a.go"}},
		{"vendor/**", []string{"vendor/a.go", "vendor/a/b.go"}, []string{"vendor", "vendor.go"}},
		{"./a/b.go", []string{"a/b.go"}, []string{"a/b.gox", "b.go"}},
		{"*.pb.go", []string{"a.pb.go", "x/y/a.pb.go"}, []string{"a.pb.gog", "pb.go", "a.pb_go"}},
		{"a/*.go", []string{"a/x.go"}, []string{"a/b/x.go", "a/x.gox", "b/a/x.go"}},
		{"a/**/z.go", []string{"a/z.go", "a/b/z.go", "a/b/c/z.go"}, []string{"a/zz.go", "b/a/z.go"}},
		{"**/z.go", []string{"z.go", "a/b/z.go"}, []string{"a/zz.go"}},
		{"**", []string{"a", "a/b"}, nil},
		{"a?c/*", []string{"abc/x", "aüc/x"}, []string{"ac/x", "abbc/x"}},
		{"a/**/b/**/c", []string{"a/b/c", "a/x/b/b/y/c", "a/b/x/c/b/c"}, []string{"a/c/b", "a/x/c"}},
		{"*a*b*", []string{"xaxbx", "ab"}, []string{"ba", "b"}},
		{"[a-z].go", []string{"[a-z].go"}, []string{"a.go"}},
		{"", nil, []string{"", "a"}},
		{"/", nil, []string{"", "a", "/"}},
	}
	for _, tt := range tests {
		for _, p := range tt.yes {
			if !deadend.Glob(tt.pattern, p) {
				t.Errorf("Glob(%q, %q) = false, want true", tt.pattern, p)
			}
		}
		for _, p := range tt.no {
			if deadend.Glob(tt.pattern, p) {
				t.Errorf("Glob(%q, %q) = true, want false", tt.pattern, p)
			}
		}
	}
}

// Patterns that would take a matcher forever that tries every way.
// SPEC.
func TestGlob_hostile(t *testing.T) {
	t.Parallel()
	tests := [][2]string{
		{strings.Repeat("*a", 250) + "b", strings.Repeat("a", 4000)},
		{strings.Repeat("**/a/", 100) + "b", strings.Repeat("a/", 2000) + "c"},
		{strings.Repeat("**/", 170) + "b", strings.Repeat("a/", 2000) + "c"},
		{strings.Repeat("*?", 250) + "/b", strings.Repeat("a", 4000)},
		{strings.Repeat("*", 100_000), strings.Repeat("a", 100_000)},
	}
	for _, tt := range tests {
		if deadend.Glob(tt[0], tt[1]) {
			t.Errorf("Glob(%.20q..., %.20q...) = true", tt[0], tt[1])
		}
	}
}

// A hundred kilobytes against two thousand rules. Where time were not bounded
// the test would run into the limit of all tests.
// SPEC.
func TestCheck_bounded(t *testing.T) {
	t.Parallel()
	var rules []deadend.Rule
	for i := range 500 {
		rules = append(rules,
			deadend.Rule{Command: fmt.Sprintf("npm install --force pkg%d", i)},
			deadend.Rule{Path: strings.Repeat("*a", 50) + strconv.Itoa(i)},
			deadend.Rule{Words: fmt.Sprintf(
				"the connection pool of shard%d raised to %d with many retries and sockets", i, i)},
			deadend.Rule{Words: strings.Repeat("a.b c_d retry pool ", 60), Derived: true},
		)
	}
	ready := deadend.New(rules)
	texts := []string{
		strings.Repeat("npm install --force x; ", 4500),
		strings.Repeat("pool connection retry socket ", 3500),
		strings.Repeat("'", 100_000),
		strings.Repeat("$(", 50_000),
		strings.Repeat("sudo ", 20_000) + "x",
		strings.Repeat("bash -c \"", 10_000),
		strings.Repeat("<<E ", 25_000) + strings.Repeat("\nx", 20_000),
		strings.Repeat("a.", 50_000),
		strings.Repeat("aB", 50_000),
		strings.Repeat("a/", 50_000),
		strings.Repeat("-", 100_000),
		strings.Repeat("-a=", 33_000),
		strings.Repeat("A=-", 33_000),
		strings.Repeat("export A=b;", 9_000),
		strings.Repeat("don't ", 17_000),
		strings.Repeat("`", 100_000),
	}
	for _, text := range texts {
		ready.Check(deadend.Action{Command: text, Prompt: text, Paths: []string{text}})
		ready.Check(deadend.Action{Paths: []string{"a.go"}, Added: text, Removed: strings.ToUpper(text)})
		deadend.New([]deadend.Rule{{Words: text, Derived: true}, {Command: text}, {Path: text}})
	}
}

// What stands in other rules changes nothing about a rule.
// SPEC.
func TestCheck_rulesStandAlone(t *testing.T) {
	t.Parallel()
	set := readRules(t)
	all := deadend.New(set.rules)
	for _, c := range readCases(t, set, "cases.txt") {
		var alone []int
		for i, rule := range set.rules {
			if len(deadend.New([]deadend.Rule{rule}).Check(c.action)) > 0 {
				alone = append(alone, i)
			}
		}
		var together []int
		for _, m := range all.Check(c.action) {
			together = append(together, m.Rule)
		}
		slices.Sort(together)
		if !slices.Equal(alone, together) {
			t.Errorf("%s: rules %v alone, %v together", c.line, alone, together)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("use redis as session cache", "redis for the session cache", "a/b.go", "a/**")
	f.Add("npm 'install' x --force", "npm install --force", "gen/x.pb.go", "*.pb.go")
	f.Add("don't raise pool.Size to 100", "`git push -f` to raise poolSize to 100", "a", "**")
	f.Add("sudo bash -c \"x && y\" > out", "x y", "out", "out")
	f.Fuzz(func(t *testing.T, text, rule, path, glob string) {
		if len(text) > 4096 || len(rule) > 2048 {
			return
		}
		rules := deadend.New([]deadend.Rule{
			{Words: rule, Derived: true}, {Words: rule}, {Command: rule}, {Path: glob},
		})
		for _, m := range rules.Check(deadend.Action{Prompt: text}) {
			standsIn(t, m, text)
		}
		for _, m := range rules.Check(deadend.Action{Command: text}) {
			standsIn(t, m, text)
		}
		// Text beside a path takes no match of the path away.
		met := func(a deadend.Action) bool {
			return slices.ContainsFunc(rules.Check(a), func(m deadend.Match) bool {
				return m.Rule == 3 && m.By == deadend.ByPath
			})
		}
		before, after := met(deadend.Action{Paths: []string{path}}),
			met(deadend.Action{Paths: []string{text, path}, Command: text, Prompt: text})
		if before && !after {
			t.Errorf("glob %q no longer means %q beside %q", glob, path, text)
		}
		if before != deadend.Glob(glob, path) {
			t.Errorf("glob %q and path %q: Check says %v", glob, path, before)
		}
	})
}

// standsIn demands that all that a match stands on stands in the action, but
// for quotes and escapes of the shell.
func standsIn(t *testing.T, m deadend.Match, text string) {
	t.Helper()
	plain := strings.NewReplacer("\\\n", "", "\\", "", "'", "", `"`, "").Replace
	if len(m.On) == 0 {
		t.Errorf("%+v stands on nothing in %q", m, text)
	}
	for _, on := range m.On {
		for word := range strings.FieldsSeq(on) {
			if m.By == deadend.ByPath || on == "compose" || on == "docker" {
				continue // below a directory, or a program with two names
			}
			if !strings.Contains(plain(text), plain(word)) && !strings.Contains(text, word) {
				t.Errorf("%+v stands on %q, which is not in %q", m, on, text)
			}
		}
	}
}
