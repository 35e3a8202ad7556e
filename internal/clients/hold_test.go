package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bench is a command that is known to fail, and leaves a file where it runs; another is what a model does
// that goes another way; and later lets the clock run on, so that the next call is one of another turn.
const (
	bench   = "./bench.sh --board arm64"
	another = "echo measured on the board >board.txt"
	later   = "for f in .git/ltm/sessions/*; do sed -E 's/^held [0-9]+/held 1000/' $f >aged; cat aged >$f; done"
)

// TestHold shows that a call which certainly meets a known dead end does not run in the clients that hold one
// back for a hook: their model reads why in the place of the result, and goes another way.
func TestHold(t *testing.T) {
	t.Parallel()
	for client, turn := range map[string]func(t *testing.T, d *desk, m *model){
		"claude": func(t *testing.T, d *desk, m *model) {
			t.Helper()
			d.must(t, nil, "git", "ltm", "setup", "claude-code")
			d.must(t, []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}, "claude", "-p",
				request, "--allowedTools", "Bash")
		},
		"codex": func(t *testing.T, d *desk, m *model) {
			t.Helper()
			d.codexConfig(t, m, "stub-model")
			d.must(t, nil, "git", "ltm", "setup", "codex")
			d.must(t, nil, "codex", "exec", "-s", "danger-full-access", "--dangerously-bypass-hook-trust",
				request)
		},
		"copilot": func(t *testing.T, d *desk, m *model) {
			t.Helper()
			d.must(t, nil, "git", "ltm", "setup", "copilot")
			env := []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + m.url + "/v1",
				"COPILOT_MODEL=stub",
			}
			d.must(t, env, "copilot", "--trust-folder", "--allow-all-tools", "-p", request)
		},
		"gemini": func(t *testing.T, d *desk, m *model) {
			t.Helper()
			d.trust(t)
			d.write(t, filepath.Join(d.home, ".gemini", "settings.json"),
				`{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
			d.must(t, nil, "git", "ltm", "setup", "gemini")
			d.must(t, []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + m.url}, "gemini", "-y",
				"-m", "gemini-2.5-pro", "-p", request)
		},
		"qwen": func(t *testing.T, d *desk, m *model) {
			t.Helper()
			d.must(t, nil, "git", "ltm", "setup", "qwen")
			env := []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + m.url + "/v1", "OPENAI_MODEL=stub"}
			d.must(t, env, "qwen", "-y", "--auth-type", "openai", "-p", request)
		},
		"opencode": func(t *testing.T, d *desk, m *model) {
			t.Helper()
			d.openCodeConfig(t, m)
			d.must(t, nil, "git", "ltm", "setup", "opencode")
			d.must(t, nil, "opencode", "run", request)
		},
	} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, clientsOr(t, client))
			d.write(t, filepath.Join(d.project, "bench.sh"),
				"echo ran >>ran.txt; echo no emulator >&2; exit 3\n")
			d.must(t, nil, "chmod", "+x", "bench.sh")
			id := strings.TrimSpace(
				d.must(t, nil, "git", "ltm", "skip", "add", "The bench", "--command", bench, "--why",
					learned, "--until", "90d"))
			m := newModel(t, report, call{command: bench}, call{command: another}, call{command: later},
				call{command: bench})
			turn(t, d, m)
			sent := m.sent()
			if len(sent) != 5 {
				t.Fatalf("the client sent %d requests, want one before, between and after four calls",
					len(sent))
			}
			for _, want := range []string{learned, id, "ltm-warning", "The call was held back"} {
				if before, after := strings.Count(sent[0], want),
					strings.Count(sent[1], want); after <= before {
					t.Errorf("the requests have %q %d times and %d times, want more after the call", want,
						before, after)
				}
			}
			if _, err := os.Stat(filepath.Join(d.project, "board.txt")); err != nil {
				t.Errorf("the other command did not run: %v", err)
			}
			if ran := d.read(t, filepath.Join(d.project, "ran.txt")); ran != "ran\n" {
				t.Errorf("the command that was called twice ran %d times, want once",
					strings.Count(ran, "ran"))
			}
			if status := d.must(t, nil, "git", "ltm", "status"); strings.Contains(status, "Hook") {
				t.Errorf("a hook went wrong:\n%s", status)
			}
			draft := d.until(t, "draft", func() string {
				refs := strings.Fields(
					d.must(t, nil, "git", "for-each-ref", "--format=%(refname)", "refs/ltm-local/drafts/"))
				if len(refs) == 0 {
					return ""
				}
				return d.must(t, nil, "git", "cat-file", "blob", refs[0])
			})
			kept := d.must(t, nil, "sh", "-c", "cat .git/ltm/outcomes*")
			if !strings.Contains(kept, "\tfailed\t") {
				t.Errorf("it is not known that the call that went on failed:\n%s", kept)
			}
			for _, ours := range []string{
				"held back", "PreToolUse", "preToolUse", "did not work before",
				learned,
			} {
				if strings.Contains(draft, ours) {
					t.Errorf("the draft says that the call was held back, by %q:\n%s", ours, draft)
				}
			}
		})
	}
}

// TestClaude_holdAsks shows that with ltm.deadEnd = ask a person who let Claude Code run everything is asked
// all the same, reads why, and has the call go on.
func TestClaude_holdAsks(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "claude"))
	d.write(t, filepath.Join(d.home, ".claude.json"), encoded(object{
		"hasCompletedOnboarding": true, "customApiKeyResponses": object{"approved": []string{"dummy"}},
		"projects": object{d.project: object{"hasTrustDialogAccepted": true}},
	}))
	d.must(t, nil, "git", "ltm", "setup", "claude-code")
	d.must(t, nil, "git", "config", "--global", "ltm.deadEnd", "ask")
	const ran = "echo ran >ran.txt"
	d.must(t, nil, "git", "ltm", "skip", "add", "The bench", "--command", ran, "--why", learned, "--until",
		"90d")
	m := newModel(t, report, call{command: ran})
	w := d.open(t, []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"},
		"claude --permission-mode default --allowedTools Bash")
	w.shows(t, "for shortcuts")
	w.types(t, request)
	w.shows(t, learned)
	w.shows(t, "Do you want to proceed?")
	if _, err := os.Stat(filepath.Join(d.project, "ran.txt")); err == nil {
		t.Error("the command ran before the person had answered")
	}
	w.types(t, "")
	d.until(t, "file of the command", func() string {
		data, _ := os.ReadFile(filepath.Join(d.project, "ran.txt"))
		return string(data)
	})
}
