package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestRead reads what the real hosts wrote.
func TestRead(t *testing.T) {
	t.Parallel()
	const patch = "*** Begin Patch\n*** Update File: src/a.go\n@@\n-x\n+y\n*** Move to: src/b.go\n*** Add " +
		"File: c.txt\n+z\n*** End Patch"
	for _, test := range []struct {
		host  agent.Host
		event agent.Event
		file  string
		want  func(*agent.Moment)
	}{
		{agent.ClaudeCode, agent.SessionStart, "", func(m *agent.Moment) { m.Source = "startup" }},
		{agent.ClaudeCode, agent.SessionStart, "session-start-compact", func(m *agent.Moment) {
			m.Source = "compact"
		}},
		{agent.ClaudeCode, agent.Prompt, "", func(m *agent.Moment) { m.Prompt = "please run the thing" }},
		{agent.ClaudeCode, agent.Tool, "tool-edit", func(m *agent.Moment) {
			m.Call = agent.Call{
				Tool: "Edit", Paths: []string{"/home/ada/project/a.txt"}, Added: "bye\n",
				Removed: "hello\n",
			}
		}},
		{agent.ClaudeCode, agent.Tool, "tool-read", func(m *agent.Moment) { m.Call.Tool = "Read" }},
		{agent.ClaudeCode, agent.ToolFailure, "", func(m *agent.Moment) {
			m.Call = agent.Call{Tool: "Bash", Command: "echo out; echo boom >&2; exit 3"}
			m.Error = "Exit code 3\nout\nboom"
		}},
		{agent.ClaudeCode, agent.Compacted, "", func(m *agent.Moment) {
			m.Summary = "All done. Next: finish the retry."
		}},
		{agent.ClaudeCode, agent.SessionEnd, "", func(*agent.Moment) {}},
		{agent.Codex, agent.SessionStart, "", func(m *agent.Moment) { m.Source = "startup" }},
		{agent.Codex, agent.AfterTool, "", func(m *agent.Moment) {
			// The code is nowhere in it.
			m.Call = agent.Call{Tool: "Bash", Command: "echo out; echo boom >&2; exit 3"}
		}},
		{agent.Gemini, agent.Prompt, "", func(m *agent.Moment) { m.Prompt = "please run the thing" }},
		{agent.Gemini, agent.AfterTool, "", func(m *agent.Moment) {
			m.Call = agent.Call{Tool: "run_shell_command", Command: "echo out; echo boom >&2; exit 3"}
			m.Error = "out\nboom\nExit Code: 3"
		}},
		{agent.Copilot, agent.SessionStart, "", func(m *agent.Moment) { m.Source = "new" }},
		{agent.Copilot, agent.AfterTool, "", func(m *agent.Moment) {
			m.Call = agent.Call{Tool: "bash", Command: "echo out; echo boom >&2; exit 3"}
			m.Error = "boom\nout\n<shellId: 0 completed with exit code 3>"
		}},
		{agent.Qwen, agent.AfterTool, "", func(m *agent.Moment) {
			m.Call = agent.Call{Tool: "run_shell_command", Command: "echo 6"}
		}},
	} {
		file := test.file
		if file == "" {
			file = string(test.event)
		}
		t.Run(string(test.host)+" "+file, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", string(test.host), file+".json"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := agent.Read(test.host, test.event, data)
			if err != nil {
				t.Fatal(err)
			}
			if got.Session == "" || got.Dir != "/home/ada/project" {
				t.Errorf("session %q in %q, want one in /home/ada/project", got.Session, got.Dir)
			}
			want := agent.Moment{
				Host: test.host, Event: test.event, Session: got.Session,
				Transcript: got.Transcript, Dir: got.Dir,
			}
			test.want(&want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for name, input := range map[string]string{
		"as its input":   `{"tool_name":"apply_patch","tool_input":{"input":` + quoted(patch) + `}}`,
		"as its command": `{"tool_name":"apply_patch","tool_input":{"command":` + quoted(patch) + `}}`,
		"in a shell": `{"tool_name":"Bash","tool_input":{"command":` +
			quoted("apply_patch <<'E'\n"+patch+"\nE") + `}}`,
		"without a shell": `{"tool_name":"shell","tool_input":{"command":["apply_patch",` + quoted(patch) +
			`]}}`,
		"alone": `{"toolName":"apply_patch","toolArgs":` + quoted(patch) + `}`,
	} {
		t.Run("a patch "+name, func(t *testing.T) {
			t.Parallel()
			got, err := agent.Read(agent.Codex, agent.Tool, []byte(input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"src/a.go", "src/b.go", "c.txt"}, got.Call.Paths); diff != "" ||
				got.Call.Command != "" {
				t.Errorf("Read(%s) = %+v (-want +got):\n%s", input, got.Call, diff)
			}
		})
	}
}

func quoted(text string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`
}

func TestRead_command(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"tool_input":{"command":["bash","-lc","go test ./..."]}}`: "go test ./...",
		`{"tool_input":{"command":["ls","-l"]}}`:                    "ls -l",
		`{"tool_input":{"cmd":"make"}}`:                             "make",
		`{"toolArgs":"{\"command\":\"make all\"}"}`:                 "make all",
		`{"tool_input":{"command":7}}`:                              "",
		`{"tool_input":[]}`:                                         "",
		`{}`:                                                        "",
	} {
		got, err := agent.Read(agent.Codex, agent.Tool, []byte(input))
		if err != nil || got.Call.Command != want {
			t.Errorf("Read(%s) = command %q, %v, want %q", input, got.Call.Command, err, want)
		}
	}
}

// TestRead_busy holds SPEC: which stops end nothing.
func TestRead_busy(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]bool{
		`{}`: false,
		`{"stop_hook_active":false,"background_tasks":[],"session_crons":[],"agent_id":""}`: false,
		`{"stop_hook_active":null,"crons":{}}`:                                              true,
		`{"stop_hook_active":true}`:                                                         true,
		`{"stop_hook_active":"yes"}`:                                                        true,
		`{"stopHookActive":1}`:                                                              true,
		`{"background_tasks":[{"id":"1"}]}`:                                                 true,
		`{"agent_id":"7"}`:                                                                  true,
	} {
		if m, err := agent.Read(agent.ClaudeCode, agent.Stop, []byte(input)); err != nil || m.Busy != want {
			t.Errorf("Read(%s) = busy %v, %v, want %v", input, m.Busy, err, want)
		}
	}
}

// TestHost_Attended holds SPEC: what hosts tell their hooks of the person.
func TestHost_Attended(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		host            agent.Host
		env             map[string]string
		attended, known bool
	}{
		"Claude in a window": {
			agent.ClaudeCode,
			map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli"},
			true,
			true,
		},
		"Claude for a program": {
			agent.ClaudeCode,
			map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"},
			false, true,
		},
		"what counts for Claude": {
			agent.ClaudeCode,
			map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"},
			false,
			true,
		},
		"Claude in an editor": {
			agent.ClaudeCode,
			map[string]string{"CLAUDE_CODE_ENTRYPOINT": "claude-vscode", "CLAUDE_CODE_SESSION_ATTENDED": "1"},
			true, true,
		},
		"a Claude of old": {agent.ClaudeCode, nil, false, true},
		"Qwen in a window": {
			agent.Qwen,
			map[string]string{"QWEN_CODE_MESSAGING_SOCKET": "/tmp/s"},
			true, true,
		},
		"Qwen for a program": {agent.Qwen, nil, false, true},
		"Codex": {
			agent.Codex,
			map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli"},
			false,
			false,
		},
	} {
		attended, known := test.host.Attended(func(key string) (string, bool) {
			v, ok := test.env[key]
			return v, ok
		})
		if attended != test.attended || known != test.known {
			t.Errorf("%s: Attended = %v, %v, want %v, %v", name, attended, known, test.attended, test.known)
		}
	}
}

