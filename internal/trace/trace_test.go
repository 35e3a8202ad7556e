package trace_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// TestWrite shows that a trace is a line for each process, of numbers, and that nobody who did not ask gets a
// file.
func TestWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "trace")
	trace.Refs.Add(3)
	for range 2 {
		if err := trace.Write(file, "git ltm status", 7); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) != 2 {
		t.Fatalf("the trace of two processes is %q", data)
	}
	for _, line := range lines {
		var got trace.Report
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if got.Command != "git ltm status" || got.Exit != 7 || got.PID != os.Getpid() || got.Refs < 3 {
			t.Errorf("the trace tells %+v", got)
		}
	}
	if err := trace.Write("", "git ltm status", 0); err != nil {
		t.Errorf("nobody asked: %v", err)
	}
	if err := trace.Write("trace", "git ltm status", 0); err == nil {
		t.Error("a path that depends on the directory was taken")
	}
}
