package deadend_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// An attempt that is one command and nothing else is met by that command, as far as the attempt itself is
// sure.
func TestCheck_textIsCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tried, confidence, command string
		want                       deadend.Sureness // "" where nothing is met
	}{
		{"make bench-arm", "medium", "make bench-arm", deadend.Medium},
		{"make bench-arm", "high", "make bench-arm", deadend.Medium},
		{"make bench-arm", "", "make bench-arm", deadend.Medium},
		{"make bench-arm", "low", "make bench-arm", deadend.Low},
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
		for _, m := range deadend.New([]deadend.Rule{rule}).Check(action) {
			got = m.Sure
		}
		if got != tt.want {
			t.Errorf("%q (%s) met by %q = %q, want %q", tt.tried, tt.confidence, tt.command, got, tt.want)
		}
		var s sieve
		s.sift(t, outlineOf(rule), action, action.Read().Traits(), action.Read().Traits().All())
	}
}

// An attempt that says what it is met by is met by that alone: by the command, and by none whose options may
// mend it.
func TestCheck_statedCommand(t *testing.T) {
	t.Parallel()
	rule := deadend.Rule{Command: "helm upgrade web ./chart", Derived: true}
	for command, want := range map[string]deadend.Sureness{
		"helm upgrade web ./chart":                    deadend.Medium,
		"cd ops && helm upgrade web ./chart | tee x":  deadend.Medium,
		"helm upgrade web ./chart --atomic":           "",
		"helm upgrade --atomic web ./chart":           "",
		"helm upgrade api ./chart":                    "",
		"echo helm upgrade web ./chart":               "",
		"git commit -m 'helm upgrade of web, charts'": "",
	} {
		action := deadend.Action{Command: command}
		var got deadend.Sureness
		for _, m := range deadend.New([]deadend.Rule{rule}).Check(action) {
			got = m.Sure
		}
		if got != want {
			t.Errorf("%q = %q, want %q", command, got, want)
		}
		var s sieve
		s.sift(t, outlineOf(rule), action, action.Read().Traits(), action.Read().Traits().All())
	}
}

// A package is met where it is taken into use, and not where it is spoken of.
func TestCheck_adds(t *testing.T) {
	t.Parallel()
	rule := deadend.Rule{Adds: "tinycache"}
	for name, c := range map[string]struct {
		action deadend.Action
		want   deadend.Sureness
	}{
		"installed": {deadend.Action{Command: "go get example.com/tinycache/v2@latest"}, deadend.High},
		"in a manifest": {deadend.Action{
			Paths: []string{"go.mod"},
			Added: "\texample.com/tinycache v1.2.0\n",
		}, deadend.High},
		"another":   {deadend.Action{Command: "go get example.com/tinycachex"}, ""},
		"spoken of": {deadend.Action{Prompt: "why is tinycache slow?"}, ""},
	} {
		var got deadend.Sureness
		for _, m := range deadend.New([]deadend.Rule{rule}).Check(c.action) {
			got = m.Sure
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		var s sieve
		s.sift(t, outlineOf(rule), c.action, c.action.Read().Traits(), c.action.Read().Traits().All())
	}
}

// TestCheck_spellings holds the ways to write one command, each with calls that look alike.
func TestCheck_spellings(t *testing.T) {
	t.Parallel()
	rule, s := deadend.Rule{Derived: true}, sieve{}
	for _, line := range dataLines(t, "commands.txt") {
		kind, text, _ := strings.Cut(line, " ")
		action := deadend.Action{}
		switch kind {
		case "rule":
			rule.Command = text
			continue
		case "+p", "-p":
			action.Prompt = text
		case "+e", "-e":
			file, added, _ := strings.Cut(text, "|")
			action.Paths, action.Added = []string{file}, added
		default:
			action.Command = text
		}
		met := deadend.New([]deadend.Rule{rule}).Check(action)
		if got := len(met) > 0 && (action.Prompt != "" || met[0].Sure != deadend.Low); got != (kind[0] == '+') {
			t.Errorf("%q meets %q: %v", rule.Command, line, got)
		}
		s.sift(t, outlineOf(rule), action, action.Read().Traits(), action.Read().Traits().All())
	}
}
