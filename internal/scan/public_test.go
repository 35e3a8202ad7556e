package scan_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/scan"
)

// SPEC.
func TestRules_Public(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	address := "postgres:/" + "/app:k3QzT9mWx2Lp@db.example.com/app"
	for name, tt := range map[string]struct{ text, want string }{
		"nothing": {`read "refs/ltm/x~1y": \u00e9`, `read "refs/ltm/x~1y": \u00e9`},
		"a token": {"see " + token + ".", "see ghp_…."},
		"in a quote": {
			`packet "` + token[:9] + `\u200b` + token[9:] + `": not found`,
			`packet "ghp_…": not found`,
		},
		"over lines in a quote": {`packet "` + token[:9] + `\n` + token[9:] + `"`, `packet "ghp_…"`},
		"in a pointer": {
			"/x/" + strings.ReplaceAll(address, "/", "~1") + "/a: twice",
			"/x/postgres:~1~1app:…@db.example.com~1app/a: twice",
		},
		"in a path that was tidied": {
			"open /repo/" + strings.Replace(address, "//", "/", 1),
			"open /repo/postgres:/app:…@db.example.com/app",
		},
		"a place": {"open /home/ada/notes.md", "open /home/ada/notes.md"},
		"in a place": {
			"open /home/ada/" + token + "/notes.md",
			"open /home/ada/ghp_…/notes.md",
		},
		"in the address of a file": {"file:///" + token, "file:///ghp_…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var builtIn *scan.Rules
			if got := builtIn.Public(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
