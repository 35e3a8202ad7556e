package arch_test

import (
	"path"
	"strings"
	"testing"
)

// TestDecisions holds that the list of decisions names each page once, with its own title.
func TestDecisions(t *testing.T) {
	t.Parallel()
	pages := textFiles(t, "docs/decisions")
	const list = "docs/decisions/README.md"
	for name, page := range pages {
		title, _, _ := strings.Cut(strings.TrimPrefix(page, "# "), "\n")
		if row := "- [" + title + "](" + path.Base(name) + ")"; name != list &&
			strings.Count(pages[list], row) != 1 {
			t.Errorf("%s has not one row that begins with %q", list, row)
		}
	}
}
