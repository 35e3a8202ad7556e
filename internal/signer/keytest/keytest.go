// Package keytest makes real keys for tests, with the real programs that hold keys: gpg, gpgsm, ssh-keygen,
// ssh-agent.
//
// Every key lives in a temporary directory of the test and is gone after it; nothing of the machine's user is
// read or written. A function that takes a testing.TB ends the test on a problem. The same things come as
// functions that return errors, for the commands of scripts, which have no testing.TB.
package keytest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// limit ends a program that waits for a person.
const limit = time.Minute

// Needs skips the test where one of the programs is missing; with CI=true it ends the test instead.
func Needs(tb testing.TB, programs ...string) {
	tb.Helper()
	program := Missing(programs...)
	switch {
	case program == "":
	case os.Getenv("CI") == "true":
		tb.Fatalf("this machine has no %s", program)
	default:
		tb.Skipf("this machine has no %s", program)
	}
}

// Missing returns the first of the programs that this machine does not have, or "".
func Missing(programs ...string) string {
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}

// environment is all that the programs of this package see.
func environment(home string, more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C", "TZ=UTC"}, more...)
}

// shortDir makes a directory whose path is short enough for the sockets of an agent.
func shortDir() (string, error) {
	return os.MkdirTemp("", "g")
}

// run runs a program to its end and returns what it printed.
func run(dir string, env []string, stdin []byte, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %q: %w\n%s", program, args, err, &stderr)
	}
	return stdout.Bytes(), nil
}
