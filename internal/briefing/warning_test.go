package briefing_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/briefing"
)

// TestWarning_Fit: what fits is told whole, what does not is left out, and a warning that alone does not fit
// is shortened.
func TestWarning_Fit(t *testing.T) {
	t.Parallel()
	const id = "01ARZ3NDEKTSV4RRFFQ0000001"
	met := func(text, why string) briefing.Met {
		return briefing.Met{
			Known: briefing.Known{
				Place: "/item", Kind: "skip", Text: said(id, text), Why: said(id, why),
				Created: noon,
			},
			By: "command", On: []string{"make", "bench"}, Sure: "high",
		}
	}
	long := strings.Repeat("and so on ", 90)
	tests := map[string]struct {
		met  []briefing.Met
		want []string // what stands in the text
		not  []string
	}{
		"both": {
			[]briefing.Met{met("One", "a"), met("Two", "b")},
			[]string{"skip: One", "skip: Two"},
			[]string{"shortened"},
		},
		"the short one": {
			[]briefing.Met{met("One", long), met("Two", "b")},
			[]string{"skip: Two"},
			[]string{"skip: One", "shortened"},
		},
		"a long reason": {
			[]briefing.Met{met("One", long)},
			[]string{
				"skip: One\n", "why: and so on", "met by command: make bench (sure: high)",
				"shortened; all of it: git ltm show 01ARZ3",
			},
			nil,
		},
		"a long text": {
			[]briefing.Met{met(long, long)},
			[]string{"skip: and so on", "shortened; all of it"},
			nil,
		},
		"nothing is met": {nil, nil, []string{"ltm"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := briefing.Warning{Met: tt.met, Now: noon, Nonce: "0123456789abcdef", Budget: 900}
			text := w.Fit().Markdown()
			if n := utf8.RuneCountInString(text); n > w.Budget {
				t.Errorf("%d characters, and the budget is %d", n, w.Budget)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("it does not say %q:\n%s", want, text)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(text, not) {
					t.Errorf("it says %q:\n%s", not, text)
				}
			}
		})
	}
}
