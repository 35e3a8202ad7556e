package clients_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is how long a client may take. None was seen to take a quarter of it.
const patience = 4 * time.Minute

// desk is the home and the project of somebody who has one client, git and the program.
type desk struct {
	home, project string
	path          string // where its programs are
	env           []string
}

// newDesk makes a desk with the clients of a folder. The project has one commit.
func newDesk(t *testing.T, clients string) *desk {
	t.Helper()
	root, err := os.MkdirTemp("",
		"git-ltm-desk-") //nolint:usetesting // What outlives a client may write in it until remove has waited.
	if err != nil {
		t.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { remove(t, root) })
	d := &desk{home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
	d.path = strings.Join([]string{programs, clients, "/usr/local/bin", "/usr/bin", "/bin"}, ":")
	d.env = []string{
		"HOME=" + d.home, "PATH=" + d.path,
		"TMPDIR=" + root, "LANG=C.UTF-8", "TERM=dumb", "GIT_CONFIG_NOSYSTEM=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
		"OPENCODE_DISABLE_AUTOUPDATE=1",
		// OpenCode asks npm for its own package, and would ask for more than a minute.
		"npm_config_fetch_retries=0",
	}
	for _, name := range []string{
		"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy",
		"NO_PROXY",
	} {
		if value := os.Getenv(name); value != "" {
			d.env = append(d.env, name+"="+value)
		}
	}
	d.write(t, filepath.Join(d.home, ".gitconfig"),
		"[user]\n\tname = Ada Tester\n\temail = ada@example.com\n")
	d.write(t, filepath.Join(d.project, "sum.txt"), "41\n")
	d.must(t, nil, "git", "init", "-q", "-b", "main")
	d.must(t, nil, "git", "add", "sum.txt")
	d.must(t, nil, "git", "commit", "-q", "-m", "A sum")
	return d
}

// remove takes a desk away. Processes that outlive their client may write a last file meanwhile.
func remove(t *testing.T, root string) {
	t.Helper()
	err := os.RemoveAll(root)
	for range 20 {
		if err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
		err = os.RemoveAll(root)
	}
	t.Error(err)
}

func (d *desk) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (d *desk) read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// printed is what a process printed.
type printed struct {
	out, err string
	code     int
}

// run runs a program in the project, in the environment of the desk and some more of it.
func (d *desk) run(t *testing.T, more []string, program string, args ...string) printed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := d.command(ctx, more, program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0) {
		t.Fatalf("%s %q: %v\n%s%s", program, args, err, &stdout, &stderr)
	}
	return printed{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// command is a process that is yet to be started. What it leaves behind does not keep its end from being
// seen.
func (d *desk) command(ctx context.Context, more []string, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "env",
		append([]string{"-i"},
			append(append(append([]string{}, d.env...), more...),
				append([]string{program}, args...)...)...)...)
	cmd.Dir = d.project
	cmd.WaitDelay = time.Second
	return cmd
}

// must runs a program that succeeds, and returns what it prints.
func (d *desk) must(t *testing.T, more []string, program string, args ...string) string {
	t.Helper()
	p := d.run(t, more, program, args...)
	if p.code != 0 {
		t.Fatalf("%s %q: exit %d\n%s%s", program, args, p.code, p.out, p.err)
	}
	return p.out
}

// until asks until an answer is there, and returns it; a process of its own may be on its way to write it.
func (d *desk) until(t *testing.T, what string, ask func() string) string {
	t.Helper()
	return d.within(t, 30*time.Second, what, ask)
}

// within does so for another time.
func (d *desk) within(t *testing.T, limit time.Duration, what string, ask func() string) string {
	t.Helper()
	for range limit / (50 * time.Millisecond) {
		if answer := ask(); answer != "" {
			return answer
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("there is no %s after %v", what, limit)
	return ""
}
