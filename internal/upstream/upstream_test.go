package upstream_test

import (
	"errors"
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
	other := want
	other.URL = "/srv/other.git"
	if err := other.Keep(repo); err != nil {
		t.Fatal(err)
	}
	if !want.IsFixed(repo) || other.IsFixed(repo) {
		t.Errorf("IsFixed = %v, and %v of one that was only kept, want true and false", want.IsFixed(repo),
			other.IsFixed(repo))
	}
	if err := upstream.Forget(repo); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := upstream.Of(repo); ok || err != nil {
		t.Errorf("Of after Forget = %v, %v, want none", ok, err)
	}
}

// TestUpstream_Check holds that an upstream is another place as soon as git would go elsewhere by its name,
// in whatever way that is configured, and that a password is none of the place.
func TestUpstream_Check(t *testing.T) {
	t.Parallel()
	const address = "https://host.example/team.git"
	for name, c := range map[string]struct {
		change []string // arguments of git
		now    string
	}{
		"nothing": {[]string{"config", "branch.main.pushRemote", "fork"}, ""},
		"a password": {[]string{
			"remote", "set-url", "origin",
			"https://ada:" + "pass" + "word@host.example/team.git",
		}, ""},
		"another address": {[]string{"remote", "set-url", "origin", "/elsewhere.git"}, "/elsewhere.git"},
		"rewritten": {
			[]string{"config", "url./elsewhere/.insteadOf", "https://host.example/"},
			"/elsewhere/team.git",
		},
		"a push elsewhere": {
			[]string{"config", "remote.origin.pushurl", "/elsewhere.git"},
			address + " (push: /elsewhere.git)",
		},
		"by another file": {[]string{"config", "include.path", "more"}, "/more.git"},
		"gone":            {[]string{"remote", "remove", "origin"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			r.Git("config", "remote.origin.url", address)
			repo, err := git.Open(t.Context(), r.Dir, r.Env)
			if err != nil {
				t.Fatal(err)
			}
			config, err := repo.Config(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			u, ok := upstream.At(config, "origin")
			if !ok || u.Check(t.Context(), repo) != nil {
				t.Fatalf("At = %+v, %v, want it as it is", u, ok)
			}
			r.Git("config", "--file", ".git/more", "remote.origin.url", "/more.git")
			if name == "by another file" {
				r.Git("remote", "remove", "origin")
			}
			r.Git(c.change...)
			changed, is := errors.AsType[*upstream.ChangedError](u.Check(t.Context(), repo))
			if is != (c.now != "" || name == "gone") ||
				is && (changed.Now != c.now || changed.Fixed != address) {
				t.Errorf("Check = %v, want it to be %q now", changed, c.now)
			}
		})
	}
}
