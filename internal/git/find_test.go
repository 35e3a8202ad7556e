package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestFind compares the short way with git's own answer, in every shape of repository and in places where the
// short way could be fooled.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, kind := range gittest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			same(t, r.Dir, r.Env)
		})
	}
	for name, change := range traps() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			dir, env := change(t, r)
			same(t, dir, append(r.Env, env...))
		})
	}
}

// traps change a plain repository and return where to start, and what to add to the environment.
func traps() map[string]func(t *testing.T, r *gittest.Repository) (dir string, env []string) {
	config := func(key, value string) func(*testing.T, *gittest.Repository) (string, []string) {
		return func(_ *testing.T, r *gittest.Repository) (string, []string) {
			r.Git("config", key, value)
			return r.Dir, nil
		}
	}
	appended := func(text string) func(*testing.T, *gittest.Repository) (string, []string) {
		return func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			name := filepath.Join(r.Dir, ".git", "config")
			old, err := os.ReadFile(name)
			must(t, err)
			must(t, os.WriteFile(name, append(old, text...), 0o600))
			return r.Dir, nil
		}
	}
	variable := func(of func(r *gittest.Repository) string) func(*testing.T,
		*gittest.Repository) (string, []string) {
		return func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			return mkdir(t, r.Dir, "deep", "down"), []string{of(r)}
		}
	}
	return map[string]func(*testing.T, *gittest.Repository) (string, []string){
		"subfolder": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			return mkdir(t, r.Dir, "deep", "down"), nil
		},
		"inside the git directory": func(_ *testing.T, r *gittest.Repository) (string, []string) {
			return filepath.Join(r.Dir, ".git", "objects"), nil
		},
		"through a symbolic link": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			link := filepath.Join(t.TempDir(), "link")
			must(t, os.Symlink(mkdir(t, r.Dir, "deep"), link))
			return link, nil
		},
		"git directory behind a link": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			moved := filepath.Join(t.TempDir(), "moved")
			must(t, os.Rename(filepath.Join(r.Dir, ".git"), moved))
			must(t, os.Symlink(moved, filepath.Join(r.Dir, ".git")))
			return r.Dir, nil
		},
		"bare repository within": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			r.Git("init", "-q", "--bare", filepath.Join(r.Dir, "inner"))
			return mkdir(t, r.Dir, "inner", "refs"), nil
		},
		"empty git directory within": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			mkdir(t, r.Dir, "deep", ".git")
			return mkdir(t, r.Dir, "deep", "down"), nil
		},
		"owned by another": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			if os.Geteuid() == 0 {
				must(t, os.Lchown(filepath.Join(r.Dir, ".git"), 4711, 4711))
			}
			return r.Dir, []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"}
		},
		"owned by another user of the system": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			if os.Geteuid() == 0 {
				must(t, os.Lchown(r.Dir, 4711, 4711))
			}
			return r.Dir, nil
		},
		"detached": func(_ *testing.T, r *gittest.Repository) (string, []string) {
			r.Git("checkout", "-q", "--detach")
			return r.Dir, nil
		},
		"unborn": func(_ *testing.T, r *gittest.Repository) (string, []string) {
			r.Git("checkout", "-q", "--orphan", "new/branch")
			return r.Dir, nil
		},
		"upstream": func(_ *testing.T, r *gittest.Repository) (string, []string) {
			r.Git("branch", "up")
			r.Git("branch", "--set-upstream-to=up")
			return r.Dir, nil
		},
		"bare with a blank inside":   appended("[core]\n\tbare = fal se\n"),
		"two sections on a line":     appended("[a][extensions]\n\tobjectformat = sha256\n"),
		"section and key on a line":  appended("[core] bare = true\n"),
		"mark of byte order":         appended("\ufeff[extensions]\n\tobjectformat = sha256\n"),
		"value behind a broken line": appended("[core]\n\tlogallrefupdates = \\\ntrue\n"),
		"branch of no valid name": func(t *testing.T, r *gittest.Repository) (string, []string) {
			t.Helper()
			must(t, os.WriteFile(filepath.Join(r.Dir, ".git", "HEAD"), []byte("ref: refs/heads/a..b\n"),
				0o600))
			return r.Dir, nil
		},
		"core.worktree":  config("core.worktree", ".."),
		"core.bare":      config("core.bare", "true"),
		"core.bare, yes": config("core.bare", "yes"),
		"include.path":   config("include.path", "other"),
		"format version": config("core.repositoryformatversion", "1"),
		"unknown format": config("core.repositoryformatversion", "7"),
		"ceiling": variable(func(r *gittest.Repository) string {
			return "GIT_CEILING_DIRECTORIES=" + filepath.Join(r.Dir, "deep")
		}),
		"GIT_DIR": variable(func(r *gittest.Repository) string {
			return "GIT_DIR=" + filepath.Join(r.Dir, ".git")
		}),
		"GIT_DIR of none": variable(func(*gittest.Repository) string { return "GIT_DIR=none" }),
		"GIT_WORK_TREE":   variable(func(r *gittest.Repository) string { return "GIT_WORK_TREE=" + r.Dir }),
		"GIT_COMMON_DIR": variable(func(r *gittest.Repository) string {
			return "GIT_COMMON_DIR=" + filepath.Join(r.Dir, ".git")
		}),
		"GIT_CONFIG_PARAMETERS": variable(func(*gittest.Repository) string {
			return "GIT_CONFIG_PARAMETERS='core.bare=true'"
		}),
	}
}

// same checks that Find and Open agree.
func same(t *testing.T, dir string, env []string) {
	t.Helper()
	want, wantErr := git.Open(t.Context(), dir, env)
	got, err := git.Find(t.Context(), dir, env)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Find: %v, Open: %v", err, wantErr)
	}
	if err != nil {
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(git.Repo{}),
		cmpopts.IgnoreFields(git.Repo{}, "Head")); diff != "" {
		t.Errorf("Find is not Open (-want +got):\n%s", diff)
	}
	if got.Head.Branch != want.Head.Branch {
		t.Errorf("Find is on branch %q, want %q", got.Head.Branch, want.Head.Branch)
	}
	head, err := got.Resolve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Head, head); diff != "" {
		t.Errorf("Resolve (-want +got):\n%s", diff)
	}
}

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	must(t, os.MkdirAll(dir, 0o755))
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFind_asksNothing shows that a plain repository is found although git does not answer, and that any
// other is not.
func TestFind_asksNothing(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexit 99\n"), 0o755))
	mute := []string{"PATH=" + bin}
	if _, err := git.Find(t.Context(), gittest.Repo(t, gittest.Plain).Dir, mute); err != nil {
		t.Errorf("plain: %v", err)
	}
	if _, err := git.Find(t.Context(), gittest.Repo(t, gittest.Bare).Dir, mute); err == nil {
		t.Error("bare: found without git")
	}
}
