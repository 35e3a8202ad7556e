package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// moment writes what an agent says of an event to $WORK/moment.json, for the standard input of a hook: the
// session and the directory, and NAME=VALUE for each other member, where NAME may go into an object with a
// dot.
func moment(ts *testscript.TestScript, _ bool, args []string) {
	said := map[string]any{"session_id": "one", "cwd": ts.MkAbs(".")}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			ts.Fatalf("usage: moment NAME=VALUE...")
		}
		within := said
		for {
			first, rest, deeper := strings.Cut(name, ".")
			if !deeper {
				break
			}
			inner, ok := within[first].(map[string]any)
			if !ok {
				inner = map[string]any{}
				within[first] = inner
			}
			within, name = inner, rest
		}
		within[name] = value
	}
	data, err := json.Marshal(said)
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "moment.json"), data, 0o600))
}

// drafted waits until the process that writes drafts has ended: until a draft lies in the current repository
// that was not there when drafted was called last.
func drafted(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) > 0 {
		ts.Fatalf("usage: drafted")
	}
	seen, _ := ts.Value(remembered{}).(map[string]string)
	for range 600 {
		cmd := exec.Command("git", "for-each-ref", "refs/ltm-local/drafts")
		cmd.Dir = ts.MkAbs(".")
		out, err := cmd.Output()
		ts.Check(err)
		if len(out) > 0 && string(out) != seen["drafts"] {
			seen["drafts"] = string(out)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("no draft appeared")
}
