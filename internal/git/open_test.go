package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/program"
)

// opened opens a repository and fails the test when that does not work.
func opened(tb testing.TB, dir string, env []string) *git.Repo {
	tb.Helper()
	repo, err := git.Open(tb.Context(), dir, env)
	if err != nil {
		tb.Fatal(err)
	}
	return repo
}

func TestOpen_everyKind(t *testing.T) {
	t.Parallel()
	for _, kind := range gittest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo := opened(t, r.Dir, r.Env)
			want := &git.Repo{
				Dir:          r.Dir,
				GitDir:       r.Git("rev-parse", "--path-format=absolute", "--git-dir"),
				CommonDir:    r.Git("rev-parse", "--path-format=absolute", "--git-common-dir"),
				ObjectFormat: r.Git("rev-parse", "--show-object-format"),
				Bare:         kind == gittest.Bare,
				RefFormat:    "files",
				Head: git.Head{
					Branch: r.Git("branch", "--show-current"),
					Commit: r.Git("rev-parse", "HEAD"),
					Tree:   r.Git("rev-parse", "HEAD^{tree}"),
				},
			}
			if kind == gittest.Reftable {
				want.RefFormat = "reftable"
			}
			if kind != gittest.Bare {
				want.WorkTree = r.Git("rev-parse", "--show-toplevel")
			}
			if out, err := r.Try("rev-parse", "--symbolic-full-name", "@{upstream}"); err == nil {
				want.Head.Upstream = strings.TrimSpace(out)
				want.Head.MergeBase = r.Git("merge-base", "HEAD", "@{upstream}")
			}
			if diff := cmp.Diff(want, repo, cmpopts.IgnoreUnexported(git.Repo{})); diff != "" {
				t.Errorf("open (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOpen_head(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	first := r.Git("rev-parse", "HEAD~1")
	r.Git("branch", "base", first)
	r.Git("branch", "-q", "-u", "base")
	head := opened(t, r.Dir, r.Env).Head
	if head.Branch != "main" || head.Upstream != "refs/heads/base" || head.MergeBase != first {
		t.Errorf("with an upstream: %+v", head)
	}
	r.Git("update-ref", "-d", "refs/heads/base")
	if head = opened(t, r.Dir, r.Env).Head; head.Upstream != "" || head.Commit == "" ||
		head.Branch != "main" {
		t.Errorf("with an upstream that is gone: %+v", head)
	}
	r.Git("checkout", "-q", "--detach")
	if head = opened(t, r.Dir, r.Env).Head; head.Branch != "" || head.Commit == "" || head.Tree == "" {
		t.Errorf("detached: %+v", head)
	}
	r.Git("checkout", "-q", "--orphan", "new/branch")
	if head = opened(t, r.Dir, r.Env).Head; head != (git.Head{Branch: "new/branch"}) {
		t.Errorf("unborn: %+v", head)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "HEAD"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if head = opened(t, r.Dir, r.Env).Head; head != (git.Head{Branch: "new/branch"}) {
		t.Errorf("unborn, with a file of that name: %+v", head)
	}
}

func TestOpen_places(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	below := filepath.Join(r.Dir, "a", "line\nbreak")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if repo := opened(t, below, r.Env); repo.Prefix != "a/line\nbreak/" || repo.WorkTree != r.Dir {
		t.Errorf("below: prefix %q, work tree %q", repo.Prefix, repo.WorkTree)
	}
	r.Git("init", "-q", below)
	if repo := opened(t, below, r.Env); repo.CommonDir != filepath.Join(below, ".git") ||
		repo.Head.Branch != "main" {
		t.Errorf("with a line break: %q, %+v", repo.CommonDir, repo.Head)
	}
	inside := filepath.Join(r.Dir, ".git", "refs")
	if repo := opened(t, inside, r.Env); repo.CommonDir != filepath.Join(r.Dir, ".git") ||
		repo.WorkTree != "" || repo.Bare {
		t.Errorf("inside the git directory: %q, %q", repo.CommonDir, repo.WorkTree)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.Dir, link); err != nil {
		t.Fatal(err)
	}
	if repo := opened(t, link, r.Env); repo.WorkTree != r.Dir {
		t.Errorf("behind a link: work tree %q, want %q", repo.WorkTree, r.Dir)
	}
}

// A hook runs with GIT_DIR and GIT_INDEX_FILE in its environment, which name another place than the
// directory.
func TestOpen_environment(t *testing.T) {
	t.Parallel()
	r, other := gittest.Repo(t, gittest.Plain), gittest.Repo(t, gittest.Plain)
	env := append(slices.Clone(r.Env), "GIT_DIR=.git", "GIT_INDEX_FILE="+filepath.Join(other.Dir, "index"),
		"GIT_LITERAL_PATHSPECS=1")
	repo := opened(t, r.Dir, env)
	if repo.CommonDir != filepath.Join(r.Dir, ".git") || repo.WorkTree != r.Dir {
		t.Errorf("relative GIT_DIR: %q, %q", repo.CommonDir, repo.WorkTree)
	}
	if dirty, known := repo.Dirty(t.Context(), repo.Head.Tree); dirty || !known {
		t.Errorf("dirty is %v, %v: the index of another repository was read", dirty, known)
	}
	env = append(slices.Clone(r.Env), "GIT_DIR="+filepath.Join(other.Dir, ".git"), "GIT_WORK_TREE="+other.Dir)
	if repo = opened(t, r.Dir, env); repo.CommonDir != filepath.Join(other.Dir, ".git") ||
		repo.WorkTree != other.Dir {
		t.Errorf("GIT_DIR elsewhere: %q, %q", repo.CommonDir, repo.WorkTree)
	}
	env = append(slices.Clone(r.Env), "GIT_CONFIG_PARAMETERS='some.key=passed on'")
	config, err := opened(t, r.Dir, env).Config(t.Context())
	if value, _ := config.Get("some.key"); value != "passed on" || err != nil {
		t.Errorf("configuration of the command line: %q, %v", value, err)
	}
}

func TestOpen_refusals(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	nowhere := t.TempDir()
	if _, err := git.Open(t.Context(), nowhere, r.Env); !errors.Is(err, git.ErrNotRepository) {
		t.Errorf("no repository: %v, want ErrNotRepository", err)
	}
	if _, err := git.Open(t.Context(), filepath.Join(nowhere, "missing"), r.Env); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("no directory: %v, want ErrNotExist", err)
	}
	if _, err := git.Open(t.Context(), r.Dir, []string{"PATH=" + nowhere}); !errors.Is(err, git.ErrNoGit) {
		t.Errorf("no git: %v, want ErrNoGit", err)
	}
	bare := gittest.Repo(t, gittest.Bare)
	env := append(slices.Clone(bare.Env), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository",
		"GIT_CONFIG_VALUE_0=explicit")
	if _, err := git.Open(t.Context(), bare.Dir, env); !errors.Is(err, git.ErrUnsafe) {
		t.Errorf("bare repository that is not trusted: %v, want ErrUnsafe", err)
	}
	r.Git("config", "core.repositoryFormatVersion", "99")
	_, err := git.Open(t.Context(), r.Dir, r.Env)
	if exit, ok := errors.AsType[*git.ExitError](err); !ok || errors.Is(err, git.ErrNotRepository) ||
		exit.Code == 0 {
		t.Errorf("format of the future: %v, want an ExitError of its own", err)
	}
}

func TestOpen_ofAnotherOwner(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	if err := os.Chown(r.Dir, 12345, 12345); err != nil {
		t.Skipf("the owner cannot be changed: %v", err)
	}
	if err := os.Chown(filepath.Join(r.Dir, ".git"), 12345, 12345); err != nil {
		t.Skipf("the owner cannot be changed: %v", err)
	}
	if _, err := git.Open(t.Context(), r.Dir, r.Env); !errors.Is(err, git.ErrUnsafe) {
		t.Errorf("open: %v, want ErrUnsafe", err)
	}
}

// A git that was killed, or that failed for a reason of its own, did not say that it distrusts the repository.
func TestOpen_killedGit(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	real, err := program.Find("git", "", os.Getenv("PATH"))
	must(t, err)
	for name, line := range map[string]string{"exit code 128": "exit 128", "signal": "kill -KILL $$"} {
		bin := t.TempDir()
		script := "#!/bin/sh\ncase \"$*\" in *--show-object-format*) " + line + ";; esac\nexec '" + real + "' \"$@\"\n"
		must(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
		env := append(slices.Clone(r.Env), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		_, err := git.Open(t.Context(), r.Dir, env)
		if exit, ok := errors.AsType[*git.ExitError](err); !ok || errors.Is(err, git.ErrUnsafe) ||
			errors.Is(err, git.ErrNotRepository) {
			t.Errorf("%s: %v (%v), want an ExitError of its own", name, err, exit)
		}
	}
}
