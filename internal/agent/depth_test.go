package agent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestRead_depth: an event that is nested without end is refused before anything calls itself for it, since a
// stack that is full ends the process, with a code that an agent takes for a decision.
func TestRead_depth(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		data string
		want error
	}{
		"arrays":  {strings.Repeat("[", agent.MaxInput), agent.ErrNotJSON},
		"objects": {strings.Repeat(`{"a":`, agent.MaxInput/5), agent.ErrNotJSON},
		"in a member": {
			`{"tool_input":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}",
			agent.ErrNotJSON,
		},
		"brackets in a text":  {`{"prompt":"` + strings.Repeat(`[{\"`, 300) + `"}`, nil},
		"many beside another": {`{"a":[` + strings.Repeat(`{},[],`, 300) + `{}]}`, nil},
		"as deep as is read":  {`{"a":` + strings.Repeat("[", 199) + strings.Repeat("]", 199) + "}", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := agent.Read(agent.ClaudeCode, agent.Tool, []byte(tt.data)); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}
