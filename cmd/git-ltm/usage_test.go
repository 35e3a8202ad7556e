package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ran returns what a command line prints that needs no repository.
func ran(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	e := &env{
		dir: t.TempDir(), stdin: new(bytes.Buffer), stdout: &out, stderr: &errs, width: width, now: time.Now,
		entropy: rand.Reader, vars: append(os.Environ(), "HOME="+t.TempDir(), "GIT_CEILING_DIRECTORIES=/"),
	}
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
	for _, v := range descriptions() {
		if !v.isPart() && !strings.Contains(all, "\n  "+v.name+" ") {
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
		"done ID": "git ltm task done", "ls task": "git ltm ls --kind task", "ls src/a.go": "git ltm ls --path src/a.go",
		"log -5": "-n 5?", "ls cache": "git ltm recall cache", "--nothing": "see 'git ltm -h'",
		"trust remote": "git ltm setup --trust remote", "note ls": "git ltm ls --kind fact",
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
		return name == "help" || slices.ContainsFunc(descriptions(), func(v description) bool { return v.name == name })
	}
	for word, habit := range habits {
		target := strings.Fields(habit)[0]
		if of, _, isPart := strings.Cut(word, " "); isPart {
			target = of + " " + target
		}
		if known(word) || !known(target) {
			t.Errorf("the habit %q leads to %q, want a word that is no command, and one that is", word, habit)
		}
	}
}

// TestDescriptions holds that help, manual page, completion, --json and schema of each command agree with its
// description, and that one thing has one flag everywhere.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	schema := outputSchemas()
	file := filepath.Join("..", "..", "schema", "output.json")
	if *update {
		if err := os.WriteFile(file, schema, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, schema) {
		t.Errorf("schema/output.json is not what the Go types say (%v): make docs", err)
	}
	var defined struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &defined); err != nil {
		t.Fatal(err)
	}
	other := map[string]string{
		"reason": "why", "expires": "until", "out": "output", "message": "why", "ttl": "until", "kinds": "kind",
		"tags": "tag", "max": "limit",
	}
	free := strings.Fields("LINE TEXT TITLE ITEM LEVEL GROUP FINGERPRINT FILE SOURCE TRANSCRIPT QUERY SHELL NAME URL EVENT HOST PATH OLD")
	e := &env{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer), width: width}
	root := newRoot(e)
	described := map[string]bool{}
	for _, d := range descriptions() {
		described[d.name] = true
		cmd, rest, err := root.Find(strings.Fields(d.name))
		if err != nil || len(rest) > 0 {
			t.Errorf("there is no command %q: %v", d.name, err)
			continue
		}
		help, _, code := ran(t, append(strings.Fields(d.name), "--help")...)
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", "man",
			"git-ltm-"+strings.ReplaceAll(d.name, " ", "-")+".1"))
		if code != codeDone || err != nil {
			t.Errorf("git ltm %s --help ends with %d; its manual page: %v", d.name, code, err)
		}
		words, _, _ := ran(t, append(append([]string{"__complete"}, strings.Fields(d.name)...), "--")...)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if one := other[f.Name]; one != "" && d.name != "purge" {
				t.Errorf("git ltm %s has --%s, want --%s", d.name, f.Name, one)
			}
			inPage := strings.Contains(string(page), `--`+strings.ReplaceAll(f.Name, "-", `-`))
			if !f.Hidden && (!strings.Contains(help, "--"+f.Name) || !inPage || !strings.Contains(words, "--"+f.Name+"\t")) {
				t.Errorf("git ltm %s has --%s, which help, manual page or completion lack", d.name, f.Name)
			}
		})
		_, none := d.prints.(noJSON)
		none = none && d.name != "export" // Records have schemas of their own.
		if has := cmd.Flags().Lookup("json") != nil; has == none || has != (defined.Defs[d.name] != nil || d.name == "export") {
			t.Errorf("git ltm %s has --json: %v, and prints %T with the schema %s", d.name, has, d.prints, defined.Defs[d.name])
		}
		if cmd.Short == "" || !strings.Contains(cmd.Long, "xit code") || !cmd.HasSubCommands() && d.needs > nothing && cmd.Example == "" {
			t.Errorf("git ltm %s lacks a sentence, its exit codes or an example", d.name)
		}
		for _, word := range regexp.MustCompile(`[A-Z]{2,}`).FindAllString(cmd.Use, -1) {
			if argumentWords()[word] == nil && !slices.Contains(free, word) {
				t.Errorf("git ltm %s takes %s, which nothing completes", d.name, word)
			}
		}
		checkExamples(t, d, cmd.Example)
	}
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if name := strings.TrimPrefix(typedName(cmd), "git ltm "); cmd.HasParent() && !described[name] && name != "help" {
			t.Errorf("git ltm %s has no description", name)
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(root)
}

