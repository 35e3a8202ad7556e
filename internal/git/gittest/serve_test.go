package gittest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// clients has a clone that knows how to reach a server, and the repository there.
type clients struct {
	*gittest.Repository
	server *gittest.Server
	remote string
}

// served makes a bare repository, a server for it, and a clone with some megabytes that the server does not
// have.
func served(t *testing.T, service gittest.Service) clients {
	t.Helper()
	folder := t.TempDir()
	c := clients{Repository: gittest.Repo(t, gittest.Plain), remote: filepath.Join(folder, "remote.git")}
	c.Git("init", "-q", "--bare", c.remote)
	c.server = gittest.Served(t, service, folder, c.Env)
	c.Git("remote", "add", "origin", c.server.URL+"/remote.git")
	c.Env = append(c.Env, "GIT_SSH_COMMAND=ssh -F "+c.server.SSHConfig)
	c.helper(t, gittest.Password())
	var paths, script strings.Builder
	folder = t.TempDir()
	for i := range 200 {
		path := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(path, noise(i), 0o600); err != nil {
			t.Fatal(err)
		}
		paths.WriteString(path + "\n")
	}
	for i, oid := range strings.Fields(
		c.Feed(paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths")) {
		fmt.Fprintf(&script, "create refs/ltm/packets/%03d %s\n", i, oid)
	}
	c.Feed(script.String(), "update-ref", "--stdin")
	return c
}

// noise is text that does not get smaller.
func noise(seed int) []byte {
	data := make([]byte, 4096)
	state := uint64(seed)*2 + 1
	for i := range data {
		state = state*6364136223846793005 + 1442695040888963407
		data[i] = byte(state >> 56)
	}
	return data
}

// helper lets git know a password.
func (c clients) helper(t *testing.T, password string) {
	t.Helper()
	c.Git("config", "--replace-all", "credential.helper",
		"!f() { [ \"$1\" != get ] || printf 'username="+gittest.User+"\\npassword="+password+"\\n'; }; f")
}

// held returns how many records a repository holds, and checks it.
func (c clients) held(t *testing.T, dir string) int {
	t.Helper()
	if out, err := c.Try("--git-dir="+dir, "fsck", "--strict", "--no-dangling"); err != nil {
		t.Fatalf("fsck of %s: %v\n%s", dir, err, out)
	}
	return strings.Count(c.Git("--git-dir="+dir, "for-each-ref", "refs/ltm"), "refs/ltm/")
}

func services() []gittest.Service {
	return []gittest.Service{gittest.HTTP, gittest.HTTPPublic, gittest.SSH, gittest.Daemon}
}

func TestServe(t *testing.T) {
	t.Parallel()
	for _, service := range services() {
		t.Run(string(service), func(t *testing.T) {
			t.Parallel()
			c := served(t, service)
			c.Git("push", "-q", "origin", "refs/ltm/*")
			if got := c.held(t, c.remote); got != 200 {
				t.Errorf("%d records arrived, want 200", got)
			}
			c.Git("fetch", "-q", "origin", "refs/ltm/*:refs/fetched/*")
			if got := strings.Count(c.Git("for-each-ref", "refs/fetched"), "\n"); got != 199 {
				t.Errorf("%d records came back, want 200", got+1)
			}
		})
	}
}

// TestServe_closed shows that who may not come in does not.
func TestServe_closed(t *testing.T) {
	t.Parallel()
	c := served(t, gittest.HTTP)
	c.helper(t, "wrong")
	if out, err := c.Try("ls-remote", "origin"); err == nil {
		t.Errorf("a wrong password opened the server: %s", out)
	}
	c = served(t, gittest.HTTPPublic)
	c.helper(t, "wrong")
	if out, err := c.Try("ls-remote", "origin"); err != nil {
		t.Errorf("a public server asked for a password: %v\n%s", err, out)
	}
	if out, err := c.Try("push", "-q", "origin", "refs/ltm/*"); err == nil || c.held(t, c.remote) > 0 {
		t.Errorf("a wrong password wrote: %s", out)
	}
	c = served(t, gittest.SSH)
	c.Env = slices.Concat(c.Env,
		[]string{"GIT_SSH_COMMAND=ssh -F " + c.server.SSHConfig + " -o IdentityFile=" +
			filepath.Join(c.Dir, "none")})
	if err := os.Remove(filepath.Join(filepath.Dir(c.server.SSHConfig), "user")); err != nil {
		t.Fatal(err)
	}
	if out, err := c.Try("ls-remote", "origin"); err == nil {
		t.Errorf("no key opened the server: %s", out)
	}
}

// TestServer_Cut breaks the network at many places of a push and of a fetch. Each time the command fails,
// both repositories are whole, and once the network is back the same command succeeds.
func TestServer_Cut(t *testing.T) {
	t.Parallel()
	for _, service := range []gittest.Service{gittest.HTTP, gittest.SSH, gittest.Daemon} {
		t.Run(string(service), func(t *testing.T) {
			t.Parallel()
			c := served(t, service)
			push := func() error { _, err := c.Try("push", "-q", "origin", "refs/ltm/*"); return err }
			second := filepath.Join(t.TempDir(), "second.git")
			c.Git("init", "-q", "--bare", second)
			fetch := func() error {
				_, err := c.Try("--git-dir="+second, "-c",
					"credential.helper="+c.Git("config", "credential.helper"),
					"fetch", "-q", c.server.URL+"/remote.git", "refs/ltm/*:refs/ltm/*")
				return err
			}
			for _, after := range []int64{0, 100, 5000, 400_000} {
				c.cut(t, gittest.Up, after, push)
				if got := c.held(t, c.remote); got != 0 {
					t.Errorf("cut after %d bytes: the server holds %d records", after, got)
				}
			}
			if err := push(); err != nil || c.held(t, c.remote) != 200 {
				t.Fatalf("push after the cuts: %v", err)
			}
			for _, after := range []int64{0, 3000, 400_000} {
				c.cut(t, gittest.Down, after, fetch)
				if got := c.held(t, second); got != 0 {
					t.Errorf("cut after %d bytes: the clone holds %d records", after, got)
				}
			}
			if err := fetch(); err != nil || c.held(t, second) != 200 {
				t.Fatalf("fetch after the cuts: %v", err)
			}
		})
	}
}

// cut runs a command that meets a broken network.
func (c clients) cut(t *testing.T, direction gittest.Direction, after int64, command func() error) {
	t.Helper()
	c.server.Cut(direction, after)
	if err := command(); err == nil {
		t.Errorf("cut after %d bytes: the command succeeded", after)
	}
	if err := c.server.Mend(); err != nil {
		t.Errorf("cut after %d bytes: %v", after, err)
	}
}

// TestServer_Mend shows that a cut that did not happen is noticed.
func TestServer_Mend(t *testing.T) {
	t.Parallel()
	c := served(t, gittest.Daemon)
	c.server.Cut(gittest.Up, 1<<30)
	if _, err := c.Try("ls-remote", "origin"); err != nil {
		t.Fatal(err)
	}
	if err := c.server.Mend(); err == nil {
		t.Error("a network that held was mended")
	}
	if up, down := c.server.Passed(); up == 0 || down == 0 {
		t.Errorf("%d bytes up and %d bytes down, want some", up, down)
	}
}
