package setup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/setup"
)

// calledAt are the events of a file of hooks: how the agent calls each, and what it calls then.
func calledAt(text string) (all []string) {
	command := regexp.MustCompile(`git-ltm hook \S+ ([a-z-]+)`)
	gjson.Get(text, "hooks").ForEach(func(event, hooks gjson.Result) bool {
		words := command.FindStringSubmatch(hooks.Raw)
		timeout := regexp.MustCompile(`"timeout(?:Sec)?": ?(\d+)`).FindStringSubmatch(hooks.Raw)
		if words == nil || timeout == nil {
			words, timeout = []string{"", "nothing of ours"}, []string{"", "0"}
		}
		all = append(all, fmt.Sprintf("%s %s %s", event.Str, words[1], strings.TrimSuffix(timeout[1], "000")))
		return true
	})
	slices.Sort(all)
	return all
}

// TestWishes_events holds that each agent is told the events by the names that it has for them: those of the
// files that a plugin or an extension brings, and for the others those that the agent's own manual lists.
func TestWishes_events(t *testing.T) {
	t.Parallel()
	manuals := map[string]string{
		"codex": "PreToolUse tool 5, SessionEnd session-end 3, SessionStart session-start 10, Stop stop 5, UserPromptSubmit prompt 5",
		"copilot": "agentStop stop 5, postToolUse after-tool 5, postToolUseFailure tool-failure 5, preToolUse tool 5, " +
			"sessionEnd session-end 5, sessionStart session-start 10, userPromptSubmitted prompt 5",
		"cursor": "postToolUse after-tool 5, postToolUseFailure tool-failure 5, sessionEnd session-end 5, " +
			"sessionStart session-start 10, stop stop 5",
		"qwen": "PostToolUse after-tool 5, PostToolUseFailure tool-failure 5, PreToolUse tool 5, SessionEnd session-end 5, " +
			"SessionStart session-start 10, Stop stop 5, UserPromptSubmit prompt 5",
	}
	files := map[string]string{"gemini": "gemini", "claude-code": "plugin"}
	eachScope(t, func(t *testing.T, a setup.Agent, scope setup.Scope) {
		t.Helper()
		want := strings.Split(manuals[a.Name], ", ")
		if folder := files[a.Name]; folder != "" {
			text, err := os.ReadFile(filepath.Join("files", folder, "hooks", "hooks.json"))
			if err != nil {
				t.Fatal(err)
			}
			want = calledAt(string(text))
		}
		if a.Name == "opencode" { // It loads a program, which knows the events.
			return
		}
		site, _ := place(t)
		p, err := setup.PlanFor(site, a, scope)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range p.Changes {
			got = append(got, calledAt(string(c.After))...)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) < 5 {
			t.Errorf("events that %s calls us at (-want +got)\n%s", a.Name, diff)
		}
	})
}
