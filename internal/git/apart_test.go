package git_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
)

// alone is an environment in which nothing of the user's is read.
func alone(t *testing.T, more ...string) []string {
	t.Helper()
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
	}, more...)
}

func TestInitBare(t *testing.T) {
	t.Parallel()
	env := alone(t)
	parent := filepath.Join(t.TempDir(), "a", "b")
	dir := filepath.Join(parent, "memory.git")
	for range 2 { // What is there is left as it is.
		if err := git.InitBare(t.Context(), dir, env); err != nil {
			t.Fatal(err)
		}
	}
	found, err := os.ReadDir(parent)
	if err != nil || len(found) != 1 {
		t.Errorf("beside the repository lie %v, %v; want nothing", found, err)
	}
	for _, path := range []string{parent, dir} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read %q: %v, %v", path, info, err)
		}
	}
	full := filepath.Join(t.TempDir(), "full")
	if err := os.MkdirAll(filepath.Join(full, "mine"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := git.InitBare(t.Context(), full, env); err == nil {
		t.Errorf("a directory that holds something else was taken")
	}
	if found, err := os.ReadDir(full); err != nil || len(found) != 1 {
		t.Errorf("it holds %v, %v; want what it held", found, err)
	}
}

// FindBare answers the same where it asks git and where it does not, whatever the environment names.
func TestFindBare(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memory.git")
	if err := git.InitBare(t.Context(), dir, alone(t)); err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string][]string{
		"plain":         nil,
		"asks git":      {"GIT_CEILING_DIRECTORIES=/nowhere"},
		"misled":        {"GIT_DIR=/nowhere", "GIT_WORK_TREE=/nowhere", "GIT_OBJECT_DIRECTORY=/nowhere"},
		"with a remote": git.WithRemote(nil, "file", "/nowhere"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo, err := git.FindBare(t.Context(), dir, alone(t, more...))
			if err != nil {
				t.Fatal(err)
			}
			got := []string{
				repo.GitDir, repo.CommonDir, repo.WorkTree, repo.ObjectFormat, repo.RefFormat,
				repo.Head.Branch,
			}
			if diff := cmp.Diff([]string{dir, dir, "", "sha1", "files", ""}, got); diff != "" || !repo.Bare {
				t.Errorf("FindBare (-want +got):\n%s", diff)
			}
			if err := repo.Update(t.Context(), nil); err != nil {
				t.Errorf("git does not work in it: %v", err)
			}
		})
	}
}

func TestFindBare_refuses(t *testing.T) {
	t.Parallel()
	env := alone(t)
	dir := t.TempDir()
	run := exec.CommandContext(t.Context(), "git", "init", "-q", dir)
	run.Env = env
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := git.FindBare(t.Context(), filepath.Join(dir, ".git"), env); !errors.Is(err, git.ErrNotBare) {
		t.Errorf("a repository with a work tree: %v, want ErrNotBare", err)
	}
	if _, err := git.FindBare(t.Context(), filepath.Join(dir, "nothing"), env); err == nil {
		t.Errorf("there is no repository, and no error")
	}
}

func TestWithRemote(t *testing.T) {
	t.Parallel()
	env := git.WithRemote(git.WithRemote([]string{"A=1"}, "one", "/first"), "two", "/second")
	want := []string{
		"A=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=remote.one.url", "GIT_CONFIG_VALUE_0=/first",
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_1=remote.two.url", "GIT_CONFIG_VALUE_1=/second",
	}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Errorf("WithRemote (-want +got):\n%s", diff)
	}
	dir := filepath.Join(t.TempDir(), "memory.git")
	if err := git.InitBare(t.Context(), dir, alone(t)); err != nil {
		t.Fatal(err)
	}
	repo, err := git.FindBare(t.Context(), dir, alone(t, env...))
	if err != nil {
		t.Fatal(err)
	}
	config, err := repo.Config(t.Context())
	if got := strings.Join(config.Remotes(), " "); err != nil || got != "one two" {
		t.Errorf("git knows the remotes %q, %v; want both", got, err)
	}
}
