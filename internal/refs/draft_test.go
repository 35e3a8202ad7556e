package refs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// drafts returns the drafts of a store.
func drafts(t *testing.T, store *refs.Store) []refs.Draft {
	t.Helper()
	found, err := store.Drafts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// draft stores one.
func draft(t *testing.T, store *refs.Store, at refs.Draft, text string) refs.Draft {
	t.Helper()
	made, err := store.WriteDraft(t.Context(), at, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestStore_drafts(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		first := draft(t, store, refs.Draft{ID: id(1)}, "one")
		second := draft(t, store, refs.Draft{ID: id(2)}, "two")
		if diff := cmp.Diff([]refs.Draft{second, first}, drafts(t, store)); diff != "" {
			t.Errorf("Drafts (-want +got):\n%s", diff)
		}

		again := draft(t, store, first, "one, continued")
		if data, err := store.ReadDraft(t.Context(), again, 100); err != nil ||
			string(data) != "one, continued" {
			t.Errorf("ReadDraft = %q, %v, want what was written last", data, err)
		}
		if _, err := store.WriteDraft(t.Context(), first, []byte("from behind")); !errors.Is(err,
			git.ErrConflict) {
			t.Errorf("WriteDraft over a draft that changed = %v, want a conflict", err)
		}
		if _, err := store.WriteDraft(t.Context(), refs.Draft{ID: id(2)}, []byte("new")); !errors.Is(err,
			git.ErrConflict) {
			t.Errorf("WriteDraft of a new draft over another = %v, want a conflict", err)
		}

		if err := store.DropDrafts(t.Context(), first, second); !errors.Is(err, git.ErrConflict) {
			t.Errorf("DropDrafts with one that changed = %v, want a conflict", err)
		}
		if err := store.DropDrafts(t.Context(), again); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]refs.Draft{second}, drafts(t, store)); diff != "" {
			t.Errorf("Drafts after one was dropped (-want +got):\n%s", diff)
		}
	})
}

func TestStore_drafts_areNoRecords(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	made := draft(t, store, refs.Draft{ID: id(1)}, "one")
	if _, ok := refs.ParsePrivate(made.Ref()); ok {
		t.Errorf("ParsePrivate(%q) takes a draft for a record", made.Ref())
	}
	for _, kind := range []refs.Kind{refs.Packets, refs.Notes, refs.Skips, refs.Events} {
		private := refs.Name{Kind: kind, ID: id(1), Private: true}
		if _, err := store.Lookup(t.Context(), private); !errors.Is(err, refs.ErrNotFound) {
			t.Errorf("Lookup(%s) of a draft = %v, want not found", kind, err)
		}
	}
	if got := listedPrivate(t, store); len(got) > 0 {
		t.Errorf("private packets = %v, want none", got)
	}
	if stray, err := store.Stray(t.Context()); err != nil || len(stray) > 0 {
		t.Errorf("Stray = %v, %v, want none", stray, err)
	}
}

func TestStore_drafts_hostile(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	long := draft(t, store, refs.Draft{ID: id(1)}, strings.Repeat("x", 200))
	var large *refs.TooLargeError
	if _, err := store.ReadDraft(t.Context(), long, 100); !errors.As(err, &large) {
		t.Errorf("ReadDraft of what is too long = %v, want a *TooLargeError", err)
	}

	tree := r.Feed("", "mktree")
	r.Git("update-ref", "refs/ltm-local/drafts/"+string(id(2)), tree)
	if _, err := store.ReadDraft(t.Context(), refs.Draft{ID: id(2), Object: tree}, 100); !errors.Is(err,
		refs.ErrShape) {
		t.Errorf("ReadDraft of a tree = %v, want ErrShape", err)
	}

	r.Git("update-ref", "refs/ltm-local/drafts/"+strings.ToLower(string(id(3))), long.Object)
	r.Git("update-ref", "refs/ltm-local/drafts/a/"+string(id(4)), long.Object)
	if diff := cmp.Diff([]refs.Draft{{ID: id(2), Object: tree}, long}, drafts(t, store)); diff != "" {
		t.Errorf("Drafts beside names of other shapes (-want +got):\n%s", diff)
	}
	for _, name := range []packet.ID{"", "../evil", "a b"} {
		if _, err := store.WriteDraft(t.Context(), refs.Draft{ID: name}, []byte("x")); err == nil {
			t.Errorf("WriteDraft takes the name %q", name)
		}
		if err := store.DropDrafts(t.Context(), refs.Draft{ID: name, Object: tree}); err == nil {
			t.Errorf("DropDrafts takes the name %q", name)
		}
	}
}
