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

// shapes are the repositories in which trees and histories are read in different ways.
func shapes() []gittest.Kind {
	return []gittest.Kind{gittest.Plain, gittest.Bare, gittest.Worktree, gittest.Shallow, gittest.SHA256}
}

// commit makes a commit whose folder ".ltm" holds entries in the form of git mktree.
func commit(r *gittest.Repository, entries string, parents ...string) string {
	root := r.Feed("040000 tree "+r.Feed(entries, "mktree")+"\t.ltm\n", "mktree")
	args := []string{"commit-tree", "-m", "message", root}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	return r.Git(args...)
}

// entry is a file of git mktree.
func entry(r *gittest.Repository, mode, name, text string) string {
	return mode + " blob " + r.Feed(text, "hash-object", "-w", "--stdin") + "\t" + name + "\n"
}

// nowhere is an id that no object of a repository has.
func nowhere(repo *git.Repo) string {
	if repo.ObjectFormat == "sha256" {
		return strings.Repeat("01", 32)
	}
	return strings.Repeat("01", 20)
}

// TestRepo_Files reads files of one folder, and neither links nor folders nor what was not asked for.
func TestRepo_Files(t *testing.T) {
	t.Parallel()
	for _, kind := range shapes() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			sub := "040000 tree " + r.Feed(entry(r, "100644", "keys", "deep"), "mktree") + "\tsub\n"
			tip := commit(r, entry(r, "100644", "keys", "one\n")+entry(r, "100755", "run", "two")+
				entry(r, "120000", "link", "keys")+
				entry(r, "100644", "other", "three")+sub)
			repo := opened(t, r.Dir, r.Env)
			got, err := repo.Files(t.Context(), tip, ".ltm", 4, "keys", "run", "link", "sub", "missing")
			must(t, err)
			if diff := cmp.Diff(map[string][]byte{"keys": []byte("one\n"), "run": []byte("two")},
				got); diff != "" {
				t.Errorf("Files (-want +got):\n%s", diff)
			}
			for _, folder := range []string{"missing", ".ltm/keys", ".ltm/link", "*"} {
				if got, err := repo.Files(t.Context(), tip, folder, 4, "keys"); len(got) > 0 || err != nil {
					t.Errorf("Files of %q = %q, %v, want none", folder, got, err)
				}
			}
			if _, err := repo.Files(t.Context(), tip, ".ltm", 3, "keys"); !isTooLarge(err) {
				t.Errorf("a file of 4 bytes with a bound of 3: %v, want a TooLargeError", err)
			}
			for _, commit := range []string{nowhere(repo), tip[:12], "HEAD", "", "--full-name"} {
				if _, err := repo.Files(t.Context(), commit, ".ltm", 4, "keys"); !errors.Is(err,
					git.ErrMissing) {
					t.Errorf("Files of %q: %v, want ErrMissing", commit, err)
				}
			}
		})
	}
}

func isTooLarge(err error) bool {
	_, ok := errors.AsType[*git.TooLargeError](err)
	return ok
}

// TestRepo_CommitOf takes names that mean one commit, peels tags, and tells what is not here from what may
// mean two things.
func TestRepo_CommitOf(t *testing.T) {
	t.Parallel()
	for _, kind := range shapes() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			tip := r.Git("rev-parse", "HEAD")
			other := commit(r, "")
			r.Git("tag", "-a", "-m", "message", "v1", tip)
			r.Git("tag", "of-tree", tip+"^{tree}")
			r.Git("update-ref", "refs/heads/twice", tip)
			r.Git("update-ref", "refs/tags/twice", other)
			repo := opened(t, r.Dir, r.Env)
			for _, name := range []string{"HEAD", "refs/heads/twice", "refs/tags/v1", "v1", tip} {
				if got, err := repo.CommitOf(t.Context(), name); got != tip || err != nil {
					t.Errorf("CommitOf(%q) = %q, %v, want %q", name, got, err, tip)
				}
			}
			for _, name := range []string{
				"refs/heads/missing", "missing", nowhere(repo), "of-tree",
				other + "~1",
			} {
				if got, err := repo.CommitOf(t.Context(), name); !errors.Is(err, git.ErrMissing) {
					t.Errorf("CommitOf(%q) = %q, %v, want ErrMissing", name, got, err)
				}
			}
			for _, name := range []string{"twice", "--all", "", "HEAD@{0}"} {
				if got, err := repo.CommitOf(t.Context(), name); err == nil ||
					errors.Is(err, git.ErrMissing) && name == "twice" {
					t.Errorf("CommitOf(%q) = %q, %v, want another error", name, got, err)
				}
			}
		})
	}
}

// TestRepo_Changes follows first parents: what a side branch did counts where it was merged.
func TestRepo_Changes(t *testing.T) {
	t.Parallel()
	for _, kind := range shapes() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			a, b, c := entry(r, "100644", "keys", "a"), entry(r, "100644", "keys", "b"),
				entry(r, "100644", "keys", "c")
			first := commit(r, a)
			second := commit(r, b, commit(r, a, first))
			side := commit(r, c, first)
			merge := commit(r, c, second, side)
			tip := commit(r, c, commit(r, c, merge))
			dir := r.Dir
			if kind == gittest.Plain {
				dir = filepath.Join(r.Dir, "folder")
				must(t, os.Mkdir(dir, 0o700))
			}
			repo := opened(t, dir, r.Env)
			got, err := repo.History().Changes(t.Context(), first, tip, ".ltm")
			must(t, err)
			if diff := cmp.Diff([]string{second, merge}, got); diff != "" {
				t.Errorf("Changes (-want +got):\n%s", diff)
			}
			if got, err := repo.History().Changes(t.Context(), tip, tip, ".ltm"); len(got) > 0 || err != nil {
				t.Errorf("Changes between a commit and itself = %q, %v", got, err)
			}
			for _, name := range []string{"HEAD", "--all", ""} {
				if _, err := repo.History().Changes(t.Context(), name, tip, ".ltm"); !errors.Is(err, git.ErrMissing) {
					t.Errorf("Changes since %q: %v, want ErrMissing", name, err)
				}
			}
			if _, err := repo.History().Changes(t.Context(), nowhere(repo), tip, ".ltm"); err == nil {
				t.Error("changes since a commit that is not here were listed")
			}
		})
	}
}

// TestRepo_Parent finds the first of several parents, and none where the history begins or a shallow clone
// ends.
func TestRepo_Parent(t *testing.T) {
	t.Parallel()
	for _, kind := range shapes() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			first, side := commit(r, ""), commit(r, entry(r, "100644", "keys", "a"))
			merge := commit(r, "", first, side)
			head := r.Git("rev-parse", "HEAD")
			want := map[string]string{
				first: "", merge: first,
				head: r.Git("rev-list", "--skip=1", "--max-count=1", head),
			}
			if kind == gittest.Shallow && want[head] != "" {
				t.Fatalf("the history of a shallow clone goes on at %q", want[head])
			}
			repo := opened(t, r.Dir, r.Env)
			for commit, parent := range want {
				if got, err := repo.History().Parent(t.Context(), commit); got != parent || err != nil {
					t.Errorf("Parent(%q) = %q, %v, want %q", commit, got, err, parent)
				}
			}
			if _, err := repo.History().Parent(t.Context(), "HEAD"); !errors.Is(err, git.ErrMissing) {
				t.Errorf("Parent of a name: %v, want ErrMissing", err)
			}
		})
	}
}
