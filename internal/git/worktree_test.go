package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestRepo_Dirty says what git says, and without git that nothing changed where that is so.
func TestRepo_Dirty(t *testing.T) {
	t.Parallel()
	before := time.Now().Add(-time.Hour)
	for name, tt := range map[string]struct {
		change func(r *gittest.Repository, file string)
		alone  bool // nobody has to be asked
	}{
		"nothing":           {func(*gittest.Repository, string) {}, true},
		"an untracked file": {func(_ *gittest.Repository, file string) { write(t, file+"2", "new") }, true},
		"another size": {func(_ *gittest.Repository, file string) {
			write(t, file, "longer than before")
		}, false},
		"the same size": {func(_ *gittest.Repository, file string) { write(t, file, "other") }, false},
		"only its time": {func(_ *gittest.Repository, file string) {
			must(t, os.Chtimes(file, before, before.Add(-time.Hour)))
		}, false},
		"its mode": {func(_ *gittest.Repository, file string) {
			must(t, os.Chmod(file, 0o700))
		}, false},
		"it is gone": {func(_ *gittest.Repository, file string) { must(t, os.Remove(file)) }, false},
		"staged": {func(r *gittest.Repository, file string) {
			write(t, file, "other")
			r.Git("add", ".")
		}, false},
		"staged and put back": {func(r *gittest.Repository, file string) {
			write(t, file, "other")
			r.Git("add", ".")
			r.Git("reset", "-q", "--hard")
			settle(t, r, before)
		}, true},
		"committed": {func(r *gittest.Repository, file string) {
			write(t, file, "other")
			r.Git("add", ".")
			r.Commit("more")
			settle(t, r, before)
		}, true},
		"no index": {func(r *gittest.Repository, _ string) {
			must(t, os.Remove(filepath.Join(r.Dir, ".git", "index")))
		}, false},
		"half an index": {func(r *gittest.Repository, _ string) {
			must(t, os.Truncate(filepath.Join(r.Dir, ".git", "index"), 100))
		}, false},
		"a split index": {func(r *gittest.Repository, _ string) {
			r.Git("update-index", "--split-index")
		}, false},
		"version 4": {func(r *gittest.Repository, _ string) {
			r.Git("update-index", "--index-version", "4")
		}, false},
		"assumed as it was": {func(r *gittest.Repository, file string) {
			r.Git("update-index", "--assume-unchanged", file)
			write(t, file, "x")
		}, false},
		"a file too many": {func(r *gittest.Repository, file string) {
			write(t, file+"3", "")
			r.Git("add", "-N", ".")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			file := filepath.Join(mkdir(t, r.Dir, "a folder"), "of files")
			write(t, file, "first")
			must(t, os.Symlink("a folder", filepath.Join(r.Dir, "link")))
			r.Git("add", ".")
			r.Commit("second")
			settle(t, r, before)
			tt.change(r, file)
			tree := opened(t, r.Dir, r.Env).Head.Tree
			mute := t.TempDir()
			must(t, os.WriteFile(filepath.Join(mute, "git"), []byte("#!/bin/sh\nexit 1\n"),
				0o700)) //nolint:gosec // A program.
			repo, err := git.Find(t.Context(), r.Dir, []string{"PATH=" + mute, "HOME=" + mute})
			must(t, err)
			if dirty, known := repo.Dirty(t.Context(), tree); dirty || known != tt.alone {
				t.Errorf("without git Dirty = %v, %v, want known %v", dirty, known, tt.alone)
			}
			out, err := r.Try("status", "--porcelain", "--untracked-files=no")
			dirty, known := opened(t, r.Dir, r.Env).Dirty(t.Context(), tree)
			if known != (err == nil) || known && dirty != (out != "") {
				t.Errorf("Dirty = %v, %v; git says %q, %v", dirty, known, out, err)
			}
		})
	}
}

// TestRepo_Dirty_large says nothing of a work tree with many files.
func TestRepo_Dirty_large(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	for n := range 5001 {
		write(t, filepath.Join(r.Dir, fmt.Sprint("file", n)), "")
	}
	r.Git("add", ".")
	repo := opened(t, r.Dir, r.Env)
	if dirty, known := repo.Dirty(t.Context(), repo.Head.Tree); dirty || known {
		t.Errorf("Dirty = %v, %v of a large work tree", dirty, known)
	}
}

// settle makes the files of the last commit old, and the index know them.
func settle(t *testing.T, r *gittest.Repository, then time.Time) {
	t.Helper()
	for _, name := range []string{"a folder/of files", "file"} {
		if err := os.Chtimes(filepath.Join(r.Dir, name), then, then); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	r.Git("status")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}
