package refs_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// The top of the commit that a symbolic ref stands for is read as git reads it.
func TestStore_AtTop(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	tree := r.Feed("040000 tree "+r.Git("mktree")+"\t.ltm\n100644 blob "+
		r.Feed("a", "hash-object", "-w", "--stdin")+"\ta b\n", "mktree")
	commit := r.Git("commit-tree", "-m", "a", tree)
	r.Git("update-ref", "refs/remotes/o/main", commit)
	store := open(t, r)
	head := func(want string, shaped bool) {
		t.Helper()
		if got, err := store.Head(t.Context(), "refs/remotes/o/HEAD"); got != want || (err == nil) != shaped {
			t.Errorf("Head = %q, %v, want %q", got, err, want)
		}
	}
	head("", true)
	r.Git("symbolic-ref", "refs/remotes/o/HEAD", "refs/remotes/o/main")
	head(commit, true)
	r.Git("pack-refs", "--all")
	head(commit, true)
	for name, want := range map[string]string{
		".ltm": r.Git("mktree"),
		"a b":  r.Git("rev-parse", commit+":a b"), "a": "", "b": "",
	} {
		if got, err := store.AtTop(t.Context(), commit, name); got != want || err != nil {
			t.Errorf("AtTop %q = %q, %v, want %q", name, got, err, want)
		}
	}
	r.Git("symbolic-ref", "refs/remotes/o/HEAD", "refs/heads/main")
	head("", false)
	r.Git("symbolic-ref", "-d", "refs/remotes/o/HEAD")
	r.Git("update-ref", "refs/remotes/o/HEAD", commit)
	head("", false)
	r.Git("pack-refs", "--all")
	head("", false)
}