func TestRead_refuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		data string
		want error
	}{
		"nothing":     {"", agent.ErrNotJSON},
		"a list":      {"[1]", agent.ErrNotJSON},
		"a cut end":   {`{"cwd":"/`, agent.ErrNotJSON},
		"not UTF-8":   {"{\"cwd\":\"\xff\"}", agent.ErrNotJSON},
		"two objects": {"{}{}", agent.ErrNotJSON},
		"too much":    {`{"a":"` + strings.Repeat("x", agent.MaxInput) + `"}`, agent.ErrTooMuch},
	} {
		if _, err := agent.Read(agent.ClaudeCode, agent.Tool, []byte(test.data)); !errors.Is(err, test.want) {
			t.Errorf("Read of %s: %v, want %v", name, err, test.want)
		}
	}
	m, err := agent.Read(agent.ClaudeCode, agent.Tool,
		[]byte(`{"session_id":"a\u0000b","cwd":"/a\nb","transcript_path":7}`))
	if err != nil || m.Session != "" || m.Dir != "" || m.Transcript != "" {
		t.Errorf("Read of names that nobody could type = %+v, %v, want none of them", m, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","cwd":"/d","tool_name":"Edit","tool_input":{"file_path":"a"},"prompt":"p"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, host := range agent.Hosts() {
			m, err := agent.Read(host, agent.AfterTool, data)
			if err != nil {
				return
			}
			for _, name := range []string{m.Session, m.Dir, m.Transcript, m.Source} {
				if len(name) > 4<<10 || strings.ContainsAny(name, "\x00\n") {
					t.Errorf("%q of %q is no name", name, data)
				}
			}
			if m.Call.Command != "" && len(m.Call.Paths) > 0 {
				t.Errorf("%+v of %q is a command and an edit", m.Call, data)
			}
		}
	})
}
