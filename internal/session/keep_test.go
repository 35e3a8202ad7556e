package session_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"          //nolint:depguard // A server of a test is no transport of ours.
	"net/http/httptest" //nolint:depguard // See above.
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// token is a made-up secret, put together here so that no file of this project holds one.
func token() string { return strings.Join([]string{"gh", "p_", strings.Repeat("a1B2c3", 6)}, "") }

// ended is when the sessions of these tests were last at work.
func ended() time.Time { return time.Date(2026, 11, 1, 10, 5, 0, 0, time.UTC) }

// openMemory opens the memory of a repository at some time.
func openMemory(t *testing.T, r *gittest.Repository, env []string, now time.Time) *memory.Memory {
	t.Helper()
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: env, Now: func() time.Time { return now }, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// record is a line of a transcript of Claude Code.
func record(t *testing.T, at time.Time, role string, content any) string {
	t.Helper()
	line, err := json.Marshal(map[string]any{
		"type": role, "sessionId": "s-1", "cwd": "/home/ada/repo", "gitBranch": "main",
		"uuid": strconv.FormatInt(at.UnixNano(), 10), "timestamp": at.Format(time.RFC3339),
		"message": map[string]any{"role": role, "model": "m", "content": content},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(line) + "\n"
}

// failed is a command that failed, in two lines of a transcript.
func failed(t *testing.T, at time.Time, command, output string) string {
	t.Helper()
	id := command + at.String()
	return record(t, at, "assistant",
		[]any{map[string]any{
			"type": "tool_use", "id": id, "name": "Bash",
			"input": map[string]any{"command": command},
		}}) +
		record(t, at, "user",
			[]any{map[string]any{
				"type": "tool_result", "tool_use_id": id, "is_error": true,
				"content": "Exit code 2\n" + output,
			}})
}

// keep keeps the draft of a transcript and returns it, and the bytes that are stored.
func keep(t *testing.T, r *gittest.Repository, m *memory.Memory,
	req session.KeepRequest,
) (draft.Draft, string) {
	t.Helper()
	id, err := session.Keep(t.Context(), m, req)
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Drafts().Find(t.Context(), string(id))
	if err != nil {
		t.Fatal(err)
	}
	return d, r.Git("cat-file", "blob", "refs/ltm-local/drafts/"+string(id))
}

func TestKeep_file(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	commit := r.Commit("start")
	file := filepath.Join(t.TempDir(), "s-1.jsonl")
	text := record(t, ended().Add(-time.Minute), "user", "Make the lexer count columns") +
		failed(t, ended().Add(-time.Second), "./render "+r.Dir+"/lex",
			r.Dir+"/lex/a.go:7: undefined: width") +
		failed(t, ended(), "./render "+r.Dir+"/lex", r.Dir+"/lex/a.go:7: undefined: width") +
		`{"type":"user","sessionId":"s-1","cut`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := openMemory(t, r, r.Env, ended().Add(time.Second))
	req := session.KeepRequest{
		Host: transcript.ClaudeCode, Session: "other", Transcript: file,
		Now: ended().Add(time.Second), Failures: twice("npm i x@9", "error: no match"),
	}
	d, _ := keep(t, r, m, req)
	p := d.Record.Packet()
	if p.Goal != "Make the lexer count columns" || len(p.Attempts) != 2 ||
		p.Attempts[0].Tried != "./render lex" ||
		p.Attempts[0].Learned != "exit 2: lex/a.go:7: undefined: width" || p.Attempts[1].Tried != "npm i x@9" {
		t.Errorf("the draft is %s", d.Packet)
	}
	if p.Anchor.Commit != commit || d.Session != "s-1" || d.Host != "claude-code" {
		t.Errorf("anchor %v, session %q of %q; want the commit of now, as the session ended now", p.Anchor,
			d.Session, d.Host)
	}

	req.Now, req.Failures = ended().Add(48*time.Hour), nil
	d, _ = keep(t, r, openMemory(t, r, r.Env, req.Now), req)
	if p := d.Record.Packet(); p.Anchor.Commit != "" || len(p.Attempts) != 1 {
		t.Errorf("two days later the draft is %s, want no commit: nobody knows at which the session ended",
			d.Packet)
	}
}

func TestKeep_withoutTranscript(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := openMemory(t, r, r.Env, ended())
	d, _ := keep(t, r, m, session.KeepRequest{
		Host: transcript.Codex, Session: "x", Now: ended(), Failures: twice("make arm64", "error: no rule"),
		Summary: "Next step: write the rule",
	})
	if p := d.Record.Packet(); p.NextStep != "write the rule" || len(p.Attempts) != 1 || d.Session != "x" {
		t.Errorf("the draft is %s of session %q", d.Packet, d.Session)
	}
	if _, err := session.Keep(t.Context(), m,
		session.KeepRequest{Host: transcript.Codex, Session: "y", Now: ended()}); !errors.Is(err,
		session.ErrNothing) {
		t.Errorf("Keep of nothing = %v, want ErrNothing", err)
	}
}

func TestKeep_talk(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := openMemory(t, r, r.Env, ended())
	req := session.KeepRequest{Source: strings.NewReader(
		record(t, ended(), "user", "What does the flag -x of make do?")), Now: ended()}
	if _, err := session.Keep(t.Context(), m, req); !errors.Is(err, session.ErrNothing) {
		t.Errorf("Keep of talk = %v, want ErrNothing", err)
	}
	req.Source, req.Talk = strings.NewReader(record(t, ended(), "user", "What does the flag -x of make do?")),
		true
	if _, err := session.Keep(t.Context(), m, req); err != nil {
		t.Errorf("Keep of talk that is asked for = %v", err)
	}
}

// TestKeep_secrets plants a secret wherever a transcript can hold one, also where texts are cut, and looks
// for parts of it.
func TestKeep_secrets(t *testing.T) {
	t.Parallel()
	secret := token()
	pad := func(n int) string { return strings.Repeat("word ", n/5+1)[:n] }
	plants := map[string]string{
		"in a prompt":     record(t, ended(), "user", "Use "+secret+" and nothing else"),
		"in a constraint": record(t, ended(), "user", "Build it. Never print "+secret+" again."),
		"in a command": record(t, ended(), "user", "Build it for arm") +
			failed(t, ended(), "curl -u x:"+secret+" https://example.com", "error: 403"),
		"in an output": record(t, ended(), "user", "Build it for arm") +
			failed(t, ended(), "make", "error: bad token "+secret),
		"in the last words": record(t, ended(), "user", "Build it for arm") +
			record(t, ended(), "assistant",
				[]any{map[string]any{"type": "text", "text": "Next step: export T=" + secret}}),
		"broken over lines": record(t, ended(), "user", "Build it for arm") +
			failed(t, ended(), "make", "error: token="+secret[:20]+"\\\n"+secret[20:]),
		"in a rejected call": record(t, ended(), "user", "Build it for arm") +
			record(t, ended(), "assistant",
				[]any{map[string]any{
					"type": "tool_use", "id": "t", "name": "Bash",
					"input": map[string]any{"command": "echo " + secret},
				}}) +
			record(t, ended(), "user",
				[]any{map[string]any{
					"type": "tool_result", "tool_use_id": "t", "is_error": true,
					"content": "The user doesn't want to proceed with this tool use. The tool use was " +
						"rejected (eg. if it was a file edit, the new_string was NOT written to the " +
						"file). To tell you how to proceed, the user said:\nnot " + secret,
				}}),
		"in a path": record(t, ended(), "user", "Build it for arm") +
			record(t, ended(), "assistant",
				[]any{map[string]any{
					"type": "tool_use", "id": "t", "name": "Write",
					"input": map[string]any{
						"file_path": "/home/ada/repo/" + secret + ".txt",
						"content":   "x",
					},
				}}) +
			record(t, ended(), "user",
				[]any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": "ok"}}),
	}
	for _, before := range []int{350, 380, 395, 2010, 2030, 2040, 4070, 16360} {
		plants[fmt.Sprintf("in a prompt, after %d characters", before)] = record(t, ended(), "user",
			pad(before)+" "+secret+" "+pad(500))
		plants[fmt.Sprintf("in an output, %d characters before its end", before)] = record(t, ended(), "user",
			"Build it for arm") + failed(t, ended(), "make", pad(3000)+" error "+secret+" "+pad(before))
		plants[fmt.Sprintf("in a command, after %d characters", before)] = record(t, ended(), "user",
			"Build it for arm") + failed(t, ended(), "make "+pad(before)+" T="+secret, "error: no")
	}
	for name, text := range plants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			m := openMemory(t, r, r.Env, ended())
			var told []byte
			_, stored := keep(t, r, m, session.KeepRequest{
				Host: transcript.ClaudeCode, Source: strings.NewReader(text), Now: ended(), Talk: true,
				Refine: func(_ context.Context, d distill.Draft) (distill.Draft, error) {
					told = d.Facts
					return d, nil
				},
			})
			for _, part := range []string{secret[4:24], secret[len(secret)-16:], secret[:16]} {
				if strings.Contains(stored, part) {
					t.Errorf("the draft holds a part of the secret:\n%s", stored)
				}
				if strings.Contains(string(told), part) {
					t.Errorf("a model is told a part of the secret:\n%s", told)
				}
			}
		})
	}
}

func TestRefiner(t *testing.T) {
	t.Parallel()
	const answer = `{"goal":"Refined","next_step":"","attempts":[],"decisions":[],"constraints":[],"open_questions":[]}`
	var seen struct{ auth, body string }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body := make([]byte, req.ContentLength)
		_, _ = req.Body.Read(body)
		seen.auth, seen.body = req.Header.Get("Authorization"), string(body)
		text, _ := json.Marshal(answer)
		_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"content":%s}}]}`, text)
	}))
	t.Cleanup(server.Close)
	r := gittest.Repo(t, gittest.Plain)
	r.Git("config", "--global", "ltm.distillCommand", server.URL)
	r.Git("config", "--global", "ltm.distillModel", "small")
	r.Git("config", "--global", "ltm.distillKeyEnv", "MY_KEY")
	env := append(slices.Clip(r.Env), "MY_KEY=k")
	m := openMemory(t, r, env, ended())
	refine, err := session.Refiner(t.Context(), m, env)
	if err != nil || refine == nil {
		t.Fatalf("Refiner = %v", err)
	}
	d, _ := keep(t, r, m, session.KeepRequest{
		Host: transcript.ClaudeCode, Now: ended(), Talk: true, Refine: refine,
		Source: strings.NewReader(record(t, ended(), "user", "Use "+token()+" to build it")),
	})
	if got := d.Record.Packet().Goal; got != "Refined" {
		t.Errorf("goal = %q, want what the model says", got)
	}
	if seen.auth != "Bearer k" || strings.Contains(seen.body, token()[4:20]) ||
		!strings.Contains(seen.body, `"model":"small"`) {
		t.Errorf("the endpoint saw %q and %s", seen.auth, seen.body)
	}
}

func TestRefiner_settings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config  [][]string
		refuses string
		asks    bool
	}{
		"none":          {nil, "", false},
		"of the person": {[][]string{{"--global", "ltm.distillCommand", "true"}}, "", true},
		"of the repository": {
			[][]string{{"--local", "ltm.distillCommand", "true"}},
			"your own configuration alone", false,
		},
		"both": {[][]string{
			{"--global", "ltm.distillCommand", "true"},
			{"--local", "ltm.distillCommand", "false"},
		}, "your own configuration alone", false},
		"turned off by the repository": {[][]string{
			{"--global", "ltm.distillCommand", "true"},
			{"--local", "ltm.distillCommand", ""},
		}, "", false},
		"allowed by the repository": {
			[][]string{{
				"--global", "ltm.distillCommand",
				"https://api.example.com",
			}, {"--local", "ltm.distillRemote", "true"}},
			"ltm.distillRemote: it counts in your own", false,
		},
		"elsewhere": {[][]string{{
			"--global", "ltm.distillCommand",
			"https://api.example.com",
		}}, "not on this machine", false},
		"elsewhere, allowed": {[][]string{{
			"--global", "ltm.distillCommand",
			"https://api.example.com",
		}, {"--global", "ltm.distillRemote", "true"}}, "", true},
		"a key that is not there": {[][]string{
			{"--global", "ltm.distillCommand", "http://127.0.0.1:1"},
			{"--global", "ltm.distillKeyEnv", "NO_SUCH_VARIABLE"},
		}, "is not set", false},
		"no time": {[][]string{
			{"--global", "ltm.distillCommand", "true"},
			{"--global", "ltm.distillTimeout", "0"},
		}, "a number of seconds", false},
		"an hour": {[][]string{
			{"--global", "ltm.distillCommand", "true"},
			{"--global", "ltm.distillTimeout", "3600"},
		}, "a number of seconds", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			for _, args := range c.config {
				r.Git(append([]string{"config"}, args...)...)
			}
			refine, err := session.Refiner(t.Context(), openMemory(t, r, r.Env, ended()), r.Env)
			if (err != nil) != (c.refuses != "") || err != nil && !strings.Contains(err.Error(), c.refuses) ||
				(refine != nil) != c.asks {
				t.Errorf("Refiner asks: %v, and says %v; want %v, %q", refine != nil, err, c.asks, c.refuses)
			}
		})
	}
}

// twice is a command that hooks saw fail two times.
func twice(command, why string) []transcript.Command {
	failed := transcript.Command{Text: command, Failed: true, Output: why}
	return []transcript.Command{failed, failed}
}
