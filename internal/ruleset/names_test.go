package ruleset

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestGitleaksNames holds that every built-in rule that the table names exists.
func TestGitleaksNames(t *testing.T) {
	t.Parallel()

	builtIn := map[string]bool{}
	for _, r := range redact.BuiltIn().Rules() {
		builtIn[r.ID] = true
	}
	n := 0
	for line := range strings.Lines(gitleaksNames) {
		line = strings.TrimSpace(line)
		at := strings.IndexAny(line, "=~")
		if at < 0 {
			continue
		}
		n++
		if !builtIn[line[at+1:]] {
			t.Errorf("%q names a rule that does not exist", line)
		}
	}
	if n < 80 {
		t.Errorf("%d rows, want 80 or more", n)
	}
}
