package ruleset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

// TestMerge holds that a file that adds takes nothing from a trusted one of the same names, and that its
// exceptions hold for its own rules alone.
func TestMerge(t *testing.T) {
	t.Parallel()
	trusted := parsed(t, "[[rules]]\nid = 'own'\nregex = 'one-[0-9]+'\n[[allowlists]]\nregexes = ['one-7']\n")
	other := parsed(t, "[extend]\ndisabledRules = ['jwt']\n[[rules]]\nid = 'own'\nregex = 'two-[0-9]+'\n[[rules]]\nid = 'jwt'\nregex = 'three-[0-9]+'\n"+
		"[[allowlists]]\nregexes = ['one-1', 'two-8']\n")
	for name, tt := range map[string]struct {
		trusted, other *ruleset.File
		want           string
	}{
		"both":    {trusted, other, "own one-1, own+ two-2, jwt+ three-3"},
		"trusted": {trusted, nil, "own one-1"},
		"other":   {nil, other, "own two-2, jwt+ three-3"},
		"none":    {nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := redact.NewWith(ruleset.Merge(tt.trusted, tt.other))
			if err != nil {
				t.Fatal(err)
			}
			const text = "one-1 one-7 two-2 two-8 three-3"
			var got []string
			for _, f := range s.ScanText(text) {
				got = append(got, f.Rule+" "+text[f.Start:f.End])
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	want := []string{
		`the built-in rule "jwt" is not disabled`,
		`the built-in rule "jwt" is not replaced; the rule of the file stands beside it`,
		"an allowlist holds for the rules of the file alone, and not for built-in rules",
	}
	if diff := cmp.Diff(want, other.LeftOut()); diff != "" {
		t.Errorf("LeftOut (-want +got):\n%s", diff)
	}
}

func parsed(t *testing.T, text string) *ruleset.File {
	t.Helper()
	f, err := ruleset.Parse("rules.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
