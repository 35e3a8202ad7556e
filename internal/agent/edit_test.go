package agent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestRead_edit: what an edit writes and takes out is read out of the form of each host.
func TestRead_edit(t *testing.T) {
	t.Parallel()
	const patch = "*** Begin Patch\\n*** Update File: a.go\\n@@ func f\\n x\\n-old\\n+new\\n*** Add File: " +
		"b.go\\n+more\\n*** End Patch"
	patched := agent.Call{
		Paths: []string{"a.go", "b.go"}, Added: " func f\nx\nnew\nmore\n",
		Removed: " func f\nx\nold\n",
	}
	tests := map[string]struct {
		tool, input string
		want        agent.Call
	}{
		"an edit": {
			"Edit", `{"file_path":"a","old_string":"o","new_string":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n", Removed: "o\n"},
		},
		"many edits": {
			"MultiEdit",
			`{"file_path":"a","edits":[{"old_string":"o","new_string":"n"},{"old_string":"p","new_string":"m"}]}`,
			agent.Call{Paths: []string{"a"}, Added: "n\nm\n", Removed: "o\np\n"},
		},
		"a whole file": {
			"write_file", `{"file_path":"a","content":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n"},
		},
		"a notebook": {
			"NotebookEdit", `{"notebook_path":"a","new_source":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n"},
		},
		"Copilot's": {
			"edit", `{"path":"a","old_str":"o","new_str":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n", Removed: "o\n"},
		},
		"Copilot's, a text": {
			"create", `"{\"path\":\"a\",\"file_text\":\"n\"}"`,
			agent.Call{Paths: []string{"a"}, Added: "n\n"},
		},
		"OpenCode's": {
			"edit", `{"filePath":"a","oldString":"o","newString":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n", Removed: "o\n"},
		},
		"an editor": {
			"str_replace_editor",
			`{"command":"str_replace","path":"a","old_str":"o","new_str":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n", Removed: "o\n"},
		},
		"an editor looks":    {"str_replace_editor", `{"command":"view","path":"a"}`, agent.Call{}},
		"a patch":            {"apply_patch", `{"command":"` + patch + `"}`, patched},
		"a patch of its own": {"apply_patch", `{"input":"` + patch + `"}`, patched},
		"a patch alone":      {"apply_patch", `"` + patch + `"`, patched},
		"a tool that reads":  {"mcp__files__read_text_file", `{"path":"a"}`, agent.Call{}},
		"NotebookRead":       {"NotebookRead", `{"notebook_path":"a"}`, agent.Call{}},
		"a tool that writes": {
			"mcp__files__write_file", `{"path":"a","content":"n"}`,
			agent.Call{Paths: []string{"a"}, Added: "n\n"},
		},
		"a command": {"Bash", `{"command":"make"}`, agent.Call{Command: "make"}},
		"below": {
			"run_shell_command", `{"command":"make","directory":"web"}`,
			agent.Call{Command: "cd web && make"},
		},
		"below, absolute": {
			"shell", `{"command":["bash","-lc","make"],"workdir":"/srv/repo/web/"}`,
			agent.Call{Command: "cd web && make"},
		},
		"where it is": {
			"shell", `{"command":["bash","-lc","make"],"workdir":"/srv/repo"}`,
			agent.Call{Command: "make"},
		},
		"elsewhere": {
			"Shell", `{"command":"make","working_directory":"/srv/repo2"}`,
			agent.Call{Command: "make"},
		},
		"an odd place": {
			"Shell", `{"command":"make","working_directory":"a; rm -rf b"}`,
			agent.Call{Command: "make"},
		},
		"above": {
			"Shell", `{"command":"make","working_directory":"../x"}`,
			agent.Call{Command: "make"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := agent.Read(agent.Codex, agent.Tool,
				[]byte(`{"cwd":"/srv/repo","tool_name":"`+tt.tool+`","tool_input":`+tt.input+`}`))
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Tool = tt.tool
			if diff := cmp.Diff(tt.want, m.Call); diff != "" {
				t.Errorf("call (-want +got):\n%s", diff)
			}
		})
	}
}
