package clients_test

import (
	"errors"
	"io/fs"
	"os"
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
		out := d.must(t, nil, "claude",
			append(append([]string{"plugin", "validate", "--strict"}, profile...), folder)...)
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
			m := newModel(t, report, call{command: deadEnd})
			key := []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
			out := d.must(t, key, "claude",
				append([]string{"-p", request, "--allowedTools", "Bash"}, way.args...)...)
			if !strings.Contains(out, report) {
				t.Errorf("claude ended with %q, want the words of the model", out)
			}
			d.checkToldBefore(t, id)
			d.checkTurn(t, m, id)
		})
	}
}

// TestClaude_saves lets a model save with our tool, and shows that a client which holds tools back shows it
// this one.
func TestClaude_saves(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.must(t, nil, "git", "ltm", "setup", "claude-code")
	m := newModel(t, report,
		call{tool: "save", with: object{"goal": goal, "next_step": "Read the profile of the lookup"}})
	key := []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
	d.must(t, key, "claude", "-p", request, "--allowedTools", "mcp__ltm__save")
	if sent := m.sent(); len(sent) == 0 || !strings.Contains(sent[0], `"name":"mcp__ltm__save"`) {
		t.Error("the first request does not offer the tool save")
	}
	if out := d.must(t, nil, "git", "ltm", "resume"); !strings.Contains(out, goal) {
		t.Errorf("the packet is\n%s\nwant the goal of the model", out)
	}
}

// TestClaude_compacts goes on with a session after a turn, and lets Claude Code sum it up: the summary
// becomes part of the draft, and the session, which has lost what it was told, is told it again.
func TestClaude_compacts(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.must(t, nil, "git", "ltm", "setup", "claude-code")
	id := d.remember(t)
	m := newModel(t, report, call{command: deadEnd})
	key := []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
	d.must(t, key, "claude", "-p", request, "--allowedTools", "Bash")
	d.checkTurn(t, m, id)

	d.must(t, key, "claude", "-p", "/compact", "--continue")
	d.must(t, key, "claude", "-p", "What is known of the board?", "--continue")
	sent := m.sent()
	last := sent[len(sent)-1]
	if strings.Contains(last, request) {
		t.Fatal("claude still sends what came before the summary")
	}
	if !strings.Contains(last, goal) || !strings.Contains(last, "ltm-context") {
		t.Error("after the summary the session is not told the packet again")
	}
	d.checkDraft(t)
}

// install installs the plugin.
func (d *desk) install(t *testing.T) {
	t.Helper()
	_, marketplace := plugin(t)
	d.must(t, nil, "claude", "plugin", "marketplace", "add", marketplace)
	d.must(t, nil, "claude", "plugin", "install", "git-ltm@git-ltm")
}

// TestClaude_twice installs the plugin where the settings call our hooks already: what both tell is told
// once.
func TestClaude_twice(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.must(t, nil, "git", "ltm", "setup", "claude-code")
	d.install(t)
	id := d.remember(t)
	m := newModel(t, report, call{command: deadEnd})
	key := []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
	d.must(t, key, "claude", "-p", request, "--allowedTools", "Bash")
	d.checkToldBefore(t, id)
	d.checkTurn(t, m, id)
	if n := strings.Count(m.sent()[0], "<ltm-context nonce="); n != 1 {
		t.Errorf("the session begins with %d blocks of memory, want 1", n)
	}
}

// TestClaude_plugin shows that setup writes nothing where the plugin is.
func TestClaude_plugin(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.install(t)
	p := d.run(t, nil, "git", "ltm", "setup", "claude-code")
	if p.code == 0 || !strings.Contains(p.err, "from a plugin already") {
		t.Errorf("setup ends with %d: %s%s", p.code, p.out, p.err)
	}
	if _, err := os.Stat(filepath.Join(d.project, ".claude")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("setup wrote in the project: %v", err)
	}
}

// TestClaude_asked holds SPEC with a person at a window: who did work and saved nothing is asked when
// it has answered, saves, and is not asked again. The same work for a program is asked nothing.
func TestClaude_asked(t *testing.T) {
	t.Parallel()
	bin := clientsOr(t, "claude")
	start := func(t *testing.T) (d *desk, m *model, key []string) {
		d = newDesk(t, bin)
		d.write(t, filepath.Join(d.home, ".claude.json"), encoded(object{
			"hasCompletedOnboarding": true, "customApiKeyResponses": object{"approved": []string{"dummy"}},
			"projects": object{d.project: object{"hasTrustDialogAccepted": true}},
		}))
		d.must(t, nil, "git", "ltm", "setup", "claude-code")
		m = newModel(t, report, append(substantial(), call{
			tool: "save", with: object{"goal": goal, "next_step": "Read the profile of the lookup"},
			after: question,
		})...)
		return d, m, []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
	}
	t.Run("window", func(t *testing.T) {
		t.Parallel()
		d, m, key := start(t)
		w := d.open(t, key, "claude --permission-mode default --allowedTools Bash mcp__ltm__save")
		w.shows(t, "for shortcuts")
		w.types(t, request)
		w.shows(t, painted)
		if !m.isAsked() { // What came last may not stand in the transcript yet when the first answer ends.
			w.types(t, "Is that all?")
		}
		w.shows(t, "Stop hook says: git ltm")
		saved := func() string { return d.must(t, nil, "git", "ltm", "ls", "--json") }
		d.until(t, "packet", func() string {
			if strings.Contains(saved(), goal) {
				return goal
			}
			return ""
		})
		w.types(t, "And now?")
		d.until(t, "answer", func() string {
			if sent := m.sent(); strings.Contains(sent[len(sent)-1], "And now?") {
				return "there"
			}
			return ""
		})
		sent := m.sent()
		if n := strings.Count(sent[len(sent)-1], question); n != 1 {
			t.Errorf("the session was asked %d times, want once", n)
		}
	})
	t.Run("program", func(t *testing.T) {
		t.Parallel()
		d, m, key := start(t)
		d.must(t, key, "claude", "-p", request, "--allowedTools", "Bash")
		if m.isAsked() {
			t.Error("a session of a program was asked")
		}
		if n := len(m.sent()); n != len(substantial())+1 {
			t.Errorf("%d requests, want one for each call and one for the answer", n)
		}
	})
}
