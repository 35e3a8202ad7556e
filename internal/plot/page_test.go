package plot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/plot"
)

func TestPage_Put(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "- \n",
		"short":                          "- short\n",
		"wraps at the width of the page": "- wraps at the\n  width of the\n  page\n",
		"averyverylongwordthatfitsnot x": "- averyverylong\n  wordthatfitsn\n  ot x\n",
		"漢字漢字漢字漢字 x":                     "- 漢字漢字漢字\n  漢字 x\n",
	} {
		p := plot.Page{Columns: 15}
		p.Put("- ", plot.Plain, text, plot.Plain)
		want = strings.ReplaceAll(want, "- \n", "-\n")
		if diff := cmp.Diff(want, p.String()); diff != "" {
			t.Errorf("Put(%q) (-want +got):\n%s", text, diff)
		}
		for line := range strings.Lines(p.String()) {
			if n := clean.Width(strings.TrimSuffix(line, "\n")); n > p.Columns {
				t.Errorf("Put(%q): a line has %d columns, want at most %d", text, n, p.Columns)
			}
		}
		colored := plot.Page{Columns: 15, Colored: true}
		colored.Put("- ", plot.Name, text, plot.Title)
		bare := strings.NewReplacer("\x1b[33m", "", "\x1b[1m", "", "\x1b[m", "").Replace(colored.String())
		if strings.ReplaceAll(bare, "- \n", "-\n") != p.String() {
			t.Errorf("Put(%q) with colours is %q without them, want %q", text, bare, p.String())
		}
	}
}
