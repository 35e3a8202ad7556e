package main

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// A cage is a folder with a repository, in which one canary is carried through commands.
type cage struct {
	t      *testing.T
	canary canary
	turn   int    // which part of the ways it goes
	dir    string // a folder of its own
	repo   string
	vars   []string
	editor bool            // standard input is a terminal
	own    map[string]bool // files and objects that the test wrote, and the record that was stored by wish
}

func newCage(t *testing.T, c canary) *cage {
	t.Helper()
	dir := t.TempDir()
	g := &cage{t: t, canary: c, dir: dir, repo: filepath.Join(dir, "repo"), own: map[string]bool{}}
	g.write(filepath.Join(dir, "gitconfig"), gitConfig)
	g.vars = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"TZ=UTC", "TERM=dumb",
		"GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"), "GIT_TERMINAL_PROMPT=0",
		"GORACE=atexit_sleep_ms=0",
	}
	g.git("init", "-q", g.repo)
	return g
}

// git runs git in the repository and returns what it printed.
func (g *cage) git(args ...string) []byte {
	g.t.Helper()
	cmd := exec.CommandContext(g.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = g.dir, g.vars
	if _, err := os.Stat(g.repo); err == nil {
		cmd.Dir = g.repo
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %s of %s: %v", args[0], g.canary.name, err)
	}
	return out
}

// write makes a file that is the test's own.
func (g *cage) write(name, text string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		g.t.Fatalf("make the folder of a file: %v", strip(err))
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		g.t.Fatalf("write a file: %v", strip(err))
	}
	g.own[name] = true
}

// strip takes the name of the file out of an error.
func strip(err error) error {
	if path, ok := err.(*fs.PathError); ok { //nolint:errorlint // It is what the package os returns.
		return path.Err
	}
	return err
}

// plant makes a loose blob of a text, and returns its name.
func (g *cage) plant(text string) string { return g.plantAs("blob", text) }

func (g *cage) plantAs(kind, text string) string {
	g.t.Helper()
	object := fmt.Appendf(nil, "%s %d\x00%s", kind, len(text), text)
	sum := sha1.Sum(object)
	oid := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(object)
	_ = w.Close()
	g.write(filepath.Join(g.repo, ".git", "objects", oid[:2], oid[2:]), packed.String())
	g.own[oid] = true
	return oid
}

// seen fails the test where the canary stands in what a command wrote.
func (g *cage) seen(what, where string, text []byte) {
	g.t.Helper()
	if piece, ok := g.canary.seen(text); ok {
		g.t.Errorf("%s: %s of %q holds %d characters of the canary: %.300q", g.canary.name, where, what,
			len(piece), around(text, piece))
	}
}

// around returns the line in which a piece stands, for the person who mends it: all canaries are made up.
func around(text []byte, piece string) string {
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, piece) {
			return line
		}
	}
	return string(text)
}

// run runs one command in the process, and looks for the canary in what it writes.
func (g *cage) run(stdin string, args ...string) int {
	g.t.Helper()
	code, _ := g.runAs(g.vars, stdin, args...)
	return code
}

func (g *cage) runAs(vars []string, stdin string, args ...string) (int, string) {
	g.t.Helper()
	var stdout, stderr bytes.Buffer
	what := strings.ReplaceAll(strings.Join(args, " "), g.canary.text, "CANARY")
	defer func() {
		if p := recover(); p != nil {
			g.t.Errorf("%s: %q panics", g.canary.name, what)
		}
	}()
	code := run(g.t.Context(), &env{
		dir: g.repo, vars: vars, stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr,
		now: time.Now, entropy: strings.NewReader(drawn(g.t.Name()+what, 64)),
		width: func(stream any) (int, bool) { _, in := stream.(*strings.Reader); return 80, in && g.editor },
	}, args)
	g.seen(what, "standard output", stdout.Bytes())
	g.seen(what, "standard error", stderr.Bytes())
	return code, stdout.String()
}

// clean walks over everything in the cage, objects too, and looks for the canary in what the test did not
// write itself.
func (g *cage) clean() {
	g.t.Helper()
	err := filepath.WalkDir(g.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || g.own[path] {
			return err
		}
		name, err := filepath.Rel(g.dir, path)
		if err != nil {
			return err
		}
		if !g.owns(path) {
			g.seen(filepath.Dir(filepath.Dir(name)), "the name of a file", []byte(filepath.Base(name)))
		}
		if d.IsDir() || strings.Contains(path, "/objects/") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && !g.own[filepath.Base(path)] {
			g.seen(filepath.Dir(name), "a file", data)
		}
		return err
	})
	if err != nil {
		g.t.Errorf("walk the cage: %v", strip(err))
	}
	g.objects()
}

// owns tells whether the test made something below a folder.
func (g *cage) owns(dir string) bool {
	for name := range g.own {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// objects looks into every object of the repository but those of the test.
func (g *cage) objects() {
	g.t.Helper()
	rest := g.git("cat-file", "--batch-all-objects", "--batch", "--unordered")
	for len(rest) > 0 {
		head, body, _ := bytes.Cut(rest, []byte("\n"))
		var oid, kind string
		var size int
		if _, err := fmt.Sscan(string(head), &oid, &kind, &size); err != nil || size >= len(body) {
			g.t.Fatalf("git cat-file prints %q", head)
		}
		if !g.own[oid] {
			g.seen(oid, "an object", body[:size])
		}
		rest = body[size+1:]
	}
}

// idOf returns the nth name for a record.
func idOf(n int) packet.ID { return packet.ID(fmt.Sprintf("01JDMB4W1YNJZQR7K8F3%06d", n)) }
