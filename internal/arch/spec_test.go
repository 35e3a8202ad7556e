package arch_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A rule is one numbered rule of SPEC.md or docs/rules.md.
type rule struct {
	section, place int
	text           string
}

// must tells whether a test has to cite the rule.
func (r rule) must() bool {
	return strings.Contains(r.text, "MUST") &&
		!strings.Contains(strings.ReplaceAll(r.text, "\n", " "), "(not tested: ")
}

// TestSpec_numbers holds that rules count without a gap in each section, and stand in the section that they
// name.
func TestSpec_numbers(t *testing.T) {
	t.Parallel()
	rules := readRules(t)
	if len(rules) < 60 {
		t.Fatalf("there are %d rules, want at least 60", len(rules))
	}
	last := map[int]int{}
	for _, name := range slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return compareRules(rules[a], rules[b])
	}) {
		r := rules[name]
		if r.place != last[r.section]+1 {
			t.Errorf("%s follows R-%d.%d", name, r.section, last[r.section])
		}
		last[r.section] = r.place
	}
}

// TestSpec_cited holds that tests cite rules that exist, and that each rule with MUST is cited.
func TestSpec_cited(t *testing.T) {
	t.Parallel()
	rules := readRules(t)
	cited := readCitations(t)
	for name, files := range cited {
		if _, ok := rules[name]; !ok {
			t.Errorf("there is no rule %s, which %v cite", name, files)
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return compareRules(rules[a], rules[b])
	}) {
		if rules[name].must() && len(cited[name]) == 0 {
			t.Errorf("no test cites %s, which says MUST", name)
		}
	}
}

func compareRules(a, b rule) int {
	if a.section != b.section {
		return a.section - b.section
	}
	return a.place - b.place
}

// readRules returns the rules of SPEC.md, and those about this program alone, by their names.
func readRules(t *testing.T) map[string]rule {
	t.Helper()
	rules := map[string]rule{}
	begins := regexp.MustCompile(`(?m)^\*\*(R-([0-9]+)\.([0-9]+))\*\* `)
	for path, data := range textFiles(t, "SPEC.md", "docs/rules.md") {
		for _, section := range regexp.MustCompile(`(?m)^## `).Split(data, -1)[1:] {
			number, _, _ := strings.Cut(section, ".")
			found := begins.FindAllStringSubmatchIndex(section, -1)
			for i, at := range found {
				name := section[at[2]:at[3]]
				end := len(section)
				if i+1 < len(found) {
					end = found[i+1][0]
				}
				if section[at[4]:at[5]] != number {
					t.Errorf("%s: %s stands in section %s", path, name, number)
				}
				if _, ok := rules[name]; ok {
					t.Errorf("%s stands twice, once in %s", name, path)
				}
				rules[name] = rule{
					toInt(t, section[at[4]:at[5]]), toInt(t, section[at[6]:at[7]]),
					section[at[0]:end],
				}
			}
		}
	}
	return rules
}

func toInt(t *testing.T, digits string) int {
	t.Helper()
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// readCitations returns, for each rule that a test or a script cites, the files that do.
func readCitations(t *testing.T) map[string][]string {
	t.Helper()
	cited := map[string][]string{}
	mention := regexp.MustCompile(`SPEC (R-[0-9]+\.[0-9]+(?:, R-[0-9]+\.[0-9]+)*)`)
	top := filepath.Join("..", "..")
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() ||
			(!strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar")) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range mention.FindAllStringSubmatch(string(data), -1) {
			for name := range strings.SplitSeq(m[1], ", ") {
				cited[name] = append(cited[name], filepath.ToSlash(path))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cited
}
