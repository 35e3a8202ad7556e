package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/version"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"git-ltm-hook": main})
}

// standIn stands in for git-ltm: it says how it was called and how much it read, and ends with a code of its
// own.
const standIn = "#!/bin/sh\nif test \"$1\" = hook; then n=$(wc -c); fi\necho \"$*\" $n\necho told >&2\nexit 7\n"

// TestMain_handsOver holds that everything that is not quiet reaches git-ltm whole: the words, what was read
// of standard input, and the way back.
func TestMain_handsOver(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	event := func(command string) string {
		text, err := json.Marshal(
			map[string]any{
				"tool_name": "Bash", "tool_input": map[string]string{"command": command},
				"cwd": r.Dir,
			})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	large := event("rm -rf " + strings.Repeat("x", 1<<20))
	for name, test := range map[string]struct {
		args        []string
		input, want string
		told        bool
	}{
		"version":         {args: []string{"version"}, want: version.Text() + "\n"},
		"another command": {args: []string{"status", "-x y"}, want: "status -x y\n", told: true},
		"no command":      {want: "\n", told: true},
		"a start": {
			args: []string{"hook", "codex", "session-start"}, input: "{}",
			want: "hook codex session-start 2\n", told: true,
		},
		"a tool": {
			args: []string{"hook", "codex", "tool"}, input: event("make"),
			want: "hook codex tool *\n", told: true,
		},
		"a large event": {
			args: []string{"hook", "codex", "tool"}, input: large,
			want: "hook codex tool *\n", told: true,
		},
		"no JSON": {
			args: []string{"hook", "codex", "tool"}, input: "no",
			want: "hook codex tool 2\n", told: true,
		},
		"a look":             {args: []string{"hook", "codex", "tool"}, input: event("")},
		"a tool that worked": {args: []string{"hook", "codex", "after-tool"}, input: event("make")},
		"an unknown host": {
			args: []string{"hook", "nobody", "tool"}, input: "{}",
			want: "hook nobody tool 2\n", told: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "git-ltm"), []byte(standIn), 0o700); err !=
				nil { //nolint:gosec // It is run.
				t.Fatal(err)
			}
			cmd := exec.Command("git-ltm-hook", test.args...)
			cmd.Env = append(r.Env, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			cmd.Stdin = strings.NewReader(test.input)
			var out, told bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &told
			err := cmd.Run()
			want := strings.ReplaceAll(test.want, "*", strconv.Itoa(len(test.input)))
			if out.String() != want || told.String() != map[bool]string{true: "told\n"}[test.told] {
				t.Errorf("it printed %q and %q, want %q", out.String(), told.String(), want)
			}
			exit, failed := errors.AsType[*exec.ExitError](err)
			if failed != test.told || failed && exit.ExitCode() != 7 {
				t.Errorf("it ended with %v, want the code of git-ltm", err)
			}
		})
	}
}

// TestMain_alone says what is missing where there is no git-ltm.
func TestMain_alone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("git-ltm-hook", "status")
	cmd.Env = []string{"PATH=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "hint: install git-ltm beside this program") {
		t.Errorf("it printed %q and ended with %v", out, err)
	}
}
