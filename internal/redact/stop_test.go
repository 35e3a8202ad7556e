package redact_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanner_Until stops scans after some questions: each ends with an error, and asks no more than it has
// parts of work. SPEC.
func TestScanner_Until(t *testing.T) {
	t.Parallel()
	var added []redact.Custom
	for i := range 10 {
		added = append(added, redact.Custom{ID: fmt.Sprintf("slow-%d", i), Expr: "some [a-z ]{300}Z"})
	}
	slow := withRules(t, added...)
	doc := []byte(`["` + strings.Repeat("some words ", 100) + `","` + strings.Repeat("other words ", 100) +
		`"]`)
	if _, err := slow.Scan(doc); err != nil {
		t.Fatal(err)
	}
	for after := range 4 {
		asked := 0
		bound := slow.Until(func() bool { asked++; return asked > after })
		if found, err := bound.Scan(doc); !errors.Is(err, redact.ErrStopped) || found != nil {
			t.Errorf("stopped after %d questions: %v and %v, want %v", after, found, err, redact.ErrStopped)
		}
		if asked > 64 {
			t.Errorf("stopped after %d questions it asked %d", after, asked)
		}
		if _, _, err := bound.Mask(doc); !errors.Is(err, redact.ErrStopped) {
			t.Errorf("Mask, stopped after %d questions: %v", after, err)
		}
	}
}
