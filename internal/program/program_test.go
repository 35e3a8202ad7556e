//go:build !windows

package program_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-ltm/git-ltm/internal/program"
)

// script writes a program of the shell.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	syscall.ForkLock.RLock() // A child that another test starts meanwhile would hold it open: it cannot be run then.
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommand_Run(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text   string
		limit  int
		stdout string
		err    string
	}{
		"input to output":     {"#!/bin/sh\ncat", 0, "input", ""},
		"no interpreter line": {"echo plain", 0, "plain\n", ""},
		"exit code": {
			"#!/bin/sh\necho out; echo why >&2; exit 3", 0, "out\n",
			"exit code 3: why",
		},
		"signal":                 {"#!/bin/sh\nkill -KILL $$", 0, "", "signal: killed"},
		"just what it may print": {"#!/bin/sh\nprintf 12345", 5, "12345", ""},
		"more than it may print": {
			"#!/bin/sh\nprintf 123456; sleep 600", 5, "12345",
			"printed too much: more than 5 bytes",
		},
		"no end of what it says": {
			"#!/bin/sh\nyes", 1 << 16, strings.Repeat("y\n", 1<<15),
			"printed too much",
		},
		"a child holds its files": {"#!/bin/sh\necho out; sleep 20 &", 0, "out\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := program.Command{
				File: script(t, test.text), Stdin: strings.NewReader("input"),
				Limit: test.limit, Group: program.Own,
			}
			done, err := c.Run(t.Context())
			if string(done.Stdout) != test.stdout {
				t.Errorf("it printed %d bytes, %.20q, want %d, %.20q", len(done.Stdout), done.Stdout,
					len(test.stdout), test.stdout)
			}
			if (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("Run = %v, want %q", err, test.err)
			}
		})
	}
}

// Ctrl-C goes to the whole group of a terminal: a program of that group that ends by it ends as its caller
// does, who may hear of it later.
func TestCommand_Run_interrupted(t *testing.T) {
	t.Parallel()
	c := program.Command{File: script(t, "#!/bin/sh\nkill -INT $$")}
	if _, err := c.Run(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want %v", err, context.Canceled)
	}
}

// What a program of a group of its own has started ends with it, also where it does not listen.
func TestCommand_Run_group(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	begun := &signalled{word: "begun", then: func() { cancel(over) }}
	c := program.Command{
		File: script(t, "#!/bin/sh\n(trap '' TERM; echo begun $$; while :; do sleep 1; done)"), Stdout: begun,
		Group: program.Own,
	}
	if _, err := c.Run(ctx); !errors.Is(err, over) {
		t.Errorf("Run = %v, want the cause", err)
	}
	pid := strings.Fields(begun.text.String())[1]
	if left, err := os.ReadFile("/proc/" + pid + "/cmdline"); err == nil && len(left) > 0 {
		t.Errorf("process %s is left: %q", pid, left)
	}
}

// signalled calls then when a word was written.
type signalled struct {
	text bytes.Buffer
	word string
	then func()
}

func (s *signalled) Write(p []byte) (int, error) {
	defer func() {
		if strings.Contains(s.text.String(), s.word) {
			s.then()
		}
	}()
	return s.text.Write(p)
}

func TestFind(t *testing.T) {
	t.Parallel()
	file := script(t, "#!/bin/sh\n")
	dir, nowhere := filepath.Dir(file), t.TempDir()
	list := func(places ...string) string { return strings.Join(places, string(filepath.ListSeparator)) }
	for name, test := range map[string]struct{ name, dir, path, want string }{
		"on the path":           {"program", "", list(nowhere, dir), file},
		"not on it":             {"program", dir, list(nowhere), ""},
		"no path":               {"program", dir, "", ""},
		"a place that moves":    {"program", "", list(".", "program"), ""},
		"a full path":           {file, "", "", file},
		"a full path, no file":  {filepath.Join(nowhere, "program"), "", list(dir), ""},
		"relative to a place":   {"./program", dir, list(nowhere), file},
		"a folder, no program":  {filepath.Base(dir), "", list(filepath.Dir(dir)), ""},
		"relative, not on path": {"./program", nowhere, list(dir), ""},
	} {
		got, err := program.Find(test.name, test.dir, test.path)
		if got != test.want || (err == nil) != (test.want != "") ||
			err != nil && !errors.Is(err, program.ErrNotFound) {
			t.Errorf("%s: Find = %q, %v, want %q", name, got, err, test.want)
		}
	}
}
