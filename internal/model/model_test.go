package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"          //nolint:depguard // A server of a test is no transport of ours.
	"net/http/httptest" //nolint:depguard // See above.
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/model"
)

// question is what the tests ask.
func question() model.Question {
	return model.Question{
		Task: "Say what is in the facts.", Facts: []byte(`{"fact":1}`),
		Schema: []byte(`{"type":"object"}`),
	}
}

// settings are those of a command or an address, with an environment in which programs are found.
func settings(command string) model.Settings {
	return model.Settings{
		Command: command, Timeout: time.Minute,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"},
	}
}

func ask(t *testing.T, s model.Settings) (string, error) {
	t.Helper()
	asker, err := model.Open(s)
	if err != nil {
		return "", err
	}
	answer, err := asker.Ask(t.Context(), question())
	return string(answer), err
}

func TestCommand_answers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, want string }{
		"an object":  {`echo '{"a":1}'`, `{"a":1}`},
		"in a fence": {"printf '```json\\n{\"a\":1}\\n```\\n'", `{"a":1}`},
		"of Claude Code": {
			`echo '{"type":"result","result":"see below","structured_output":{"a":1}}'`,
			`{"a":1}`,
		},
		"as text of a client": {`echo '{"type":"result","result":"{\"a\":1}"}'`, `{"a":1}`},
		"of Gemini CLI": {
			"echo '{\"response\":\"```json\\\\n{\\\"a\\\":1}\\\\n```\",\"stats\":{}}'",
			`{"a":1}`,
		},
		"standard input":        {`tail -n 1`, `{"fact":1}`},
		"a program by itself":   {"TOUCHED", ""},
		"messages beside it":    {`echo noise >&2; echo '{"a":1}'`, `{"a":1}`},
		"the schema is at hand": {`printf '%s' "$GIT_LTM_SCHEMA"`, `{"type":"object"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line, want := c.line, c.want
			if line == "TOUCHED" {
				line, want = script(t, "#!/bin/sh\necho '{\"args\":'$#'}'\n"), `{"args":0}`
			}
			got, err := ask(t, settings(line))
			if err != nil || got != want {
				t.Errorf("Ask = %q, %v, want %q", got, err, want)
			}
		})
	}
}

// script writes a program and returns its name.
func script(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCommand_surroundings shows what a command finds around it: nothing of the repository, nothing of the
// session, and a mark.
func TestCommand_surroundings(t *testing.T) {
	t.Parallel()
	s := settings(`ls -A | wc -l >&2; env | cut -d= -f1 | sort | tr '\n' ' ' | sed 's/^/{"env":"/; s/ *$/"}/'`)
	s.Env = append(s.Env, "GIT_DIR=/x", "GIT_INDEX_FILE=y", "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=1",
		"GEMINI_SESSION_ID=1", "CODEX_MANAGED_X=1", "ANTHROPIC_API_KEY=k", "CODEX_HOME=/c")
	got, err := ask(t, s)
	if err != nil {
		t.Fatal(err)
	}
	var seen struct{ Env string }
	if err := json.Unmarshal([]byte(got), &seen); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"ANTHROPIC_API_KEY", "CODEX_HOME", "GIT_LTM_DISABLE", "GIT_LTM_MODEL",
		"GIT_LTM_SCHEMA", "HOME",
	} {
		if !strings.Contains(" "+seen.Env+" ", " "+name+" ") {
			t.Errorf("%s is missing among %s", name, seen.Env)
		}
	}
	for _, name := range []string{
		"GIT_DIR", "GIT_INDEX_FILE", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID",
		"GEMINI_SESSION_ID", "CODEX_MANAGED_X",
	} {
		if strings.Contains(" "+seen.Env+" ", " "+name+" ") {
			t.Errorf("%s reaches the command", name)
		}
	}
}

func TestCommand_emptyDirectory(t *testing.T) {
	t.Parallel()
	got, err := ask(t, settings(`echo "{\"files\":$(ls -A | wc -l),\"dir\":\"$(pwd)\"}"`))
	if err != nil {
		t.Fatal(err)
	}
	var seen struct {
		Files int
		Dir   string
	}
	if err := json.Unmarshal([]byte(got), &seen); err != nil || seen.Files != 0 {
		t.Errorf("the command sees %d files in %q, want none (%v)", seen.Files, seen.Dir, err)
	}
	if _, err := os.Stat(seen.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory %q is left behind", seen.Dir)
	}
}

func TestCommand_fails(t *testing.T) {
	t.Parallel()
	slow := settings("sleep 600 & sleep 600")
	slow.Timeout = 200 * time.Millisecond
	nested := settings(`echo '{}'`)
	nested.Env = append(nested.Env, "GIT_LTM_MODEL=1")
	for name, c := range map[string]struct {
		s    model.Settings
		want error
		says string
	}{
		"an exit code": {
			settings("echo 'please log in' >&2; exit 3"), nil,
			"exit code 3: please log in",
		},
		"no such program": {
			settings("git-ltm-has-no-such-program"), nil,
			`find the program "git-ltm-has-no-such-program"`,
		},
		"no answer":         {settings("true"), model.ErrNoObject, ""},
		"a list":            {settings("echo '[1]'"), model.ErrNoObject, ""},
		"words around it":   {settings(`echo 'Here you are: {"a":1}'`), model.ErrNoObject, ""},
		"two objects":       {settings(`echo '{"a":1}{"b":2}'`), model.ErrNoObject, ""},
		"an empty result":   {settings(`echo '{"result":""}'`), model.ErrNoObject, ""},
		"endless":           {settings("yes"), model.ErrTooLong, ""},
		"no answer in time": {slow, model.ErrTimeout, ""},
		"asked by a model":  {nested, model.ErrNested, ""},
		"nothing is named":  {settings(" "), nil, "no model is named"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, c.s)
			if err == nil || c.want != nil && !errors.Is(err, c.want) ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("Ask = %q, %v, want %v %q", got, err, c.want, c.says)
			}
		})
	}
}

func TestCommand_cancelled(t *testing.T) {
	t.Parallel()
	asker, err := model.Open(settings("sleep 600"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := asker.Ask(ctx, question()); !errors.Is(err, context.Canceled) {
		t.Errorf("Ask = %v, want that it was cancelled", err)
	}
}

// serve answers every request with one function and returns the address.
func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

// says answers with the content of a chat.
func says(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		text, _ := json.Marshal(content)
		_, _ = fmt.Fprintf(w,
			`{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":%s}}]}`, text)
	}
}

func TestEndpoint_asks(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"": "/v1/chat/completions", "/v1": "/v1/chat/completions",
		"/v1/": "/v1/chat/completions", "/api/v2/chat/completions": "/api/v2/chat/completions",
	} {
		t.Run("at "+name, func(t *testing.T) {
			t.Parallel()
			var seen struct {
				path, auth string
				body       map[string]any
			}
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				seen.path, seen.auth = r.URL.Path, r.Header.Get("Authorization")
				body, _ := io.ReadAll(r.Body)
				_ = json.Unmarshal(body, &seen.body)
				says("```json\n{\"a\":1}\n```")(w, r)
			})
			s := settings(url + name)
			s.Model, s.Key = "small", "k"
			got, err := ask(t, s)
			if err != nil || got != `{"a":1}` {
				t.Fatalf("Ask = %q, %v", got, err)
			}
			if seen.path != path || seen.auth != "Bearer k" || seen.body["model"] != "small" ||
				seen.body["stream"] != false {
				t.Errorf("the server saw %q, %q, %v", seen.path, seen.auth, seen.body)
			}
			want := []any{
				map[string]any{"role": "system", "content": "Say what is in the facts."},
				map[string]any{"role": "user", "content": `{"fact":1}`},
			}
			if diff := cmp.Diff(want, seen.body["messages"]); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			format, _ := json.Marshal(seen.body["response_format"])
			if want := `{"json_schema":{"name":"packet","schema":{"type":"object"},"strict":true},"type":"json_schema"}`; string(format) != want {
				t.Errorf("response_format = %s, want %s", format, want)
			}
		})
	}
}

