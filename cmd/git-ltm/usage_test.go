package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	want := strings.Fields(
		"save note recall ls show log web resume status task skip edit undo rm sync export import setup " +
			"doctor check trust")
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
		"sav": "git ltm save", "resmue": "git ltm resume", "recal x": "git ltm recall",
		"statsu": "git ltm status", "nte x": "git ltm note",
		"list": "git ltm ls", "search x": "git ltm recall", "delete ID": "git ltm rm",
		"fetch": "git ltm pull", "config": "git config ltm.",
		"remember x": "git ltm note", "forget x": "git ltm rm", "memories": "git ltm ls",
		"-C . shwo": "git ltm show", "help sav": "git ltm save",
		"skip ad x": "git ltm skip add", "task lst": "git ltm task ls", "save --gaol x": "--goal",
		"note --message x": "--why",
		"ls --limt 3":      "--limit", "zzzzzz": "git ltm help -a",
	} {
		_, stderr, code := ran(t, strings.Fields(line)...)
		_, hint, _ := strings.Cut(stderr, "hint: ")
		if code != codeUsage || !strings.Contains(hint, want) {
			t.Errorf("git ltm %s ends with %d and says %q, want %d and %q", line, code, stderr, codeUsage,
				want)
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
			t.Errorf("git ltm %s ends with %d and says %q, want %d and %q", line, code, stderr, codeUsage,
				want)
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

// TestFlags holds that one thing has one flag in every command, and that what prints a result prints it as
// JSON, too.
func TestFlags(t *testing.T) {
	t.Parallel()
	other := map[string]string{
		"reason": "why", "expires": "until", "out": "output", "message": "why", "ttl": "until",
		"kinds": "kind", "tags": "tag", "max": "limit",
	}
	noJSON := map[string]string{ // The commands without --json, and why.
		"completion": "a script", "demo": "a play", "example": "a packet, which is JSON",
		"export":       "a file in the form of --format",
		"hook install": "a file", "hook uninstall": "a file", "hook pre-push": "git reads its exit code",
		"hook pre-receive": "git reads its exit code", "mcp": "a server", "web": "a server",

		// What these print for a person has no form for programs yet.
		"init": "not yet", "key init": "not yet", "purge": "not yet", "setup": "not yet",
		"version":      "not yet",
		"trust accept": "not yet", "trust add": "not yet", "trust init": "not yet", "trust mute": "not yet",
		"trust refuse": "not yet",
		"trust revoke": "not yet", "trust unmute": "not yet", "trust update": "not yet",
		"trust why": "not yet",
	}
	e := &env{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer), width: width}
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		name := strings.TrimPrefix(displayed(cmd), "git ltm ")
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if one := other[f.Name]; one != "" && name != "purge" {
				t.Errorf("git ltm %s has --%s, want --%s", name, f.Name, one)
			}
		})
		has, left := cmd.Flags().Lookup("json") != nil, noJSON[name]
		if prints := !cmd.HasSubCommands() && cmd.HasParent(); prints && has == (left != "") {
			t.Errorf("git ltm %s has --json: %v, want it, or the reason why not among those of this test: %q",
				name, has, left)
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRoot(e))
}
