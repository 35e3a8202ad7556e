package clients_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

// codexConfig lets Codex talk to a model on loopback, and trusts the project as a person would.
func (d *desk) codexConfig(t *testing.T, m *model, name string) {
	t.Helper()
	d.write(t, filepath.Join(d.home, ".codex", "config.toml"), fmt.Sprintf(`model = %q
model_provider = "stub"

[model_providers.stub]
name = "stub"
base_url = "%s/v1"
wire_api = "responses"
requires_openai_auth = false

[projects.%q]
trust_level = "trusted"
`, name, m.url, d.project))
}

// TestCodex_turn drives a turn of a model that calls tools one by one, and of one that writes programs which
// call them.
func TestCodex_turn(t *testing.T) {
	t.Parallel()
	bin := clientsOr(t, "codex")
	_, marketplace := plugin(t)
	for name, way := range map[string]struct {
		model string
		setup [][]string
	}{
		"plugin": {model: "stub-model", setup: [][]string{
			{"codex", "plugin", "marketplace", "add", marketplace},
			{"codex", "plugin", "add", "git-ltm@git-ltm"},
		}},
		"settings, and a model that writes programs": {
			model: "gpt-5.6-sol",
			setup: [][]string{{"git", "ltm", "setup", "codex"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, bin)
			m := newModel(t, report, call{command: deadEnd})
			d.codexConfig(t, m, way.model)
			for _, words := range way.setup {
				d.must(t, nil, words[0], words[1:]...)
			}
			id := d.remember(t)
			out := d.must(t, nil, "codex", "exec", "--dangerously-bypass-hook-trust", request)
			if !strings.Contains(out, report) {
				t.Errorf("codex ended with %q, want the words of the model", out)
			}
			d.checkToldBefore(t, id)
			d.checkTurn(t, m, id)
		})
	}
}

// TestCodex_lists asks Codex which hooks and tools it found. It trusts no hook by itself, and setup does not
// either.
func TestCodex_lists(t *testing.T) {
	t.Parallel()
	bin := clientsOr(t, "codex")
	_, marketplace := plugin(t)
	for name, way := range map[string]struct {
		host  string
		setup [][]string
	}{
		"settings": {"codex", [][]string{{"git", "ltm", "setup", "codex"}}},
		"plugin": {"plugin", [][]string{
			{"codex", "plugin", "marketplace", "add", marketplace},
			{"codex", "plugin", "add", "git-ltm@git-ltm"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, bin)
			d.codexConfig(t, newModel(t, ""), "stub-model")
			for _, words := range way.setup {
				d.must(t, nil, words[0], words[1:]...)
			}
			s := d.startAppServer(t)
			found := map[string]string{}
			listed := s.call(t, "hooks/list", object{"cwds": []string{d.project}}).Get("data.0")
			for _, h := range listed.Get("hooks").Array() {
				found[h.Get("eventName").Str] = h.Get("command").Str
				if wait := h.Get("timeoutSec").Int(); wait < 1 || wait > 10 ||
					h.Get("trustStatus").Str != "untrusted" {
					t.Errorf("codex has the hook %s", h.Raw)
				}
			}
			want := map[string]string{}
			for event, word := range map[string]string{
				"sessionStart": "session-start", "userPromptSubmit": "prompt", "preToolUse": "tool",
				"stop": "stop", "sessionEnd": "session-end",
			} {
				want[event] = "git-ltm hook " + way.host + " " + word
			}
			// It has no summary, so setup leaves it out; the plugin serves others too.
			delete(found, "postCompact")
			if diff := cmp.Diff(want, found); diff != "" {
				t.Errorf("hooks (-want +got)\n%s", diff)
			}
			if warnings := listed.Get("warnings").Array(); len(warnings) > 0 ||
				len(listed.Get("errors").Array()) > 0 {
				t.Errorf("codex warns: %s", listed.Raw)
			}
			// Settings of a project count within one.
			thread := s.call(t, "thread/start", object{"cwd": d.project}).Get("thread.id").Str
			var names []string
			s.call(t, "mcpServerStatus/list", object{"threadId": thread}).Get(
				`data.#(name="ltm").tools`).ForEach(func(name, _ gjson.Result) bool {
				names = append(names, name.Str)
				return true
			})
			slices.Sort(names)
			if diff := cmp.Diff(tools(), names); diff != "" {
				t.Errorf("tools (-want +got)\n%s", diff)
			}
		})
	}
}

// TestCodex_saves shows why a model in Codex saves with our tool: its shell may not write where git keeps
// refs.
func TestCodex_saves(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "codex"))
	m := newModel(
		t, report,
		// A login shell has a path of its own.
		call{command: filepath.Join(programs, "git-ltm") + " save --goal 'By the shell' --next 'Fail'"},
		call{tool: "save", with: object{"goal": goal, "next_step": "Read the profile of the lookup"}},
	)
	d.codexConfig(t, m, "gpt-5.6-sol")
	d.must(t, nil, "git", "ltm", "setup", "codex")
	d.must(t, nil, "codex", "exec", "--dangerously-bypass-hook-trust", request)
	if sent := m.sent(); len(sent) < 2 ||
		!strings.Contains(sent[1], "read-only here, as it is for commands in the sandbox of Codex") {
		t.Error("the shell's save does not say why it fails, and what to do")
	}
	goals := d.must(t, nil, "git", "ltm", "ls", "--json")
	if strings.Contains(goals, "By the shell") || !strings.Contains(goals, goal) {
		t.Errorf("the memory holds\n%s\nwant the packet of the tool alone", goals)
	}
}
