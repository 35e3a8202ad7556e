package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// plugin is the folder of the plugin, and marketplace the one that names it.
func plugin(t *testing.T) (plugin, marketplace string) {
	t.Helper()
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(top, "internal", "setup", "files", "plugin"), top
}

func TestClaude_validates(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	plugin, marketplace := plugin(t)
	for folder, profile := range map[string][]string{plugin: {"--profile", "directory"}, marketplace: nil} {
		out := d.must(t, nil, "claude", append(append([]string{"plugin", "validate", "--strict"}, profile...), folder)...)
		if !strings.Contains(out, "Validation passed") || strings.Contains(out, "warning") {
			t.Errorf("claude says of %s:\n%s", folder, out)
		}
	}
}

// TestClaude_start runs the hooks of a start alone.
func TestClaude_start(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.must(t, nil, "git", "ltm", "setup", "claude-code")
	id := d.remember(t)
	d.must(t, nil, "claude", "--init-only")
	if told := d.told(t); !strings.Contains(told, id+" /goal") {
		t.Errorf("the session was told\n%s\nwithout the goal of %s", told, id)
	}
}

// TestClaude_undo shows that what setup wrote is gone for Claude Code too.
func TestClaude_undo(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.must(t, nil, "git", "ltm", "setup", "claude-code")
	d.must(t, nil, "git", "ltm", "setup", "claude-code", "--undo")
	if out := d.must(t, nil, "claude", "mcp", "list"); strings.Contains(out, "ltm:") {
		t.Errorf("claude still knows the server:\n%s", out)
	}
	d.remember(t)
	d.must(t, nil, "claude", "--init-only")
	if told := d.told(t); told != "" {
		t.Errorf("the session was told\n%s", told)
	}
}

// TestClaude_turn drives a turn with the hooks of the plugin, and one with those that setup wrote.
func TestClaude_turn(t *testing.T) {
	t.Parallel()
	bin := clientsOr(t, "claude")
	folder, _ := plugin(t)
	for name, way := range map[string]struct{ setup, args []string }{
		"plugin":   {args: []string{"--plugin-dir", folder}},
		"settings": {setup: []string{"ltm", "setup", "claude-code"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, bin)
			if way.setup != nil {
				d.must(t, nil, "git", way.setup...)
			}
			id := d.remember(t)
			m := newModel(t, report, deadEnd)
			key := []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
			out := d.must(t, key, "claude", append([]string{"-p", request, "--allowedTools", "Bash"}, way.args...)...)
			if !strings.Contains(out, report) {
				t.Errorf("claude ended with %q, want the words of the model", out)
			}
			d.checkToldBefore(t, id)
			d.checkTurn(t, m, id)
		})
	}
}
