package clients_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// player is a client that plays the loop, with a person at its window.
type player struct {
	host     string
	ready    func(t *testing.T, d *desk, m *model) (env []string) // lets the client talk to a model, as a person did once on their machine
	window   string                                               // starts it
	trusts   []approval                                           // what it asks the person in the first session, before a request
	prompt   string                                               // what it shows when it waits for one
	approves []approval                                           // what it asks in the first session when it was made
	leave    string                                               // ends the session
}

// approval is what a client asks of a person, and the keys that agree to it.
type approval struct {
	asks string
	keys []string
}

// players are the clients that play the loop, by their programs.
func players() map[string]player {
	down := "\x1b[B"
	return map[string]player{
		"claude": {
			host: "claude-code",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.write(t, filepath.Join(d.home, ".claude.json"), encoded(object{
					"hasCompletedOnboarding": true, "customApiKeyResponses": object{"approved": []string{"dummy"}},
				}))
				return []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
			},
			window: "claude --permission-mode default --allowedTools Bash",
			trusts: []approval{{"Yes, I trust this folder", []string{down, "\r"}}},
			prompt: "? for shortcuts",
			leave:  "/exit",
		},
		"codex": {
			host: "codex",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.codexConfig(t, m, "stub-model")
				return nil
			},
			window: "codex",
			trusts: []approval{{"Trust all and continue", []string{down, "\r"}}},
			prompt: "stub-model default",
			leave:  "/quit",
		},
		"copilot": {
			host: "copilot",
			ready: func(_ *testing.T, _ *desk, m *model) []string {
				return []string{"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + m.url + "/v1", "COPILOT_MODEL=stub"}
			},
			window: "copilot --allow-all-tools",
			trusts: []approval{{"Do you trust the files in this folder?", []string{down, "\r"}}},
			prompt: "/ commands",
			leave:  "/exit",
		},
		"gemini": {
			host: "gemini",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.write(t, filepath.Join(d.home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
				return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + m.url}
			},
			window:   "gemini -y -m gemini-2.5-pro",
			trusts:   []approval{{"Do you trust the files in this folder?", []string{"\r"}}},
			approves: []approval{{"Allow execution of [Shell]?", []string{"\r"}}, {"Allow execution of [Shell]?", []string{"\r"}}},
			prompt:   "Type your message",
			leave:    "/quit",
		},
		"opencode": {
			host: "opencode",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.openCodeConfig(t, m)
				return nil
			},
			window: "opencode",
			prompt: "Ask anything",
			leave:  "/exit",
		},
		"qwen": {
			host: "qwen",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.write(t, filepath.Join(d.home, ".qwen", "settings.json"), `{"security":{"auth":{"selectedType":"openai"}}}`)
				return []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + m.url + "/v1", "OPENAI_MODEL=stub"}
			},
			window: "qwen -y",
			prompt: "Type your message",
			leave:  "/quit",
		},
	}
}

// seat is a player at a desk, with a model.
type seat struct {
	player
	*desk
	model *model
	env   []string
	first bool // no session was played yet
}

// newSeat sets a client up for the memory in a project as docs/agents.md says, and nothing else.
func (p player) newSeat(t *testing.T, d *desk) *seat {
	t.Helper()
	s := &seat{player: p, desk: d, model: newModel(t, report), first: true}
	s.env = p.ready(t, d, s.model)
	d.must(t, nil, "git", "ltm", "setup", p.host)
	return s
}

// session plays one session: the person opens the client, agrees to what it asks, makes the request, reads the report and leaves. What
// the model was sent is returned. A client asks in the first session alone.
func (s *seat) session(t *testing.T, asks ...call) (sent []string) {
	t.Helper()
	s.model.mu.Lock()
	s.model.asks, s.model.requests = asks, nil
	s.model.mu.Unlock()
	w := s.open(t, s.env, s.window)
	agree := func(all []approval) {
		for _, a := range all {
			if s.first {
				w.shows(t, a.asks)
				w.presses(t, a.keys...)
			}
		}
	}
	agree(s.trusts)
	w.shows(t, s.prompt)
	w.types(t, request)
	agree(s.approves)
	w.shows(t, "on the board itself.") // Some paint between the words before.
	w.types(t, s.leave)
	<-w.end
	s.first = false
	return s.model.sent()
}

// fails is a call that does not work on the machine of a desk.
var fails = call{command: "qemu-bench --board arm64 sums"} //nolint:gochecknoglobals // Nobody writes to it.

// bench puts the program in place that does not work here. It counts its calls.
func (d *desk) bench(t *testing.T) {
	t.Helper()
	program := filepath.Join(d.home, "bin", "qemu-bench")
	d.write(t, program, "#!/bin/sh\necho ran >>"+filepath.Join(d.home, "ran")+"\necho 'qemu-bench: "+learned+"' >&2\nexit 1\n")
	if err := os.Chmod(program, 0o700); err != nil { //nolint:gosec // It is a program.
		t.Fatal(err)
	}
	path := filepath.Dir(program) + ":" + strings.Join([]string{programs, "/usr/local/bin", "/usr/bin", "/bin"}, ":")
	d.write(t, filepath.Join(d.home, ".profile"), "PATH="+path+"\n") // A login shell, as Codex uses, has a path of its own.
	d.env = append(d.env, "PATH="+filepath.Dir(program)+":"+d.path)
}

// ran is how often that program was called.
func (d *desk) ran(t *testing.T) int {
	t.Helper()
	return strings.Count(d.read(t, filepath.Join(d.home, "ran")), "ran")
}

// TestLoop_oneMachine shows that what failed in one session is told in the next before it runs again, and nobody ran a command.
func TestLoop_oneMachine(t *testing.T) {
	t.Parallel()
	for program, p := range players() {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := p.newSeat(t, newDesk(t, clientsOr(t, program)))
			s.bench(t)
			s.session(t, fails, fails)
			if n := s.ran(t); n != 2 {
				t.Fatalf("the first session ran the command %d times, want 2", n)
			}
			s.until(t, "draft", func() string { return s.must(t, nil, "git", "for-each-ref", "refs/ltm-local/drafts") })
			sent := s.session(t, fails)
			t.Log(fmt.Sprint(len(sent)), s.ran(t), strings.Contains(sent[0], learned))
			if !strings.Contains(sent[0], learned) && s.ran(t) > 2 {
				t.Error("the second session was not warned before the command")
			}
		})
	}
}
