package upstream

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// SPEC.
func TestOutward(t *testing.T) {
	t.Parallel()
	repo, config := configured(t, [][2]string{
		{"core.sshCommand", "x"},
		{"core.fsmonitor", "true"},
		{"core.gitProxy", "x"},
		{"core.editor", "x"},
		{"credential.helper", "store"},
		{"credential.https://a.example.username", "ada"},
		{"credential.https://a.example.helper", "x"},
		{"http.proxy", "x"},
		{"http.https://a.example.sslVerify", "false"},
		{"http.postBuffer", "1"},
		{"http.later", "x"},
		{"http.https://a.example.extraHeader", "x: y"},
		{"url.https://b.example/.insteadOf", "a:"},
		{"protocol.ext.allow", "always"},
		{"protocol.version", "2"},
		{"fetch.bundleURI", "x"},
		{"fetch.prune", "true"},
		{"user.name", "Ada"},
		{"remote.a.url", "https://a.example/x"},
		{"remote.b.url", "git@b.example:x.git"},
		{"remote.c.url", "../c"},
		{"remote.d.url", "ext::x"},
		{"remote.e.url", "codecommit://x"},
		{"remote.f.url", "ssh://f.example/x"},
		{"remote.f.vcs", "x"},
		{"remote.g.url", "[::1]:x"},
		{"remote.g.pushurl", "x::y"},
		{"remote.g.uploadpack", "x"},
		{"remote.g.fetch", "+a:b"},
	})
	var got []string
	for _, line := range Outward(config) {
		got = append(got, line.Key)
	}
	want := []string{
		"core.sshcommand", "core.gitproxy", "credential.helper", "credential.https://a.example.helper",
		"http.proxy",
		"http.later", "http.https://a.example.sslverify", "url.https://b.example/.insteadof",
		"protocol.ext.allow", "fetch.bundleuri",
		"remote.d.url", "remote.e.url", "remote.f.vcs", "remote.g.pushurl", "remote.g.uploadpack",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings that lead out (-want +got):\n%s", diff)
	}
	if missing := Missing(repo, config); len(missing) != len(want) {
		t.Errorf("%d settings are to be accepted, want %d", len(missing), len(want))
	}
}

// What was accepted is bound to every value and to their order.
func TestAccept(t *testing.T) {
	t.Parallel()
	repo, config := configured(t, [][2]string{{"core.sshCommand", "one"}, {"credential.helper", "store"}})
	if err := Accept(repo, Outward(config)); err != nil {
		t.Fatal(err)
	}
	if missing := Missing(repo, config); missing != nil {
		t.Errorf("accepted, and %v are missing", missing)
	}
	if err := repo.Settings().Set(t.Context(), git.Local, "core.sshCommand", "two"); err != nil {
		t.Fatal(err)
	}
	changed, err := repo.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if missing := Missing(repo, changed); len(missing) != 2 {
		t.Errorf("one of two values changed, and %v are to be accepted, want both", missing)
	}
	if err := Accept(repo, nil); err != nil {
		t.Fatal(err)
	}
	if missing := Missing(repo, config); len(missing) != 2 {
		t.Errorf("taken back, and %v are to be accepted, want both", missing)
	}
	name := filepath.Join(repo.UserFolder(), agreedFile)
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v (%v), want 0600", info.Mode(), err)
	}
	if rest, err := filepath.Glob(filepath.Join(filepath.Dir(name), ".*")); err != nil || len(rest) > 0 {
		t.Errorf("%v lie beside it (%v), want nothing", rest, err)
	}
}

func configured(t *testing.T, lines [][2]string) (*git.Repo, git.Config) {
	t.Helper()
	at := gittest.Repo(t, gittest.Plain)
	repo, err := git.Open(t.Context(), at.Dir, at.Env)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if err := repo.Settings().Add(t.Context(), line[0], line[1]); err != nil {
			t.Fatal(err)
		}
	}
	config, err := repo.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return repo, config
}
