package agent_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestHost_Answer holds SPEC: the forms that the hosts were seen to hand to their models.
func TestHost_Answer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		host  agent.Host
		event agent.Event
		want  string
	}{
		{
			agent.ClaudeCode, agent.SessionStart,
			`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a<b"}}`,
		},
		{
			agent.ClaudeCode, agent.Tool,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a<b"}}`,
		},
		{
			agent.ClaudeCode, agent.Stop,
			`{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"a<b"}}`,
		},
		{agent.Codex, agent.Stop, `{"decision":"block","reason":"a<b"}`},
		{agent.Qwen, agent.Stop, `{"decision":"block","reason":"a<b"}`},
		{agent.Copilot, agent.Stop, `{"decision":"block","reason":"a<b"}`},
		{agent.Gemini, agent.Stop, ""},        // It shows the person an error.
		{agent.OpenCode, agent.Stop, ""},      // Its model does not go on.
		{agent.ClaudeCode, agent.Compact, ""}, // It would become part of the instructions of the summary.
		{
			agent.Codex, agent.Prompt,
			`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a<b"}}`,
		},
		{agent.Gemini, agent.Tool, ""},
		{
			agent.Gemini, agent.AfterTool,
			`{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"a<b"}}`,
		},
		{agent.Qwen, agent.Tool, ""},
		{
			agent.Qwen, agent.ToolFailure,
			`{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"a<b"}}`,
		},
		{agent.Copilot, agent.Tool, `{"additionalContext":"a<b"}`},
		{agent.OpenCode, agent.SessionStart, `{"additionalContext":"a<b"}`},
		{agent.Cursor, agent.SessionStart, `{"additional_context":"a<b"}`},
		{agent.Cursor, agent.Tool, ""}, // Its answer is a permission.
		{"another", agent.SessionStart, ""},
	} {
		got, err := test.host.Answer(test.event, "a<b")
		if diff := cmp.Diff(test.want, strings.TrimSuffix(string(got), "\n")); diff != "" || err != nil {
			t.Errorf("%s at %s: %v (-want +got):\n%s", test.host, test.event, err, diff)
		}
	}
	if got, err := agent.ClaudeCode.Answer(agent.SessionStart, ""); len(got) != 0 || err != nil {
		t.Errorf("Answer of nothing = %q, %v, want nothing", got, err)
	}
}

// TestHost_Answer_limits holds SPEC: it shows that no answer is longer than its host takes, in the
// unit in which it counts, and that a thousand of any sign fit.
func TestHost_Answer_limits(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"a", "é", "漢", "😀", "\"", "\n", "\\", "\u2028", "\x01"} {
		for _, host := range agent.Hosts() {
			for n := 1; n < 20_000; n += 499 {
				text := strings.Repeat(sign, n)
				got, err := host.Answer(agent.SessionStart, text)
				if errors.Is(err, agent.ErrTooLong) && n > 1000 {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				size := len(got)
				if host != agent.Codex {
					size = len(utf16Of(string(got)))
				}
				if size > 9500+1 || !strings.Contains(string(got), "ontext") || !json.Valid(got) {
					t.Errorf("%s is told %d x %q in %d units: %.80q", host, n, sign, size, got)
				}
			}
		}
	}
}

func utf16Of(text string) []uint16 { return utf16.Encode([]rune(text)) }

func TestParseHost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		word string
		env  map[string]string
		want agent.Host
		ok   bool
	}{
		"a name":  {"gemini", nil, agent.Gemini, true},
		"no name": {"clippy", nil, "clippy", false},
		"Copilot, which says that it is Claude": {
			agent.Plugin,
			map[string]string{"COPILOT_CLI": "1", "CLAUDECODE": "1"},
			agent.Copilot, true,
		},
		"Claude": {
			agent.Plugin,
			map[string]string{"CLAUDECODE": "1"},
			agent.ClaudeCode, true,
		},
		"Codex has no mark": {agent.Plugin, nil, agent.Codex, true},
		"Claude, in a shell of Copilot": {
			agent.Plugin,
			map[string]string{"CLAUDE_PLUGIN_ROOT": "/p", "COPILOT_CLI": "1"},
			agent.ClaudeCode, true,
		},
		"Codex, in a shell of Claude": {agent.Plugin, map[string]string{
			"PLUGIN_ROOT": "/p", "CLAUDE_PLUGIN_ROOT": "/p", "CLAUDECODE": "1",
		}, agent.Codex, true},
		"Copilot, in a shell of Gemini": {agent.Plugin, map[string]string{
			"COPILOT_PLUGIN_ROOT": "/p", "PLUGIN_ROOT": "/p", "CLAUDE_PLUGIN_ROOT": "/p",
			"GEMINI_SESSION_ID": "1",
		}, agent.Copilot, true},
		"Copilot, which runs Claude's hooks": {
			string(agent.ClaudeCode),
			map[string]string{"COPILOT_CLI": "1"},
			agent.Copilot, true,
		},
		"Claude, by name": {string(agent.ClaudeCode), nil, agent.ClaudeCode, true},
		"Claude, by name, in a shell of Copilot": {string(agent.ClaudeCode), map[string]string{
			"COPILOT_CLI": "1", "CLAUDECODE": "1",
		}, agent.ClaudeCode, true},
		"an empty mark is none": {agent.Plugin, map[string]string{"CLAUDECODE": ""}, agent.Codex, true},
	} {
		getenv := func(key string) (string, bool) { v, ok := test.env[key]; return v, ok }
		if got, ok := agent.ParseHost(test.word, getenv); got != test.want || ok != test.ok {
			t.Errorf("%s: ParseHost(%q) = %q, %v, want %q, %v", name, test.word, got, ok, test.want, test.ok)
		}
	}
}