func TestEndpoint_fails(t *testing.T) {
	t.Parallel()
	const key = "the-key-that-nobody-may-see"
	elsewhere := serve(t, says(`{"a":1}`))
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   error
		says   string
	}{
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}, nil, "sends it elsewhere"},
		"a refusal": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "bad key "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		}, nil, "401 Unauthorized"},
		"no choice": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices":[]}`)
		}, model.ErrNoObject, ""},
		"no JSON": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `<html>`)
		}, model.ErrNoObject, ""},
		"prose": {says("I cannot do that."), model.ErrNoObject, ""},
		"far too much": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(" ", 300<<10))
		}, model.ErrTooLong, ""},
		"a cut connection": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99")
			_, _ = io.WriteString(w, "{")
		}, nil, "ask the endpoint: "},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, model.ErrTimeout, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := settings(serve(t, c.answer))
			s.Key = key
			if errors.Is(c.want, model.ErrTimeout) {
				s.Timeout = 100 * time.Millisecond
			}
			got, err := ask(t, s)
			if err == nil || c.want != nil && !errors.Is(err, c.want) ||
				!strings.Contains(err.Error(), c.says) {
				t.Fatalf("Ask = %q, %v, want %v %q", got, err, c.want, c.says)
			}
			if strings.Contains(err.Error(), key) {
				t.Errorf("the error tells the key: %v", err)
			}
		})
	}
}

// TestEndpoint_place shows where questions go: nowhere else than to this machine, unless the person said so.
// SPEC.
func TestEndpoint_place(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address string
		remote  bool
		key     string
		want    error
		refused bool
	}{
		"this machine":              {"http://127.0.0.1:11434/v1", false, "", nil, false},
		"this machine by name":      {"http://localhost:11434", false, "k", nil, false},
		"this machine, IPv6":        {"http://[::1]:11434", false, "k", nil, false},
		"another machine":           {"https://api.example.com/v1", false, "k", model.ErrRemote, true},
		"another machine by number": {"http://192.0.2.7:11434", false, "", model.ErrRemote, true},
		"a name that begins so":     {"http://localhost.example.com", false, "", model.ErrRemote, true},
		"a number in disguise":      {"http://127.0.0.1.example.com", false, "", model.ErrRemote, true},
		"every address":             {"http://0.0.0.0:11434", false, "", model.ErrRemote, true},
		"another machine, allowed":  {"https://api.example.com/v1", true, "k", nil, false},
		"a key in the clear":        {"http://api.example.com/v1", true, "k", nil, true},
		"a name and a password":     {"http://ada:x@127.0.0.1/v1", false, "", nil, true},
		"a key in the address":      {"http://127.0.0.1/v1?key=x", false, "", nil, true},
		"no host":                   {"http:///v1", false, "", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := settings(c.address)
			s.Remote, s.Key = c.remote, c.key
			_, err := model.Open(s)
			if (err != nil) != c.refused || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("Open(%q) = %v, refused shall be %v", c.address, err, c.refused)
			}
		})
	}
}
