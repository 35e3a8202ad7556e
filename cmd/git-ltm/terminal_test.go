package main

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress shows the line on a terminal: not before half a second, not at each step, and gone at the end.
// What is no terminal gets nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		terminal bool
		each     time.Duration // how long a step takes
		steps    int
		want     string
	}{
		{"quick", true, 10 * time.Millisecond, 49, ""},
		{"slow", true, 200 * time.Millisecond, 4, "\r3 checked\r4 checked\r         \r"},
		{"many steps", true, 50 * time.Millisecond, 13, "\r10 checked\r12 checked\r          \r"},
		{"no terminal", false, time.Second, 5, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			e := &env{stderr: &out, now: func() time.Time { return now }, width: func(any) (int, bool) {
				return 80, tt.terminal
			}}
			p := e.progress("checked")
			for range tt.steps {
				now = now.Add(tt.each)
				p.step()
			}
			p.end()
			p.end()
			if out.String() != tt.want {
				t.Errorf("%q, want %q", out.String(), tt.want)
			}
		})
	}
}
