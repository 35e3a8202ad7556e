package arch_test

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestDecisions holds that the list of decisions names each page once, with its own title, and that page and
// list say by which page it was replaced, wholly or in part.
func TestDecisions(t *testing.T) {
	t.Parallel()
	pages := textFiles(t, "docs/decisions")
	const list = "docs/decisions/README.md"
	replaced := regexp.MustCompile(`^(Replaced|In part replaced) by ((?s:.*?\)))(?:: |\. Takes|\.$)`)
	link := regexp.MustCompile(`\[\d+\]\(\d{4}-[^)]+\)`)
	past, current, _ := strings.Cut(pages[list], "\n## Current\n")
	for name, page := range pages {
		if name == list {
			continue
		}
		title, rest, _ := strings.Cut(strings.TrimPrefix(page, "# "), "\n\n")
		row, within := "\n- ["+title+"]("+path.Base(name)+")", current
		said, _, _ := strings.Cut(rest, "\n\n")
		if m := replaced.FindStringSubmatch(strings.TrimSpace(said)); m != nil {
			by := link.FindAllString(m[2], -1)
			last := len(by) - 1
			names := strings.TrimPrefix(strings.Join(by[:last], ", ")+" and "+by[last], " and ")
			if m[1] == "Replaced" {
				row, within = row+": replaced by "+names, past
			} else {
				row += "; in part replaced by " + names
			}
		}
		if strings.Count(pages[list], row+"\n") != 1 || !strings.Contains(within, row) {
			t.Errorf("%s has not one row %q in its place", list, row)
		}
	}
}
