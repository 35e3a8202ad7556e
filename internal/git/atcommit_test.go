package git_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestBatch_At(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			put(t, r, "a/b/c d", "x")
			if err := os.Symlink("a", r.Dir+"/link"); err != nil {
				t.Fatal(err)
			}
			head := commitAll(r, "one")
			put(t, r, "a/x-g"+head[:8], "y")
			head = commitAll(r, "two")
			none := strings.Repeat("3", len(head))
			batch, err := opened(t, r.Dir, r.Env).Objects(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = batch.Close() }()
			file, odd := r.Git("rev-parse", head+":a/b/c d"), r.Feed("y", "hash-object", "--stdin")
			got, err := git.FindPlaces([]git.Place{
				{head, "a/b/c d"},
				{head, "a"},
				{head, "a/b/"},
				{head, "link"},
				{head, "link/b"},
				{head, "a/b/c d/e"},
				{head, "*"},
				{head, "../a"},
				{none, "a"},
				{file, "a"},
				{"HEAD", "a"},
				{head, "a/x-g" + r.Git("rev-parse", "HEAD~")[:8]},
			}, batch.Read)
			want := []git.Standing{
				{OID: file, Mode: "100644"},
				{OID: r.Git("rev-parse", head+":a"), Mode: "40000"},
				{OID: r.Git("rev-parse", head+":a/b"), Mode: "40000"},
				{OID: r.Git("rev-parse", head+":link"), Mode: "120000"},
				{Err: git.ErrNoPath},
				{Err: git.ErrNoPath},
				{Err: git.ErrNoPath},
				{Err: git.ErrNoPath},
				{Err: git.ErrMissing},
				{Err: git.ErrMissing},
				{Err: git.ErrMissing},
				{OID: odd, Mode: "100644"},
			}
			for i := range got {
				if got[i].Err != nil {
					got[i].OID, got[i].Mode = "", ""
				}
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" || err != nil {
				t.Errorf("at: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// An object that a partial clone has not fetched is not fetched by looking at it.
func TestRepo_Offline(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Partial)
	repo := opened(t, r.Dir, r.Env).Offline()
	batch, err := repo.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at, err := git.FindPlaces([]git.Place{{r.Git("rev-parse", "HEAD~"), "file"}}, batch.Read)
	if err != nil || at[0].Err != nil {
		t.Fatalf("old blob: %v, %v", at, err)
	}
	if _, data, err := batch.Read(at[0].OID, 100); err == nil {
		t.Errorf("an object that is elsewhere was read: %q", data)
	}
	_ = batch.Close()
	if here := r.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)"); strings.Contains(here,
		at[0].OID) {
		t.Error("the object was fetched")
	}
	nowhere := strings.Repeat("3", 40)
	if _, err := repo.History().ChangedSince(t.Context(), nowhere, []string{"file"}); !errors.Is(err,
		git.ErrMissing) {
		t.Errorf("a commit that is not here: %v, want ErrMissing", err)
	}
}
