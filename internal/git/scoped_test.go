package git_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestRepo_ScopedSettings(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	r.Git("config", "--global", "ltm.x", "mine")
	r.Git("config", "ltm.x", "of the repository\nin two lines")
	env := append(slices.Clone(r.Env), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=ltm.x", "GIT_CONFIG_VALUE_0=")
	repo, err := git.Open(t.Context(), r.Dir, env)
	if err != nil {
		t.Fatal(err)
	}
	got, err := repo.Settings().Scoped(t.Context(), "ltm.x")
	if err != nil {
		t.Fatal(err)
	}
	want := []git.Scoped{
		{Scope: "global", Value: "mine"},
		{Scope: "local", Value: "of the repository\nin two lines"},
		{Scope: "command"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(git.Scoped{})); diff != "" {
		t.Errorf("ScopedSettings (-want +got):\n%s", diff)
	}
	for i, own := range []bool{true, false, true} {
		if got[i].Own() != own {
			t.Errorf("%+v is the person's own: %v, want %v", got[i], !own, own)
		}
	}
	if none, err := repo.Settings().Scoped(t.Context(), "ltm.other"); err != nil || none != nil {
		t.Errorf("ScopedSettings of a key without a value = %v, %v", none, err)
	}
}
