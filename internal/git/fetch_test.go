package git_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestHistory_Made asks for the times and the authors of commits by names that git understands, and by others.
func TestHistory_Made(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	r.Git("tag", "-a", "-m", "v1", "v1")
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	want, author := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), r.Git("log", "-1", "--format=%an")
	for _, revision := range []string{"HEAD", "HEAD~1", "main", "v1", repo.Head.Commit} {
		got, err := repo.History().Made(t.Context(), revision)
		if err != nil || !got.At.Equal(want) || got.Author != author {
			t.Errorf("Made(%q) = %v, %v, want %v by %q", revision, got, err, want, author)
		}
	}
	for _, revision := range []string{"nothing", "HEAD^{tree}", "", "--all", "-", strings.Repeat("1", 40)} {
		if got, err := repo.History().Made(t.Context(), revision); !errors.Is(err, git.ErrMissing) {
			t.Errorf("Made(%q) = %v, %v, want ErrMissing", revision, got, err)
		}
	}
}

// TestRepo_FetchRefs shows that a fetch brings the refs that it names, and nothing else.
func TestRepo_FetchInto_tracking(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Bare)
	origin := r.Git("remote", "get-url", "origin")
	commit := r.Git("rev-parse", "HEAD")
	r.Git("push", "-q", origin, "HEAD:refs/ltm/one", "HEAD:refs/tags/v1", "HEAD:refs/heads/other")
	r.Git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
	r.Git("update-ref", "refs/ltm-remotes/origin/gone", commit)
	before := r.Git("for-each-ref", "--format=%(refname)")
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	if err := repo.FetchInto(t.Context(), "origin", []string{"+refs/ltm/*:refs/ltm-remotes/origin/*"}); err !=
		nil {
		t.Fatal(err)
	}
	want := strings.Replace(before, "refs/ltm-remotes/origin/gone",
		"refs/ltm-remotes/origin/gone\nrefs/ltm-remotes/origin/one", 1)
	if got := r.Git("for-each-ref", "--format=%(refname)"); got != want {
		t.Errorf("refs:\n%s\nwant:\n%s", got, want)
	}
	if err := repo.FetchInto(t.Context(), "nowhere",
		[]string{"+refs/ltm/*:refs/ltm-remotes/nowhere/*"}); err == nil {
		t.Error("a remote that is not there was fetched")
	}
}
