package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// moment writes what an agent says of an event to $WORK/moment.json, for the standard input of a hook: the session and the
// directory, and NAME=VALUE for each other member, where NAME may go into an object with a dot.
func moment(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("moment cannot be negated")
	}
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
