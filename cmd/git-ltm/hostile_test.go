package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet/packettest"
)

// bench is a repository in which commands run inside of this process, with an
// environment that shows nothing of the user.
type bench struct {
	dir  string
	vars []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	home := t.TempDir()
	global := filepath.Join(home, "gitconfig")
	if err := os.WriteFile(global, []byte(gitConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &bench{dir: filepath.Join(home, "repo"), vars: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_GLOBAL=" + global, "GIT_CONFIG_NOSYSTEM=1",
		"LC_ALL=C",
		"TZ=UTC", "TMPDIR=" + home, "GIT_TERMINAL_PROMPT=0",
	}}
	b.git(t, home, "init", "-q", b.dir)
	return b
}

func (b *bench) git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, b.vars
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// run runs one command line and returns its exit code and its output.
func (b *bench) run(ctx context.Context, stdin []byte, args ...string) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	e := &env{
		dir: b.dir, vars: b.vars, stdin: bytes.NewReader(stdin), stdout: &out, stderr: &messages,
		now: time.Now, entropy: rand.Reader, width: func(any) (int, bool) { return 0, false },
	}
	code = run(ctx, e, args)
	return code, out.String(), messages.String()
}

// TestSave_hostile pipes every hostile text through the real command. What is
// refused leaves no ref; what is stored can be shown without harm.
func TestSave_hostile(t *testing.T) { //nolint:tparallel // The cases share one repository.
	t.Parallel()
	b := newBench(t)
	refs := ""
	for _, c := range packettest.Hostile() { //nolint:paralleltest // See above.
		t.Run(c.Name, func(t *testing.T) {
			if c.Refused || bytes.Contains(c.JSON, []byte(`"type":"event"`)) { // Save stores packets alone.
				b.refused(t, c.JSON, refs)
				return
			}
			// Most cases share an id.
			code, stdout, stderr := b.run(t.Context(), c.JSON, "save", "--root", "--new-id", "-")
			harmlessOutput(t, "save", stdout, stderr)
			if code != codeDone {
				t.Fatalf("save of %q ended with %d, want 0:\n%s", c.JSON, code, stderr)
			}
			b.read(t, strings.TrimSpace(stdout))
			refs = b.git(t, b.dir, "for-each-ref")
		})
	}
}

// refused saves what has to be refused, and looks for what it left.
func (b *bench) refused(t *testing.T, data []byte, before string) {
	t.Helper()
	code, stdout, stderr := b.run(t.Context(), data, "save", "--root", "-")
	harmlessOutput(t, "save", stdout, stderr)
	if want := []int{codeInvalid, codeUsage}; !slices.Contains(want, code) {
		t.Errorf("save of %q ended with %d, want one of %d:\n%s", data, code, want, stderr)
	}
	if stdout != "" {
		t.Errorf("a refused save printed %q", stdout)
	}
	if n := strings.Count("\n"+stderr, "\ngit-ltm: error: "); n != 1 {
		t.Errorf("a refused save says %d errors, want 1:\n%s", n, stderr)
	}
	if after := b.git(t, b.dir, "for-each-ref"); after != before {
		t.Errorf("a refused save left refs:\n%s", after)
	}
}

// read shows a packet in every way and checks what is printed.
func (b *bench) read(t *testing.T, id string) {
	t.Helper()
	for _, args := range [][]string{
		{"resume", id},
		{"resume", id, "--format", "dsl"},
		{"resume", id, "--format", "json"},
		{"show", id},
		{"show", id, "--events"},
		{"ls", "--all", "--limit", "1"},
		{"ls", "--all", "--limit", "1", "--json"},
		{
			"ls", "--all", "--limit", "1", "--format",
			"%(id) %(goal) %(next) %(author) %(tags) %(branch) %(parent)",
		},
		{"log", "--limit", "1"},
		{"log", "--limit", "1", "--json"},
		{"log", "--limit", "1", "--graph"},
	} {
		name := strings.Join(args, " ")
		code, stdout, stderr := b.run(t.Context(), nil, args...)
		if code != codeDone {
			t.Errorf("%s ended with %d, want 0:\n%s", name, code, stderr)
		}
		harmlessOutput(t, name, stdout, stderr)
		if !strings.Contains(stdout, id) {
			t.Errorf("%s does not name the packet:\n%s", name, stdout)
		}
		if args[0] == "resume" && len(args) == 2 {
			if err := checkFence(stdout); err != nil {
				t.Errorf("%s: %v\n%s", name, err, stdout)
			}
		}
	}
}

func harmlessOutput(t *testing.T, name, stdout, stderr string) {
	t.Helper()
	for _, text := range []string{stdout, stderr} {
		if err := checkHarmless(text); err != nil {
			t.Errorf("%s prints %v:\n%q", name, err, text)
		}
	}
}
