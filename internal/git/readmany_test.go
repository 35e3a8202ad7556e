package git_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestBatch_ReadMany compares the answers about many objects with those about each, more than fit into one
// question.
func TestBatch_ReadMany(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo, err := git.Open(t.Context(), r.Dir, r.Env)
			if err != nil {
				t.Fatal(err)
			}
			wanted := []git.Wanted{
				{OID: repo.Head.Commit, Max: 4096},
				{OID: "--help", Max: 1},
				{OID: strings.Repeat("1", len(r.Git("rev-parse", "HEAD"))), Max: 1},
			}
			for n := range 150 {
				text := strings.Repeat(fmt.Sprintln("line", n), n)
				wanted = append(wanted,
					git.Wanted{OID: r.Feed(text, "hash-object", "-w", "--stdin"), Max: 1000})
			}
			batch, err := repo.Objects(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = batch.Close() }()
			answers, err := batch.ReadMany(wanted)
			if err != nil || len(answers) != len(wanted) {
				t.Fatalf("%d answers to %d questions, %v", len(answers), len(wanted), err)
			}
			large := 0
			for i, w := range wanted {
				typ, data, err := batch.Read(w.OID, w.Max)
				got := answers[i]
				if got.Err == nil && (got.Type != typ || string(got.Data) != string(data)) ||
					fmt.Sprint(got.Err) != fmt.Sprint(err) {
					t.Errorf("object %s: %s, %d bytes, %v, want %s, %d bytes, %v", w.OID, got.Type,
						len(got.Data), got.Err, typ, len(data), err)
				}
				if _, ok := errors.AsType[*git.TooLargeError](got.Err); ok {
					large++
				}
			}
			if !errors.Is(answers[1].Err, git.ErrMissing) || !errors.Is(answers[2].Err, git.ErrMissing) ||
				large < 10 {
				t.Errorf("missing: %v and %v, %d too large", answers[1].Err, answers[2].Err, large)
			}
		})
	}
}

// TestRepo_CommitTime asks for the times of commits by names that git understands, and by others.
func TestRepo_CommitTime(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	r.Git("tag", "-a", "-m", "v1", "v1")
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, revision := range []string{"HEAD", "HEAD~1", "main", "v1", repo.Head.Commit} {
		if got, err := repo.CommitTime(t.Context(), revision); err != nil || !got.Equal(want) {
			t.Errorf("CommitTime(%q) = %v, %v, want %v", revision, got, err, want)
		}
	}
	for _, revision := range []string{"nothing", "HEAD^{tree}", "", "--all", "-", strings.Repeat("1", 40)} {
		if got, err := repo.CommitTime(t.Context(), revision); !errors.Is(err, git.ErrMissing) {
			t.Errorf("CommitTime(%q) = %v, %v, want ErrMissing", revision, got, err)
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
