package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestRepo_Update(t *testing.T) {
	t.Parallel()
	const ref = "refs/ltm/x/one"
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo := opened(t, r.Dir, r.Env)
			a, b, none := repo.Head.Commit, repo.Head.Tree, strings.Repeat("1", len(repo.Head.Commit))
			steps := []struct {
				name   string
				change git.Change
				want   error
				after  string
			}{
				{"create", git.Change{Kind: git.Create, New: a}, nil, a},
				{"create again", git.Change{Kind: git.Create, New: a}, nil, a},
				{"create with another object", git.Change{Kind: git.Create, New: b}, git.ErrConflict, a},
				{
					"update from another object",
					git.Change{Kind: git.Update, Old: b, New: none},
					git.ErrConflict, a,
				},
				{"update", git.Change{Kind: git.Update, Old: a, New: b}, nil, b},
				{"update again", git.Change{Kind: git.Update, Old: a, New: b}, nil, b},
				{"delete another object", git.Change{Kind: git.Delete, Old: a}, git.ErrConflict, b},
				{"delete", git.Change{Kind: git.Delete, Old: b}, nil, ""},
				{"delete again", git.Change{Kind: git.Delete, Old: b}, nil, ""},
				{"update what is gone", git.Change{Kind: git.Update, Old: a, New: b}, git.ErrConflict, ""},
			}
			for _, step := range steps {
				step.change.Ref = ref
				if err := repo.Update(t.Context(), []git.Change{step.change}); !errors.Is(err, step.want) {
					t.Errorf("%s: %v, want %v", step.name, err, step.want)
				}
				refs, err := repo.Refs(t.Context(), ref)
				if got := strings.Join(objectsOf(refs), " "); got != step.after || err != nil {
					t.Errorf("after %s: %q, %v, want %q", step.name, got, err, step.after)
				}
			}
		})
	}
}

// objectsOf are the objects of refs.
func objectsOf(refs []git.Ref) []string {
	var oids []string
	for _, ref := range refs {
		oids = append(oids, ref.Object)
	}
	return oids
}

func TestRepo_Update_allOrNone(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	r.Git("update-ref", "refs/ltm/x/b", repo.Head.Tree)
	changes := []git.Change{
		{Kind: git.Create, Ref: "refs/ltm/x/a", New: repo.Head.Commit},
		{Kind: git.Create, Ref: "refs/ltm/x/b", New: repo.Head.Commit},
	}
	if err := repo.Update(t.Context(), changes); !errors.Is(err, git.ErrConflict) {
		t.Errorf("update: %v, want ErrConflict", err)
	}
	if got := r.Git("for-each-ref", "--format=%(refname)", "refs/ltm"); got != "refs/ltm/x/b" {
		t.Errorf("half of the changes was made: %q", got)
	}
	changes[1].New = repo.Head.Tree // One change is made already, so only the other is left.
	if err := repo.Update(t.Context(), changes); err != nil {
		t.Error(err)
	}
	for _, change := range []git.Change{
		{Kind: git.Create, Ref: "HEAD", New: repo.Head.Commit},
		{Kind: git.Create, Ref: "refs/x/y\x00z", New: repo.Head.Commit},
		{Kind: git.Create, Ref: "refs/x/y", New: "main"},
		{Ref: "refs/x/y", New: repo.Head.Commit},
	} {
		if err := repo.Update(t.Context(), []git.Change{change}); err == nil ||
			errors.Is(err, git.ErrConflict) {
			t.Errorf("update %+v: %v, want a plain error", change, err)
		}
	}
}

func TestRepo_Update_waitsForLocks(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	lock := filepath.Join(r.Dir, ".git", "refs", "heads", "held.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		time.Sleep(200 * time.Millisecond) // The other process is slow; nothing else tells when git waits.
		_ = os.Remove(lock)
	}()
	change := git.Change{Kind: git.Create, Ref: "refs/heads/held", New: repo.Head.Commit}
	if err := repo.Update(t.Context(), []git.Change{change}); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, ".git", "refs", "heads", "ever.lock"), nil, 0o600); err !=
		nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	change.Ref = "refs/heads/ever"
	if err := repo.Update(ctx, []git.Change{change}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lock that stays: %v, want DeadlineExceeded", err)
	}
}

func TestRepo_Refs(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	r.Git("tag", "-a", "-m", "note", "v1")
	r.Git("symbolic-ref", "refs/tags/v0", "refs/heads/main")
	tag, commit := r.Git("rev-parse", "v1"), repo.Head.Commit
	gone := strings.Repeat("a", 40)
	want := []git.Ref{
		{Name: "refs/tags/v0", Object: commit, Symref: "refs/heads/main"},
		{Name: "refs/tags/v1", Object: tag},
	}
	check := func(want []git.Ref) {
		t.Helper()
		got, err := repo.Refs(t.Context(), "refs/tags/")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("refs: %v (-want +got):\n%s", err, diff)
		}
	}
	check(want)
	if err := os.WriteFile(filepath.Join(r.Dir, ".git", "refs", "tags", "v2"), []byte(gone+"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	check(append(want, git.Ref{Name: "refs/tags/v2", Object: gone}))
}

func TestRepo_UpdateMany(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo := opened(t, r.Dir, r.Env)
			many := []git.Change{
				{Kind: git.Create, Ref: "refs/ltm/x/one", New: repo.Head.Commit},
				{Kind: git.Create, Ref: "refs/ltm/x/two", New: repo.Head.Tree},
			}
			if err := repo.UpdateMany(t.Context(), many); err != nil {
				t.Fatal(err)
			}
			many[0].New, many[1].Ref = repo.Head.Tree, "refs/ltm/x/three"
			if err := repo.UpdateMany(t.Context(), many); !errors.Is(err, git.ErrConflict) {
				t.Errorf("another object under a name that is taken: %v, want %v", err, git.ErrConflict)
			}
			refs, err := repo.Refs(t.Context(), "refs/ltm/x")
			if diff := cmp.Diff([]string{repo.Head.Commit, repo.Head.Tree}, objectsOf(refs)); diff != "" ||
				err != nil {
				t.Errorf("refs afterwards (-want +got):\n%s%v", diff, err)
			}
			_, loose := os.Stat(filepath.Join(repo.CommonDir, "refs", "ltm", "x", "one"))
			packed, _ := os.ReadFile(filepath.Join(repo.CommonDir, "packed-refs"))
			if kind == gittest.Plain &&
				(loose == nil || !strings.Contains(string(packed), " refs/ltm/x/one\n")) {
				t.Errorf("the refs are not in the file of packed refs:\n%s", packed)
			}
		})
	}
}
