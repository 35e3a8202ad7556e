package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// TestRead_codexOutput shows what is read of the forms in which Codex tells of the end of a command.
func TestRead_codexOutput(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		`{"output":"no such file\n","metadata":{"exit_code":2}}`:                                 "2 true no such file",
		`{"output":"Exit code: 3\n","metadata":{"exit_code":0}}`:                                 "0 false ",
		"Exit code: 4\nWall time: 1 seconds\nOutput:\nno such file":                              "4 true no such file",
		"Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 5":                              "0 false ",
		"Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 6\nOutput:\nno such file":   "6 true no such file",
		"Chunk ID: 1\nWall time: 9 seconds\nProcess running with session ID 7\nOutput:\nworking": "0 false ",
		"Exit code: 8": "8 true Exit code: 8",
		"command timed out after 10000 milliseconds\nhalf": "0 true command timed out after 10000 " +
			"milliseconds\nhalf",
		"{not JSON": "0 false ",
		"":          "0 false ",
	} {
		text := `{"timestamp":"t","type":"response_item","payload":{"type":"function_call","call_id":"1","name":"shell","arguments":"{\"command\":[\"make\"]}"}}` + "\n" +
			fmt.Sprintf(`{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"1","output":%q}}`, output)
		s := read(t, []byte(text), transcript.Codex)
		if len(s.Commands) != 1 {
			t.Errorf("%q: %d commands", output, len(s.Commands))
			continue
		}
		c := s.Commands[0]
		if diff := cmp.Diff(want, fmt.Sprint(c.Exit, " ", c.Failed, " ", c.Output)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", output, diff)
		}
	}
}

// TestRead_codexPrompts shows which messages of the person's side a person typed.
func TestRead_codexPrompts(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]string{
		`{"type":"user_message","message":"typed"}`:                                         "typed",
		`{"type":"user_message","message":"typed","kind":"plain"}`:                          "typed",
		`{"type":"user_message","message":"told","kind":"environment_context"}`:             "",
		`{"type":"user_message","message":"<user_instructions>told</user_instructions>"}`:   "",
		`{"type":"user_message","message":"# AGENTS.md instructions for x\n\ntold"}`:        "",
		`{"type":"user_message","message":"# Context\n## My request for Codex:\ntyped"}`:    "typed",
		`{"type":"item_completed","item":{"type":"HookPrompt","fragments":[{"text":"x"}]}}`: "",
	} {
		s := read(t, []byte(`{"timestamp":"t","type":"event_msg","payload":`+payload+`}`), transcript.Codex)
		var got []string
		for _, p := range s.Prompts {
			got = append(got, p.Text)
		}
		if diff := cmp.Diff(want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", payload, diff)
		}
	}
}
