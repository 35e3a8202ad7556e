package agent_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// Hooks that somebody wrote by hand call the events as their host does.
func TestParseEvent(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]agent.Event{
		"tool": agent.Tool, "PreToolUse": agent.Tool, "preToolUse": agent.Tool, "BeforeTool": agent.Tool,
		"tool.execute.before": agent.Tool,
		"after-tool":          agent.AfterTool, "PostToolUse": agent.AfterTool, "AfterTool": agent.AfterTool,
		"PostToolUseFailure": agent.ToolFailure, "tool_failure": agent.ToolFailure,
		"SessionStart": agent.SessionStart, "sessionStart": agent.SessionStart,
		"session.created":  agent.SessionStart,
		"UserPromptSubmit": agent.Prompt, "userPromptSubmitted": agent.Prompt, "BeforeAgent": agent.Prompt,
		"beforeSubmitPrompt": agent.Prompt,
		"PreCompact":         agent.Compact, "PreCompress": agent.Compact, "PostCompact": agent.Compacted,
		"session.compacted": agent.Compacted,
		"Stop":              agent.Stop, "SubagentStop": agent.Stop, "AfterAgent": agent.Stop,
		"agentStop":    agent.Stop,
		"session.idle": agent.Stop,
		"SessionEnd":   agent.SessionEnd, "sessionEnd": agent.SessionEnd,
		"": "", "PreToolUseX": "", "Tools": "",
	} {
		got, ok := agent.ParseEvent(word)
		if ok != (want != "") || ok && got != want {
			t.Errorf("ParseEvent(%q) = %q, %t, want %q", word, got, ok, want)
		}
	}
	m, err := agent.Read(agent.ClaudeCode, agent.Stop, []byte(`{"hook_event_name": "SubagentStop"}`))
	if err != nil || !m.Busy {
		t.Errorf("the stop of a sub-agent is busy %t, %v; want that it ends nothing", m.Busy, err)
	}
}
