package transcript_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// ran is a call and its answer in a transcript of Claude Code.
func ran(id, tool, input string, failed bool, answer string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`+"\n", id, tool, input) +
		fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":%q}]}}`+"\n", id, failed, answer)
}

// TestRead_bounds holds that lists end somewhere, that what came last stays, and that failed commands stay
// longest.
func TestRead_bounds(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 1000 {
		id := strconv.Itoa(i)
		all.WriteString(ran("b"+id, "Bash", `{"command":"make `+id+`"}`, i%5 == 0, "Exit code 2\nerror "+id))
		all.WriteString(ran("w"+id, "Write", `{"file_path":"/f`+id+`"}`, false, "written"))
		all.WriteString(ran("f"+id, "WebFetch", `{"url":"u`+id+`"}`, true, "gone "+id))
		all.WriteString(ran("r"+id, "Edit", `{"file_path":"/r`+id+`"}`, true,
			"The user doesn't want to proceed with this tool use."))
		all.WriteString(ran("c"+id, "Bash", `{"command":"git commit -m x"}`, false,
			fmt.Sprintf("[main %07x] x", 0xabc0000+i)))
	}
	s := read(t, []byte(all.String()), transcript.ClaudeCode)
	failed := 0
	for _, c := range s.Commands {
		if c.Failed {
			failed++
		}
	}
	if len(s.Commands) != 400 || failed != 200 {
		t.Errorf("%d commands, %d failed, want 400 with all 200 that failed", len(s.Commands), failed)
	}
	if n := len(s.Edited); n != 500 || s.Edited[n-1] != "/f999" {
		t.Errorf("%d paths", n)
	}
	if n := len(s.Decisions); n != 200 || s.Decisions[n-1].Question != "Edit: /r999" {
		t.Errorf("%d decisions", n)
	}
	if n := len(s.Commits); n != 200 || s.Commits[n-1].ID != "abc03e7" {
		t.Errorf("%d commits, the last %v", n, s.Commits[n-1])
	}
}

// TestRead_output holds that of what a failed command printed the end is kept, in whole characters.
func TestRead_output(t *testing.T) {
	t.Parallel()
	s := read(t, []byte(
		ran("1", "Bash", `{"command":"make"}`, true,
			"Exit code 2\n"+strings.Repeat("größe ", 1000)+"the end.")), transcript.ClaudeCode)
	if len(s.Commands) != 1 {
		t.Fatal(s.Commands)
	}
	c := s.Commands[0]
	if len(c.Output) > 2048 || len(c.Output) < 2030 || !strings.HasSuffix(c.Output, "größe the end.") ||
		!utf8.ValidString(c.Output) {
		t.Errorf("%d bytes: %.20q", len(c.Output), c.Output)
	}
}

// TestRead_wholeWords holds that no text begins or ends with a part of a word, which may be one of a secret, and
// that the rest of a key does not stay without its beginning.
func TestRead_wholeWords(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("abcDEF123\n", 20) + "-----END PRIVATE KEY-----"
	for name, c := range map[string]struct{ output, want string }{
		"short":                {"one two three", "one two three"},
		"cut at the beginning": {strings.Repeat("a", 3000) + " whole", "whole"},
		"one word":             {strings.Repeat("a", 3000), ""},
		"as long as is kept":   {strings.Repeat("word ", 409) + "end", strings.Repeat("word ", 409) + "end"},
		"the end of a key":     {key + "\nand then", "and then"},
		"no more than that":    {key, ""},
		"cut within a key":     {"-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("a\n", 2000) + key + "\nout", "out"},
		"a whole key":          {"-----BEGIN PRIVATE KEY-----\n" + key, "-----BEGIN PRIVATE KEY-----\n" + key},
	} {
		s := read(t, []byte(ran("1", "Bash", `{"command":"make"}`, true, "Exit code 2\n"+c.output)),
			transcript.ClaudeCode)
		if got := s.Commands[0].Output; got != c.want {
			t.Errorf("%s: kept %q, want %q", name, got, c.want)
		}
	}
	long := strings.Repeat("word ", 900) + "secret"
	s := read(t, []byte(ran("1", "Bash", fmt.Sprintf(`{"command":%q}`, long), true, "no")), transcript.ClaudeCode)
	if got := s.Commands[0].Text; strings.Trim(got, "word ") != "" || len(got) < 4000 || strings.HasSuffix(got, "wor") {
		t.Errorf("a command is kept as %q", got[len(got)-20:])
	}
}

// TestRead_noise shows which failures tell nothing of the work.
func TestRead_noise(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tool, input, answer string
		want                int
	}{
		{
			"Edit", `{"file_path":"a"}`,
			"<tool_use_error>File has been modified since read, either by the user or by a " +
				"linter.</tool_use_error>", 0,
		},
		{
			"Edit", `{"file_path":"a"}`,
			"<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>", 0,
		},
		{"Read", `{"file_path":"a"}`, "File does not exist.", 0},
		{"Bash", `{"command":"make"}`, "<tool_use_error>Sibling tool call errored</tool_use_error>", 0},
		{"Bash", `{"command":"make"}`, "Exit code 137\n[Request interrupted by user for tool use]", 0},
		{
			"Bash", `{"command":"make"}`,
			"Claude requested permissions to use Bash, but you haven't granted it yet.", 0,
		},
		{"Bash", `{"command":"make"}`, "Exit code 2\nFile does not exist: a.c", 1},
		{"Bash", `{"command":"cat x | grep -q y"}`, "Exit code 1", 0},
		{"Bash", `{"command":"cat x | grep -q y"}`, "Exit code 2\ngrep: x: no such file", 1},
		{"Bash", `{"command":"diff a b"}`, "Exit code 1\n< a\n> b", 0},
		{"Bash", `{"command":"make"}`, "Command timed out after 2m 0.0s", 1},
		{"WebFetch", `{"url":"a"}`, "Request failed with status code 404", 0},
		{"mcp__fetch__get", `{"url":"a"}`, "Request failed with status code 404", 1},
		{"NoSuch", `{}`, "<tool_use_error>Error: No such tool available: NoSuch</tool_use_error>", 0},
	} {
		s := read(t, []byte(ran("1", test.tool, test.input, true, test.answer)), transcript.ClaudeCode)
		got := 0
		for _, c := range s.Commands {
			if c.Failed {
				got++
			}
		}
		if got != test.want {
			t.Errorf("%s %s, %q: %d failures, want %d", test.tool, test.input, test.answer, got, test.want)
		}
	}
}
