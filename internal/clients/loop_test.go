package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// player is a client that plays the loop, with a person at its window.
type player struct {
	host string
	// lets the client talk to a model, as a person did once on their machine
	ready  func(t *testing.T, d *desk, m *model) (env []string)
	window string // starts it
	// what it asks the person in the first session
	trusts []approval
	kept   string // where it keeps what the person answered, if it starts anew then; below the home
	prompt string // what it shows when it waits for one
	leave  string // ends the session
}

// approval is what a client asks of a person, and the keys that agree to it.
type approval struct {
	name string // as docs/agents.md calls it; "" for what is none
	asks string
	keys []string
}

const folderTrust = "trust of the folder"

// players are the clients that play the loop, by their programs.
func players() map[string]player {
	down := "\x1b[B"
	return map[string]player{
		"claude": {
			host: "claude-code",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.write(t, filepath.Join(d.home, ".claude.json"), encoded(object{
					"hasCompletedOnboarding": true,
					"customApiKeyResponses":  object{"approved": []string{"dummy"}},
				}))
				return []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy"}
			},
			window: "claude --permission-mode default --allowedTools Bash",
			trusts: []approval{{folderTrust, "Yes, I trust this folder", []string{down, "\r"}}},
			prompt: "? for shortcuts",
			leave:  "/exit",
		},
		"codex": {
			host: "codex",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.codexConfig(t, m, "gpt-5.6-sol")
				config := filepath.Join(d.home, ".codex", "config.toml")
				before, _, _ := strings.Cut(d.read(t, config), "[projects.") // The person is asked.
				d.write(t, config, before)
				return nil
			},
			window: "codex",
			trusts: []approval{
				{folderTrust, "Trust and continue", []string{"\r"}},
				{"the hooks: `/hooks`", "Trust all and continue", []string{down, "\r"}},
				{"", "Use existing model", []string{down, "\r"}},
			},
			prompt: "GPT-5.6-Sol default",
			leave:  "/quit",
		},
		"copilot": {
			host: "copilot",
			ready: func(_ *testing.T, _ *desk, m *model) []string {
				return []string{
					"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + m.url + "/v1",
					"COPILOT_MODEL=stub",
				}
			},
			window: "copilot --allow-all-tools",
			trusts: []approval{{folderTrust, "Do you trust the files in this folder?", []string{down, "\r"}}},
			prompt: "/ commands",
			leave:  "/exit",
		},
		"gemini": {
			host: "gemini",
			ready: func(t *testing.T, d *desk, m *model) []string {
				t.Helper()
				d.write(t, filepath.Join(d.home, ".gemini", "settings.json"),
					`{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
				d.write(t, filepath.Join(d.home, ".gemini", "policies", "shell.toml"),
					"[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"allow\"\npriority = 100\n")
				return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + m.url}
			},
			window: "gemini -m gemini-2.5-pro",
			trusts: []approval{{folderTrust, "Do you trust the files in this folder?", []string{"\r"}}},
			kept:   ".gemini/trustedFolders.json",
			prompt: "Type your message",
			leave:  "/quit",
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
				d.write(t, filepath.Join(d.home, ".qwen", "settings.json"),
					`{"security":{"auth":{"selectedType":"openai"}}}`)
				return []string{
					"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + m.url + "/v1",
					"OPENAI_MODEL=stub",
				}
			},
			window: "qwen -y",
			prompt: "Type your message",
			leave:  "/quit",
		},
	}
}

// TestLoop_steps holds what docs/agents.md says that a person does: the one command of [player.newSeat], and
// what the client asks.
func TestLoop_steps(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "agents.md"))
	if err != nil {
		t.Fatal(err)
	}
	for program, p := range players() {
		var asks []string
		for _, a := range p.trusts {
			if a.name != "" {
				asks = append(asks, a.name)
			}
		}
		if asks == nil {
			asks = []string{"nothing"}
		}
		row := "| `git ltm setup " + p.host + "` | the same | nothing | " + strings.Join(asks, "; ") + " |"
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/agents.md has no row with %q, as the loop is played with %s", row, program)
		}
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

// session plays one session: the person opens the client, agrees to what it asks, makes the request, reads
// the report and leaves. What the model was sent is returned. A client asks in the first session alone.
func (s *seat) session(t *testing.T, asks ...call) (sent []string) {
	t.Helper()
	s.model.mu.Lock()
	s.model.asks, s.model.requests = asks, nil
	s.model.mu.Unlock()
	w := s.open(t, s.env, s.window)
	for _, a := range s.trusts {
		if s.first {
			w.shows(t, a.asks)
			w.presses(t, a.keys...)
		}
	}
	if s.first && s.kept != "" { // It would lose what is typed while it starts anew.
		s.until(t, s.kept, func() string {
			data, _ := os.ReadFile(filepath.Join(s.home, s.kept))
			return string(data)
		})
		w.stop()
		w = s.open(t, s.env, s.window)
	}
	w.shows(t, s.prompt)
	for range 5 { // Gemini CLI shows its prompt, and loses what is typed before it is ready.
		w.types(t, request)
		if w.soon(t, "ask the model", 15*time.Second, func() bool { return len(s.model.sent()) > 0 }) {
			break
		}
	}
	w.until(t, "do all that it is asked for", func() bool { return len(s.model.sent()) > len(asks) })
	w.shows(t, painted)
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
	d.write(t, program, "#!/bin/sh\necho ran >>"+filepath.Join(d.home, "ran")+"\necho 'qemu-bench: "+learned+
		"' >&2\nexit 1\n")
	if err := os.Chmod(program, 0o700); err != nil { //nolint:gosec // It is a program.
		t.Fatal(err)
	}
	path := filepath.Dir(program) + ":" +
		strings.Join([]string{programs, "/usr/local/bin", "/usr/bin", "/bin"}, ":")
	// A login shell, as Codex uses, has a path of its own.
	d.write(t, filepath.Join(d.home, ".profile"), "PATH="+path+"\n")
	d.env = append(d.env, "PATH="+filepath.Dir(program)+":"+d.path)
}

// ran is how often that program was called.
func (d *desk) ran(t *testing.T) int {
	t.Helper()
	return strings.Count(d.read(t, filepath.Join(d.home, "ran")), "ran")
}

// TestLoop_oneMachine shows that what failed in one session is told in the next, and nobody ran a command.
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
			s.until(t, "draft", func() string {
				return s.must(t, nil, "git", "for-each-ref", "refs/ltm-local/drafts")
			})
			sent := s.session(t, fails)
			start := strings.Contains(sent[0], fails.command)
			t.Logf("%s: told at the start: %v", program, start)
			if !start && !strings.Contains(strings.Join(sent, "\n"), "ltm-warning") {
				t.Error("the second session was not told of the command")
			}
		})
	}
}

// publish gives the project of a desk a remote of its own, and returns its path.
func (d *desk) publish(t *testing.T) (remote string) {
	t.Helper()
	remote = filepath.Join(filepath.Dir(d.home), "hub.git")
	d.must(t, nil, "git", "init", "-q", "--bare", "-b", "main", remote)
	d.must(t, nil, "git", "remote", "add", "origin", remote)
	d.must(t, nil, "git", "push", "-q", "-u", "origin", "main")
	return remote
}

// join makes a desk of somebody who clones a project, and has committed to it.
func join(t *testing.T, clients, remote, name string) *desk {
	t.Helper()
	d := newDesk(t, clients)
	if err := os.RemoveAll(d.project); err != nil {
		t.Fatal(err)
	}
	d.write(t, filepath.Join(d.home, ".gitconfig"),
		"[user]\n\tname = "+name+"\n\temail = "+strings.ToLower(name[:3])+"@example.com\n")
	d.write(t, filepath.Join(d.project, "empty"), "")
	d.must(t, nil, "git", "clone", "-q", remote, "clone")
	d.project = filepath.Join(d.project, "clone")
	return d
}

// commit commits something and pushes it, as everybody in a team has done.
func (d *desk) commit(t *testing.T) {
	t.Helper()
	d.must(t, nil, "git", "commit", "-q", "--allow-empty", "-m", "Something")
	d.must(t, nil, "git", "push", "-q", "origin", "main")
}

// keeps is a call by which an agent saves what it learned.
func keeps(p player, goal string) call {
	if p.host == "codex" { // Its shell may not write where git keeps refs.
		return call{tool: "save", with: object{"goal": goal, "next_step": "Read the profile of the lookup"}}
	}
	return call{command: "git-ltm save --goal '" + goal + "' --next 'Read the profile of the lookup'"}
}

// arrives waits until a remote has so many records. Hosts that say no end are waited for until nothing is
// done for two minutes.
func (d *desk) arrives(t *testing.T, remote string, records int) {
	t.Helper()
	d.within(t, 4*time.Minute, "record at the remote", func() string {
		refs := d.must(t, nil, "git", "ls-remote", remote, "refs/ltm/packets/*")
		if strings.Count(refs, "\n") < records {
			return ""
		}
		return refs
	})
}

// TestLoop_twoMachines shows that what a session saved on one machine is shown on the other after setup
// alone.
func TestLoop_twoMachines(t *testing.T) {
	t.Parallel()
	for program, p := range players() {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			bin := clientsOr(t, program)
			d := newDesk(t, bin)
			remote := d.publish(t)
			laptop := p.newSeat(t, d)
			laptop.session(t, keeps(p, goal))
			laptop.arrives(t, remote, 1)
			desktop := p.newSeat(t, join(t, bin, remote, "Ada Tester"))
			if sent := desktop.session(t); !strings.Contains(sent[0], goal) ||
				!strings.Contains(sent[0], "unsigned, from origin") {
				t.Error("the first session on the second machine is not shown what the first saved, with " +
					"where it is from")
			}
		})
	}
}

// TestLoop_team shows that three people without keys have each other's memory after setup alone.
func TestLoop_team(t *testing.T) {
	t.Parallel()
	for program, p := range players() {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			bin := clientsOr(t, program)
			d := newDesk(t, bin)
			remote := d.publish(t)
			goals := []string{goal, "Bound the memory of the sums", "Name the slowest sum"}
			for i, name := range []string{"Ada Tester", "Bob Tester", "Cem Tester"} {
				if i > 0 {
					d = join(t, bin, remote, name)
					d.commit(t)
				}
				s := p.newSeat(t, d)
				sent := s.session(t, keeps(p, goals[i]))
				for _, goal := range goals[:i] {
					if !strings.Contains(sent[0], goal) {
						t.Errorf("the session of %s is not shown %q", name, goal)
					}
				}
				s.arrives(t, remote, i+1)
			}
		})
	}
}
