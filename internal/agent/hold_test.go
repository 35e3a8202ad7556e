package agent_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestHost_Hold holds SPEC: the forms in which the hosts were seen to hold a call back, and that there
// is none to let one through.
func TestHost_Hold(t *testing.T) {
	t.Parallel()
	const claude = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a<b"}}`
	deny := map[agent.Host]string{
		agent.ClaudeCode: claude, agent.Codex: claude, agent.Qwen: claude,
		agent.Copilot:  `{"permissionDecision":"deny","permissionDecisionReason":"a<b"}`,
		agent.Gemini:   `{"decision":"deny","reason":"a<b"}`,
		agent.OpenCode: `{"decision":"deny","reason":"a<b"}`,
		agent.Cursor:   "",
	}
	for _, host := range agent.Hosts() {
		for _, event := range agent.Events() {
			for _, how := range []agent.Holding{agent.Deny, agent.Ask} {
				want := ""
				if event == agent.Tool {
					want = deny[host]
				}
				if how == agent.Ask && host == agent.ClaudeCode {
					want = strings.Replace(want, `"deny"`, `"ask"`, 1)
				}
				if got, err := host.Hold(event, how, "a<b"); strings.TrimSuffix(string(got), "\n") != want ||
					err != nil {
					t.Errorf("%s at %s, %s: %s, %v, want %s", host, event, how, got, err, want)
				}
			}
		}
	}
}
