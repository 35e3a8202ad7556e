// Package gittest makes repositories for tests: real ones, made by the real git, in directories of the test,
// with an environment in which nothing of the machine's user shows.
package gittest

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// Kind is a shape that a repository may have.
type Kind string

// The shapes that occur in practice.
const (
	Plain      Kind = "plain"
	Bare       Kind = "bare"
	Worktree   Kind = "worktree"
	Submodule  Kind = "submodule"
	Sparse     Kind = "sparse"
	Partial    Kind = "partial"
	Alternates Kind = "alternates"
	Relative   Kind = "alternates-relative"
	Nested     Kind = "alternates-nested"
	SHA256     Kind = "sha256"
	Shallow    Kind = "shallow"
	Separate   Kind = "separate"
	Reftable   Kind = "reftable"
)

// Kinds returns every shape.
func Kinds() []Kind {
	return []Kind{
		Plain, Bare, Worktree, Submodule, Sparse, Partial, Alternates, Relative, Nested, SHA256, Shallow,
		Separate, Reftable,
	}
}

// Repository is a repository of a test.
type Repository struct {
	t   testing.TB
	Dir string   // Dir is where a user would stand.
	Env []string // Env is the whole environment for git and for the code under test.
}

// Env returns an environment that shows nothing of the user who runs the test.
func Env(tb testing.TB) []string {
	tb.Helper()
	home := tb.TempDir()
	global := filepath.Join(home, "gitconfig")
	const config = "[user]\n\tname = A Tester\n\temail = tester@example.org\n[init]\n\tdefaultBranch = main\n\ttemplateDir =\n" +
		"[protocol \"file\"]\n\tallow = always\n[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n" +
		"[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautoGC = false\n"
	if err := os.WriteFile(global, []byte(config), 0o600); err != nil {
		tb.Fatal(err)
	}
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "xdg"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + global, "LC_ALL=C", "TZ=UTC", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"TMPDIR=" + tb.TempDir(),
	}
}

// Repo makes a repository with two commits on the branch main. The test is skipped where this git cannot make
// one of that kind; with CI=true it fails instead.
func Repo(tb testing.TB, kind Kind) *Repository {
	tb.Helper()
	base := tb.TempDir()
	r := &Repository{t: tb, Dir: filepath.Join(base, "repo"), Env: Env(tb)}
	switch kind {
	case Plain:
		r.copyFirst()
	case SHA256:
		r.copyFirst("--object-format=sha256")
	case Reftable:
		r.needReftable(base)
		r.copyFirst("--ref-format=reftable")
	case Separate:
		r.start("--separate-git-dir=" + filepath.Join(base, "elsewhere"))
	default:
		r.derive(kind, base)
	}
	return r
}

// start makes a repository and its commits.
func (r *Repository) start(options ...string) {
	r.t.Helper()
	r.run(filepath.Dir(r.Dir), "", append(append([]string{"init", "-q"}, options...), r.Dir)...)
	r.change("first")
	r.change("second")
}

// firsts holds what git made with some options for the first test that asked, as a function that returns an
// [fs.FS]. People and times of [Env] are always the same: hundreds of tests begin with the same repository.
var firsts sync.Map

// copyFirst is start, which runs git once for all tests of a program.
func (r *Repository) copyFirst(options ...string) {
	r.t.Helper()
	made, _ := firsts.LoadOrStore(strings.Join(options, " "), sync.OnceValue(func() fs.FS {
		first := &Repository{t: r.t, Dir: filepath.Join(r.t.TempDir(), "first"), Env: r.Env}
		first.start(options...)
		return first.read()
	}))
	if err := os.CopyFS(r.Dir, made.(func() fs.FS)()); err != nil {
		r.t.Fatal(err)
	}
}

// read holds the files of the repository in memory.
func (r *Repository) read() fs.FS {
	r.t.Helper()
	held := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(r.Dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			held[name] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			return err
		}
		data, err := os.ReadFile(filepath.Join(r.Dir, name))
		held[name] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return held
}

