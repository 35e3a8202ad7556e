package deadend_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// An attempt that is one command and nothing else is surely met by that command, as far as the attempt itself is sure.
func TestCheck_exactCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tried, confidence, command string
		want                       deadend.Sureness // "" where nothing is met
	}{
		{"make bench-arm", "medium", "make bench-arm", deadend.Medium},
		{"make bench-arm", "high", "make bench-arm", deadend.Medium},
		{"make bench-arm", "", "make bench-arm", deadend.Medium},
		{"make bench-arm", "low", "make bench-arm", deadend.Low},
		{"Make Bench-ARM", "medium", "make 'bench-arm'", deadend.Medium},
		{"`make bench-arm`", "medium", "make bench-arm", deadend.Medium},
		{"make bench-arm", "medium", "cd engine && sudo make bench-arm 2>&1 | tail -5", deadend.Medium},
		{"cd engine && make bench-arm", "medium", "make bench-arm", deadend.Medium},
		{"cargo test --release", "medium", "cargo test --release", deadend.Medium},
		{"cargo test --release", "low", "cargo test --release", deadend.Low},
		{"go test ./store", "medium", "go test ./store", deadend.Medium},
		{"make 'the docs'", "medium", `make "the docs"`, deadend.Medium},
		{"TARGET=arm make bench", "medium", "TARGET=arm make bench", deadend.Medium},
		{"TARGET=arm make bench", "medium", "make bench", ""},
		{"make test", "medium", "make test", deadend.Medium},
		{"make test", "medium", "make test-all", ""},
		{"make test", "medium", "make", ""},
		{"make", "medium", "make", ""},
		{"make all && make test", "medium", "make all", ""},
		{"make bench", "medium", "echo make bench", ""},
	}
	for _, tt := range tests {
		rule := deadend.Rule{Words: tt.tried, Derived: true, Confidence: tt.confidence}
		action := deadend.Action{Command: tt.command}
		var got deadend.Sureness
		for _, m := range deadend.Check([]deadend.Rule{rule}, action) {
			got = m.Sure
		}
		if got != tt.want {
			t.Errorf("%q (%s) met by %q = %q, want %q", tt.tried, tt.confidence, tt.command, got, tt.want)
		}
		var s sieve
		s.sift(t, outlineOf(rule), action, action.Traits(), action.Traits().All())
	}
}
