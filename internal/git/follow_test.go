package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// twenty is a file that is long enough to be known again after a change.
const twenty = "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\nl11\nl12\nl13\nl14\nl15\nl16\nl17\nl18\nl19\nl20\n"

// put writes a file of a work tree.
func put(t *testing.T, r *gittest.Repository, name, text string) {
	t.Helper()
	path := filepath.Join(r.Dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// commitAll adds everything and returns the commit.
func commitAll(r *gittest.Repository, message string) string {
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

func TestRepo_FileHistory(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	first := r.Git("rev-parse", "HEAD")
	put(t, r, "d/-x", twenty)
	made := commitAll(r, "made")
	r.Git("mv", "d/-x", "d/:(glob)* ü")
	moved := commitAll(r, "moved\x01")
	put(t, r, "d/:(glob)* ü", twenty+"more\n")
	changed := commitAll(r, strings.Repeat("a", 40))
	r.Git("rm", "-q", "file")
	gone := commitAll(r, "gone")
	r.Git("config", "log.showSignature", "true")
	repo := opened(t, filepath.Join(r.Dir, "d"), r.Env)
	got, err := repo.History().FileHistory(t.Context(), "d/:(glob)* ü", 50)
	want := []git.Touch{
		{git.Summary{changed, []string{moved}, strings.Repeat("a", 40)}, "d/:(glob)* ü", ""},
		{git.Summary{moved, []string{made}, "moved\x01"}, "d/:(glob)* ü", "d/-x"},
		{git.Summary{made, []string{first}, "made"}, "d/-x", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("history: %v (-want +got):\n%s", err, diff)
	}
	if got, err = repo.History().FileHistory(t.Context(), "d/:(glob)* ü", 1); len(got) != 1 || err != nil {
		t.Errorf("history of one: %v, %v", got, err)
	}
	if got, err = repo.History().FileHistory(t.Context(), "file", 1); err != nil ||
		cmp.Diff([]git.Touch{{git.Summary{gone, []string{changed}, "gone"}, "file", ""}}, got) != "" {
		t.Errorf("history of a file that is gone: %v, %v", got, err)
	}
	for _, path := range []string{"none", "*", "--all", ":/", "../file"} {
		if got, err := repo.History().FileHistory(t.Context(), path, 50); len(got) > 0 {
			t.Errorf("history of %q: %v, %v", path, got, err)
		}
	}
}

func TestRepo_RenamedSince(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	put(t, r, "old name", twenty)
	put(t, r, "later", strings.ReplaceAll(twenty, "l", "other "))
	base := commitAll(r, "base")
	r.Git("mv", "old name", "new\tname")
	put(t, r, "new\tname", twenty+"l21\n")
	commitAll(r, "moved")
	r.Git("mv", "later", "sooner")
	repo := opened(t, r.Dir, r.Env)
	got, err := repo.History().RenamedSince(t.Context(), base)
	if diff := cmp.Diff(map[string]string{"old name": "new\tname", "later": "sooner"}, got); diff != "" ||
		err != nil {
		t.Errorf("renamed: %v (-want +got):\n%s", err, diff)
	}
	repo = opened(t, filepath.Join(r.Dir, ".git"), r.Env)
	got, err = repo.History().RenamedSince(t.Context(), base)
	if diff := cmp.Diff(map[string]string{"old name": "new\tname"}, got); diff != "" || err != nil {
		t.Errorf("renamed, without a work tree: %v (-want +got):\n%s", err, diff)
	}
	for _, commit := range []string{strings.Repeat("3", 40), "HEAD", "--output=x"} {
		if _, err := repo.History().RenamedSince(t.Context(), commit); !errors.Is(err, git.ErrMissing) {
			t.Errorf("since %q: %v, want ErrMissing", commit, err)
		}
	}
}

func TestRepo_Tracked(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.Bare} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo := opened(t, r.Dir, r.Env)
			for path, want := range map[string]bool{
				"file": true, "f*": false, ":(glob)f*": false,
				"none": false, "--stage": false,
			} {
				if got, err := repo.History().Tracked(t.Context(), path); got != want || err != nil {
					t.Errorf("tracked %q: %v, %v, want %v", path, got, err, want)
				}
			}
		})
	}
}

func TestRepo_Blame(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	put(t, r, "d/-x", twenty)
	made := commitAll(r, "made")
	put(t, r, "d/-x", strings.Replace(twenty, "l4\n", "four\n", 1))
	changed := commitAll(r, "changed")
	put(t, r, "d/-x", strings.Replace(twenty, "l4\nl5\n", "four\nfive\n", 1))
	repo := opened(t, filepath.Join(r.Dir, "d"), r.Env)
	got, err := repo.History().Blame(t.Context(), "d/-x", 3, 6)
	if diff := cmp.Diff(
		[]git.Blamed{
			{git.Summary{made, nil, "made"}, []int{3, 6}},
			{git.Summary{changed, []string{made}, "changed"}, []int{4}},
		}, got); diff != "" || err != nil {
		t.Errorf("blame: %v (-want +got):\n%s", err, diff)
	}
	if _, err := repo.History().Blame(t.Context(), "d/-x", 99, 99); !errors.Is(err, git.ErrNoPath) {
		t.Errorf("blame beyond the end: %v, want ErrNoPath", err)
	}
	if _, err := repo.History().Blame(t.Context(), "--help", 1, 1); !errors.Is(err, git.ErrNoPath) {
		t.Errorf("blame of no file: %v, want ErrNoPath", err)
	}
	repo = opened(t, filepath.Join(r.Dir, ".git"), r.Env)
	got, err = repo.History().Blame(t.Context(), "d/-x", 5, 0)
	if diff := cmp.Diff([]git.Blamed{{git.Summary{made, nil, "made"}, []int{5}}}, got); diff != "" ||
		err != nil {
		t.Errorf("blame, without a work tree: %v (-want +got):\n%s", err, diff)
	}
}
