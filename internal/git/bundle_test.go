package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestRepo_CreateBundle shows that a bundle brings the refs that it names to a repository that has nothing.
func TestRepo_CreateBundle(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256, gittest.Partial, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, kind)
			e.Git("tag", "-a", "-m", "x", "v1", e.blobs[1])
			e.Git("update-ref", "refs/ltm/packets/a", e.blobs[0])
			e.Git("update-ref", "refs/ltm/packets/b", "v1")
			e.Git("update-ref", "refs/ltm/packets/same", e.blobs[0])
			e.Git("update-ref", "refs/ltm/other", e.blobs[2])
			refs := []string{"refs/ltm/packets/a", "refs/ltm/packets/b", "refs/ltm/packets/same"}
			if err := e.repo.CreateBundle(t.Context(), "-x.bundle", refs); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(e.Dir, "-x.bundle")
			into := opened(t, e.remote, e.Env)
			if err := into.FetchInto(t.Context(), file, []string{"refs/ltm/*:refs/ltm/*"}); err != nil {
				t.Fatal(err)
			}
			want := e.Git("for-each-ref", "refs/ltm/packets")
			if diff := cmp.Diff(want, e.Git("--git-dir="+e.remote, "for-each-ref")); diff != "" {
				t.Errorf("refs (-want +got):\n%s", diff)
			}
			e.Git("--git-dir="+e.remote, "fsck", "--strict", "--no-dangling")
		})
	}
}

func TestRepo_CreateBundle_errors(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	file := filepath.Join(t.TempDir(), "x")
	for name, refs := range map[string][]string{
		"none": nil, "an option": {"--all"}, "a short name": {"main"},
		"one that is not here": {"refs/ltm/none"}, "all but one": {"^refs/heads/main"},
		"two in one": {"refs/heads/main\n--all"},
	} {
		if err := e.repo.CreateBundle(t.Context(), file, refs); err == nil {
			t.Errorf("%s: a bundle was written", name)
		}
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("a file was left")
	}
}
