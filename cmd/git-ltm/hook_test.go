package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/cgi"      //nolint:depguard // Git is the only transport, and here it needs a host to talk to.
	"net/http/httptest" //nolint:depguard // The same.
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestHook_http pushes over HTTP to a repository with the hook pre-receive, as
// to a host: the one side knows nothing of git ltm.
// SPEC.
func TestHook_http(t *testing.T) {
	t.Parallel()
	w := newCIWorld(t)
	w.git(t, w.remote, "config", "http.receivepack", "true")
	w.git(t, w.remote, "ltm", "hook", "install", "pre-receive")
	program, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&cgi.Handler{
		Path: program, Args: []string{"http-backend"},
		Env: append(w.env, "GIT_PROJECT_ROOT="+filepath.Dir(w.remote), "GIT_HTTP_EXPORT_ALL=1"),
	})
	t.Cleanup(server.Close)

	clone := newCIWorld(t)
	clone.git(t, clone.remote, "remote", "add", "host", server.URL+"/remote.git")
	clone.git(t, clone.remote, "update-ref", "-d", "refs/ltm/packets/01JDMB4W1YNJZQR7K8F3A2H5P0")
	clone.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P1", "Honest too")
	clone.git(t, clone.remote, "push", "-q", "host", "refs/ltm/*")

	secret := secrets()["slack"]
	clone.plant(t, "01JDMB4W1YNJZQR7K8F3A2H5P9", "Use "+secret)
	push := exec.CommandContext(t.Context(), "git", "-C", clone.remote, "push", "host", "refs/ltm/*")
	push.Env = clone.env
	out, err := push.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "remote:   error  slack") ||
		strings.Contains(string(out), secret) {
		t.Errorf("push of a secret = %v, want it refused by its rule:\n%s", err, out)
	}
	held := strings.Fields(w.git(t, w.remote, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/ltm"))
	if len(held) != 2 {
		t.Errorf("the host holds %v, want the two honest records", held)
	}
	if objects := w.git(t, w.remote, "cat-file", "--batch-all-objects", "--batch",
		"--unordered"); strings.Contains(objects, secret) {
		t.Error("the host kept an object with the secret")
	}
}

// TestEnv_inTime lets hooks loop, wait for ever and stop in the middle of an answer: whoever waits for them
// gets a whole answer or none. SPEC.
func TestEnv_inTime(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	var over atomic.Bool
	t.Cleanup(func() {
		close(never)
		over.Store(true)
	})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx  context.Context
		work func(*env) error
		want string
		late bool
	}{
		"an answer": {t.Context(), func(e *env) error {
			_, err := io.WriteString(e.stdout, "{}")
			return err
		}, "{}", false},
		"a wait": {ended, func(*env) error { <-never; return nil }, "", true},
		"a loop": {ended, func(*env) error {
			for !over.Load() { // It spins, as a loop that nobody can stop does.
				runtime.Gosched()
			}
			return nil
		}, "", true},
		"half an answer": {ended, func(e *env) error {
			_, _ = io.WriteString(e.stdout, "{")
			<-never
			return nil
		}, "", true},
		"an answer at last": {ended, func(e *env) error {
			_, err := io.WriteString(e.stdout, "{}")
			return err
		}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := runInTime(tt.ctx, (&env{stdout: &out, stderr: io.Discard}), tt.work)
			if out.String() != tt.want || errors.Is(err, errLate) != tt.late {
				t.Errorf("printed %q and returned %v, want %q and late %t", &out, err, tt.want, tt.late)
			}
		})
	}
}

// TestRun_hookLimit starts hooks where no git ever answers: each ends with 0 and without a word. SPEC,
//
func TestRun_hookLimit(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, event := range []agent.Event{agent.SessionStart, agent.Prompt, agent.Tool} {
		var out bytes.Buffer
		code := run(ended, &env{
			vars: []string{"PATH=" + t.TempDir()}, stdin: strings.NewReader("{}"), stdout: &out,
			stderr: io.Discard,
			now:    time.Now, entropy: bytes.NewReader(nil), width: func(any) (int, bool) {
				return 80, false
			},
		}, []string{"hook", "claude-code", fmt.Sprint(event)})
		if code != codeDone || out.Len() > 0 {
			t.Errorf("%s: exit code %d and %q, want 0 and nothing", event, code, &out)
		}
	}
}
