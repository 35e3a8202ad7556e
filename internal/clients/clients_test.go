// Package clients_test runs clients that people use with models: they start the program, call its hooks and
// its tools, and what they send to a model arrives at a stub on loopback.
//
// The clients lie in the folder that LTM_TEST_CLIENTS names, the inspector alone in that of
// LTM_TEST_INSPECTOR; .ci/clients fills both, and 'make clients' runs all of it. Without such a folder a test
// is skipped; in CI the inspector must be there. No client sees the user's home, keys or settings, and
// .ci/alone leaves them no network but loopback.
package clients_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// programs is the folder of the program under test.
var programs string

func TestMain(m *testing.M) {
	code, err := withProgram(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// withProgram builds the program, and runs the tests beside it. Where there are no clients, nothing runs it.
func withProgram(run func() int) (code int, err error) {
	if os.Getenv(allClients) == "" && os.Getenv(inspectorAlone) == "" {
		return run(), nil
	}
	if programs, err = os.MkdirTemp("", "git-ltm-program-"); err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(programs) }()
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(programs, "git-ltm"),
		"../../cmd/git-ltm")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // As it is released.
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return run(), nil
}

// The variables that name folders of clients.
const (
	allClients     = "LTM_TEST_CLIENTS"
	inspectorAlone = "LTM_TEST_INSPECTOR"
)

// clientsOr skips a test that needs a client where there is no folder of clients, and fails one where the
// client is not in it.
func clientsOr(t *testing.T, client string, folders ...string) string {
	t.Helper()
	for _, name := range append(folders, allClients) {
		if folder := os.Getenv(name); folder != "" {
			bin := filepath.Join(folder, "node_modules", ".bin")
			if _, err := os.Stat(filepath.Join(bin, client)); err != nil {
				t.Fatalf("%s has no %s: %v", name, client, err)
			}
			return bin
		}
	}
	if len(folders) > 0 && os.Getenv("CI") == "true" {
		t.Fatalf("CI has no %s: %s is not set", client, folders[0])
	}
	t.Skip("there is no folder of clients: make clients")
	return ""
}
