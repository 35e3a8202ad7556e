package local_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
)

// childVariable makes the test program a process that holds a lock until it is killed.
const childVariable = "LTM_TEST_LOCK"

func TestMain(m *testing.M) {
	path := os.Getenv(childVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := local.At(path).TryLock(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("held")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// A process that is killed leaves no lock that anybody waits for.
func TestFile_Lock_killed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "held\n" {
		t.Fatalf("the child said %q, %v", line, err)
	}
	if _, err := local.At(path).TryLock(); err == nil {
		t.Error("a lock that another process holds was taken")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // It was killed.
	release, err := local.At(path).Lock(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}
