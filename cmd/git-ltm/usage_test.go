package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// ran returns what a command line prints that needs no repository.
func ran(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	e := &env{dir: t.TempDir(), stdin: new(bytes.Buffer), stdout: &out, stderr: &errs, width: width}
	code = run(t.Context(), e, args)
	return out.String(), errs.String(), code
}

func TestHelp_bounds(t *testing.T) {
	t.Parallel()
	page, _, _ := ran(t, "-h")
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	if len(lines) > 40 {
		t.Errorf("git ltm -h has %d lines, want at most 40", len(lines))
	}
	all, _, _ := ran(t, "help", "-a")
	for _, line := range append(lines, strings.Split(all, "\n")...) {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("a line of the help has %d columns, want at most 80: %q", n, line)
		}
	}
	var listed []string
	for _, line := range lines {
		if word, ok := strings.CutPrefix(line, "  "); ok {
			listed = append(listed, strings.Fields(word)[0])
		}
	}
	want := strings.Fields("save note recall ls show log web resume status task skip undo rm sync export import setup doctor check trust")
	if !slices.Equal(listed, want) {
		t.Errorf("git ltm -h lists %q, want %q", listed, want)
	}
	for _, v := range verbs() {
		if !strings.Contains(all, "\n  "+v.name+" ") {
			t.Errorf("git ltm help -a does not list %q", v.name)
		}
	}
}

// TestUsage_suggests shows that a slip and a habit of another tool are answered with what was meant.
func TestUsage_suggests(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"sav": "git ltm save", "resmue": "git ltm resume", "recal x": "git ltm recall", "statsu": "git ltm status", "nte x": "git ltm note",
		"list": "git ltm ls", "search x": "git ltm recall", "delete ID": "git ltm rm", "fetch": "git ltm pull", "config": "git config ltm.",
		"remember x": "git ltm note", "forget x": "git ltm rm", "memories": "git ltm ls", "-C . lsit": "git ltm ls", "help sav": "git ltm save",
		"skip ad x": "git ltm skip add", "task lst": "git ltm task ls", "save --gaol x": "--goal", "note --reason x": "--why",
		"ls --limt 3": "--limit", "zzzzzz": "git ltm help -a",
	} {
		_, stderr, code := ran(t, strings.Fields(line)...)
		_, hint, _ := strings.Cut(stderr, "hint: ")
		if code != codeUsage || !strings.Contains(hint, want) {
			t.Errorf("git ltm %s ends with %d and says %q, want %d and %q", line, code, stderr, codeUsage, want)
		}
	}
}

// TestUsage_plain shows that what is wrong with a command line is said in the words of this program.
func TestUsage_plain(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"show":           "git ltm show needs ID",
		"completion":     "git ltm completion needs SHELL",
		"status x":       `"x" is too much: git ltm status takes no argument`,
		"completion a b": `"b" is too much: git ltm completion takes SHELL`,
		"ls --limit abc": `--limit: "abc" is not a number`,
		"save --goal":    "--goal needs a value: --goal TEXT",
		"ls --nothing":   "there is no flag --nothing",
		"ls -q":          "there is no flag -q",
	} {
		_, stderr, code := ran(t, strings.Fields(line)...)
		if code != codeUsage || !strings.HasPrefix(stderr, "git-ltm: error: "+want+"\n") {
			t.Errorf("git ltm %s ends with %d and says %q, want %d and %q", line, code, stderr, codeUsage, want)
		}
	}
}

func TestHabits(t *testing.T) {
	t.Parallel()
	known := func(name string) bool {
		return name == "help" || slices.ContainsFunc(verbs(), func(v verb) bool { return v.name == name })
	}
	for word, habit := range habits {
		if known(word) || !known(strings.Fields(habit)[0]) {
			t.Errorf("the habit %q leads to %q, want a word that is no command, and one that is", word, habit)
		}
	}
}
