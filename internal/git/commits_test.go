package git_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestRepo_Commits reads the history of HEAD with what people wrote, within bounds, and no signature or note
// changes the form.
func TestRepo_Commits(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	before, err := opened(t, r.Dir, r.Env).History().Commits(t.Context(), git.Range{})
	must(t, err)
	first := r.Commit("feat: one\n\nBody of\ntwo lines\n\nRefs: #1")
	second := r.Commit("fix: two")
	r.Git("config", "log.showSignature", "true")
	r.Git("notes", "add", "-m", "a note", second)
	repo := opened(t, r.Dir, r.Env)
	all, err := repo.History().Commits(t.Context(), git.Range{})
	must(t, err)
	if len(all) != len(before)+2 || all[0].Hash != second || all[1].Hash != first {
		t.Fatalf("Commits = %+v, want %s and %s first", all, second, first)
	}
	if diff := cmp.Diff([]string{"feat: one", "Body of\ntwo lines\n\nRefs: #1\n"},
		[]string{all[1].Subject, all[1].Body}); diff != "" {
		t.Errorf("first commit (-want +got):\n%s", diff)
	}
	if all[0].Email == "" || all[0].Author == "" || all[0].At.Location() != time.UTC {
		t.Errorf("second commit has no author or time: %+v", all[0])
	}
	some, err := repo.History().Commits(t.Context(), git.Range{Not: first})
	must(t, err)
	if len(some) != 1 || some[0].Hash != second {
		t.Errorf("Commits behind %s = %+v, want %s", first, some, second)
	}
	late := git.Range{Since: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)}
	none, err := repo.History().Commits(t.Context(), late)
	must(t, err)
	if len(none) != 0 {
		t.Errorf("Commits since 2099 = %+v, want none", none)
	}
	for _, not := range []string{"--all", "missing", nowhere(repo)} {
		if _, err := repo.History().Commits(t.Context(), git.Range{Not: not}); !errors.Is(err, git.ErrMissing) {
			t.Errorf("Commits behind %q: error %v, want ErrMissing", not, err)
		}
	}
}

// TestRepo_TagsMade tells annotated tags on commits, and no others.
func TestRepo_TagsMade(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	tip := r.Commit("one")
	r.Git("tag", "light", tip)
	r.Git("tag", "-a", "-m", "message", "v1.0", tip)
	r.Git("tag", "-a", "-m", "message", "of-tree", tip+"^{tree}")
	got, err := opened(t, r.Dir, r.Env).History().TagsMade(t.Context())
	must(t, err)
	if len(got) != 1 || got[0].Name != "v1.0" || got[0].Commit != tip ||
		got[0].Object != r.Git("rev-parse", "v1.0") || got[0].Email == "" || got[0].At.IsZero() {
		t.Errorf("TagsMade = %+v, want v1.0 on %s", got, tip)
	}
}
