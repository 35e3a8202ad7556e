package git_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestRepo_Refs_parts(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	for _, name := range []string{"a/c/01AB", "a/b/01AB/later", "a/01ABC", "b/01AB", "a/01XY", "a/other"} {
		r.Git("update-ref", "refs/x/"+name, "HEAD")
	}
	repo := opened(t, r.Dir, r.Env)
	for _, packed := range [][]string{{"pack-refs", "--all"}, {"version"}} {
		listed, err := repo.Refs(t.Context(), "refs/x/a/**/01AB", "refs/x/a/**/01AB/**", "refs/x/a/**/01XY",
			"refs/x/a/**/01XY/**", "refs/y/**/01AB")
		var got []string
		for _, ref := range listed {
			got = append(got, ref.Name)
		}
		want := []string{"refs/x/a/01XY", "refs/x/a/b/01AB/later", "refs/x/a/c/01AB"}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("listed: %v (-want +got):\n%s", err, diff)
		}
		r.Git(packed...)
	}
}