// calls are the command lines that files outside of this program hold: what setup and hook install write, the
// action, the templates, the plugin and what other programs read. They stay, whatever the help lists.
var calls = []string{
	"hook claude-code session-start", "hook codex stop", "hook pre-push origin URL", "hook pre-receive", "hook install pre-push",
	"mcp", "check", "check --remote origin --format sarif --output FILE --baseline FILE --require good --config FILE",
	"check --format gitlab --output FILE", "scan --", "scan --format github -- FILE", "trust init --ref COMMIT --yes",
	"sync --travel start", "save --draft", "version", "completion bash",
}

// TestCalls holds that what others call from files can be called, and that no such file calls anything else.
func TestCalls(t *testing.T) {
	t.Parallel()
	root := newRoot(&env{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer), width: width})
	known := func(line string) error {
		cmd, rest, err := root.Find(strings.Fields(line))
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil {
			err = cmd.Args(cmd, cmd.Flags().Args())
		}
		return err
	}
	for _, line := range calls {
		if err := known(line); err != nil {
			t.Errorf("git-ltm %s: %v", line, err)
		}
	}
	called := regexp.MustCompile(`\bgit[- ]ltm ([a-z]+(?: (?:pre-push|pre-receive|init))?)\b`)
	for _, file := range []string{
		"action.yml", "templates/check.yml", ".pre-commit-hooks.yaml", "internal/hook/install.go",
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range called.FindAllStringSubmatch(string(text), -1) {
			if cmd, _, err := root.Find(strings.Fields(found[1])); err != nil || cmd == root {
				continue // It is a sentence.
			}
			if !slices.ContainsFunc(calls, func(line string) bool { return strings.HasPrefix(line+" ", found[1]+" ") }) {
				t.Errorf("%s calls git-ltm %s, which the list of calls lacks", file, found[1])
			}
		}
	}
}

// checkExamples runs the examples of a command where there is no repository: each is a command line, and the first
// says whether it needs a repository.
func checkExamples(t *testing.T, d description, examples string) {
	t.Helper()
	first := true
	for line := range strings.Lines(strings.ReplaceAll(examples, "\\\n", " ")) {
		line, own := strings.CutPrefix(strings.ReplaceAll(line, "git ltm", "git-ltm"), "  git-ltm ")
		words := shellWords(line)
		if !own || strings.ContainsAny(line, "|&<>$") || slices.Contains([]string{"mcp", "demo", "web"}, words[0]) {
			continue
		}
		_, stderr, code := ran(t, words...)
		outside := strings.Contains(stderr, "not a git repository")
		if code == codeUsage || first && d.prints != noJSON("it has parts") && (d.needs > nothing) != outside && code != codeNotFound && words[0] != "--user" {
			t.Errorf("git ltm %s, which needs %d, ends with %d: %s", strings.Join(words, " "), d.needs, code, stderr)
		}
		first = false
	}
}

// shellWords are the words of a command line.
func shellWords(line string) (words []string) {
	quoted := false
	fields := strings.FieldsFunc(line, func(c rune) bool {
		quoted = quoted != (c == '\'')
		return !quoted && (c == ' ' || c == '\n')
	})
	for _, field := range fields {
		words = append(words, strings.ReplaceAll(field, "'", ""))
	}
	return words
}

// TestFaults holds that each kind of error of commands has its words.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range faults() {
		if command.WayNamed(f.Name) == (command.Way{Code: codeFailed}) {
			t.Errorf("faults.txt has nothing for %q", f.Name)
		}
	}
}
