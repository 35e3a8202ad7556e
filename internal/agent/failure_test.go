package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestRead_failure shows that a call failed only where its host says so: what a command prints is no word of
// the host.
func TestRead_failure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		response any
		want     string
	}{
		{
			"Gemini CLI",
			map[string]any{"llmContent": "Output: boom\nExit Code: 3\nProcess Group PGID: 7"},
			"Output: boom\nExit Code: 3\nProcess Group PGID: 7",
		},
		{
			"Copilot CLI", "boom\n<shellId: 0 completed with exit code 3>",
			"boom\n<shellId: 0 completed with exit code 3>",
		},
		{"Codex", "Exit code: 1\nboom", "Exit code: 1\nboom"},
		{"an error of its own", map[string]any{"error": map[string]any{"message": "locked"}}, "locked"},
		{
			"a code of its own",
			map[string]any{"output": "boom", "metadata": map[string]any{"exit": 2}},
			"exit code 2\nboom",
		},
		{"all is well", "Exit code: 0\nfine", ""},
		{"a code within a line", "the step had the Exit code: 7, which is right", ""},
		{
			"a log, and then all is well",
			map[string]any{"llmContent": "Output: see:\nExit Code: 7\nfine\nExit Code: 0"},
			"",
		},
		{
			"words of Copilot CLI within a line",
			"it completed with exit code 7\n<shellId: 0 completed with exit code 0>", "",
		},
		{"nothing", nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			input, err := json.Marshal(map[string]any{"tool_name": "Bash", "tool_response": test.response})
			if err != nil {
				t.Fatal(err)
			}
			got, err := agent.Read(agent.Gemini, agent.AfterTool, input)
			if err != nil || got.Error != test.want {
				t.Errorf("Read(%s) = error %q, %v, want %q", input, got.Error, err, test.want)
			}
		})
	}
}