// derive makes a repository out of another one.
func (r *Repository) derive(kind Kind, base string) {
	r.t.Helper()
	origin := &Repository{t: r.t, Dir: filepath.Join(base, "origin"), Env: r.Env}
	origin.copyFirst()
	url := "file://" + filepath.ToSlash(origin.Dir)
	clone := func(args ...string) {
		r.run(base, "", append(append([]string{"clone", "-q"}, args...), r.Dir)...)
	}
	switch kind {
	case Bare:
		clone("--bare", url)
	case Worktree:
		origin.Git("worktree", "add", "-q", "-b", "linked", r.Dir)
	case Submodule:
		super := &Repository{t: r.t, Dir: filepath.Join(base, "super"), Env: r.Env}
		super.copyFirst()
		super.Git("submodule", "--quiet", "add", url, "sub")
		r.Dir = filepath.Join(super.Dir, "sub")
	case Sparse:
		clone(url)
		r.Git("sparse-checkout", "set", "--cone", "nothing")
	case Partial:
		clone("--filter=blob:none", url)
	case Shallow:
		clone("--depth=1", url)
	case Alternates:
		clone("--shared", origin.Dir)
	case Relative, Nested:
		r.borrow(kind, origin, base)
	default:
		r.t.Fatalf("unknown kind of repository %q", kind)
	}
}

// borrow makes a repository that names the objects of another one by a relative path, or through a third.
func (r *Repository) borrow(kind Kind, origin *Repository, base string) {
	r.t.Helper()
	if kind == Nested {
		middle := filepath.Join(base, "middle")
		r.run(base, "", "clone", "-q", "--shared", origin.Dir, middle)
		r.run(base, "", "clone", "-q", "--shared", middle, r.Dir)
		return
	}
	r.run(base, "", "clone", "-q", "--shared", origin.Dir, r.Dir)
	file := filepath.Join(r.Dir, ".git", "objects", "info", "alternates")
	if err := os.WriteFile(file, []byte("# one\n../../../origin/.git/objects\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// needReftable skips the test where git knows no reftable. The variable LTM_TEST_GIT may name the directory of one that
// does, which the test then works with.
func (r *Repository) needReftable(base string) {
	r.t.Helper()
	if other := os.Getenv("LTM_TEST_GIT"); other != "" {
		r.Env = append(r.Env, "PATH="+other+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	cmd := exec.Command("git", "init", "-q", "--ref-format=reftable", filepath.Join(base, "probe"))
	cmd.Env = r.Env
	cmd.Path = r.program()
	if cmd.Run() == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		r.t.Fatal("git knows no reftable: let LTM_TEST_GIT name the directory of a newer git")
	}
	r.t.Skip("git knows no reftable: let LTM_TEST_GIT name the directory of a newer git")
}

// program is the git that the environment leads to.
func (r *Repository) program() string {
	r.t.Helper()
	for _, entry := range slices.Backward(r.Env) {
		path, ok := strings.CutPrefix(entry, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if found, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
				return found
			}
		}
	}
	r.t.Fatal("git is not installed")
	return ""
}

// Commit changes the file named file, commits it and returns the name of the commit.
func (r *Repository) Commit(message string) string {
	r.t.Helper()
	r.change(message)
	return r.Git("rev-parse", "HEAD")
}

func (r *Repository) change(message string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.Dir, "file"), []byte(message+"\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.Git("add", "file")
	r.Git("commit", "-q", "-m", message)
}

// Git runs git in the repository and returns what it printed, without the last line break. A failure ends the
// test.
func (r *Repository) Git(args ...string) string {
	r.t.Helper()
	return r.run(r.Dir, "", args...)
}

// Feed runs git with an input.
func (r *Repository) Feed(input string, args ...string) string {
	r.t.Helper()
	return r.run(r.Dir, input, args...)
}

// Try runs git and returns what it printed on both streams, and its error.
func (r *Repository) Try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Path, cmd.Dir, cmd.Env = r.program(), r.Dir, r.Env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run is Git in any directory.
func (r *Repository) run(dir, input string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Path, cmd.Dir, cmd.Env, cmd.Stdin = r.program(), dir, r.Env, strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}
