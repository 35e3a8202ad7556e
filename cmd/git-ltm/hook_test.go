package main

import (
	"net/http/cgi"      //nolint:depguard // Git is the only transport, and here it needs a host to talk to.
	"net/http/httptest" //nolint:depguard // The same.
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
