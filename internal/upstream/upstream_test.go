package upstream_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// TestUpstream holds that a clone has no upstream until one is fixed, and none again once it is forgotten.
func TestUpstream(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := upstream.Of(repo); ok || err != nil {
		t.Errorf("Of a fresh clone = %v, %v, want none", ok, err)
	}
	want := upstream.Upstream{Remote: "origin", URL: "/srv/project.git", Trust: upstream.Remote, Share: true}
	if err := want.Fix(repo); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := upstream.Of(repo); !ok || err != nil || got != want {
		t.Errorf("Of = %+v, %v, %v, want %+v", got, ok, err, want)
	}
	if err := upstream.Forget(repo); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := upstream.Of(repo); ok || err != nil {
		t.Errorf("Of after Forget = %v, %v, want none", ok, err)
	}
}
