package refs_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// What waits is read as if tracking refs named it, by every store that is opened afterwards.
func TestStore_Wait(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		blob := save(t, store, 1).Object
		other := save(t, store, 3).Object
		r.Git("update-ref", "refs/ltm-remotes/a/packets/"+string(id(2)), other)
		r.Git("update-ref", "refs/ltm-remotes/a/packets/"+string(id(4)), other)
		name := func(n int) string { return "refs/ltm/packets/" + string(id(n)) }
		missing := store.BlobOID([]byte("taken by a collection of garbage"))
		err := store.Remote("a").Wait(
			knownList(blob + " " + name(1) + "\n" + blob + " " + name(2) + "\n" + blob + " " + name(5) + "\n" + missing + " " + name(7) + "\n"))
		if err == nil {
			err = store.Remote("team/b").Wait(knownList(blob + " " + name(6) + "\n"))
		}
		if err != nil {
			t.Fatal(err)
		}
		before := stampOf(t, store)
		store = open(t, r)
		here := []refs.Ref{
			{Name: refs.Name{Kind: refs.Packets, ID: id(1)}, Object: blob},
			// A plain fetch may have come later.
			{Name: refs.Name{Kind: refs.Packets, ID: id(2)}, Object: other, Remote: "a"},
			{Name: refs.Name{Kind: refs.Packets, ID: id(3)}, Object: other},
			{Name: refs.Name{Kind: refs.Packets, ID: id(4)}, Object: other, Remote: "a"},
			{Name: refs.Name{Kind: refs.Packets, ID: id(5)}, Object: blob, Remote: "a"},
			{Name: refs.Name{Kind: refs.Packets, ID: id(6)}, Object: blob, Remote: "team/b"},
		}
		if diff := cmp.Diff(here, listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true})); diff !=
			"" {
			t.Errorf("list (-want +got):\n%s", diff)
		}
		back := listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true, Newest: true})
		for i, ref := range back {
			if ref != here[len(here)-1-i] {
				t.Errorf("newest first: %v at %d", ref, i)
			}
		}
		for _, ref := range here {
			if got, err := store.Lookup(t.Context(), ref.Name); err != nil || got != ref {
				t.Errorf("lookup: got %v, %v, want %v", got, err, ref)
			}
		}
		if found, err := store.Match(t.Context(), refs.Name{Kind: refs.Packets}, string(id(6))); err != nil ||
			len(found) != 1 {
			t.Errorf("match: %v, %v", found, err)
		}
		if _, err := store.Lookup(t.Context(), refs.Name{Kind: refs.Packets, ID: id(7)}); err == nil {
			t.Error("what is not here is found")
		}
		if err := store.Delete(t.Context(), here[5:]); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Erase(t.Context(), []packet.ID{id(5)}, nil); err != nil {
			t.Fatal(err)
		}
		if now := stampOf(t, store); now.Packed == before.Packed {
			t.Error("the packed part of the stamp is as before")
		}
		want := here[:4]
		for _, s := range []*refs.Store{store, open(t, r)} {
			if diff := cmp.Diff(want, listed(t, s, refs.Query{Kind: refs.Packets, Remotes: true})); diff !=
				"" {
				t.Errorf("list after delete and erase (-want +got):\n%s", diff)
			}
		}
	})
}

// An archive that waits is read as one of its remote.
func TestStore_Offer_archive(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	commit := r.Git("commit-tree", "-m", "a", r.Git("mktree"))
	store.Remote("a").Offer(knownList(commit + " refs/ltm/archive/2026-Q3/" + commit + "\n"))
	all, err := store.Archives.List(t.Context())
	want := []refs.Archive{{Name: "2026-Q3/" + commit, Remote: "a", Commit: commit}}
	if diff := cmp.Diff(want, all); diff != "" || err != nil {
		t.Errorf("archives (-want +got):\n%s%v", diff, err)
	}
	store.Remote("a").Offer(git.RefList{})
	if all, err := store.Archives.List(t.Context()); len(all) > 0 || err != nil {
		t.Errorf("archives of nothing: %v, %v", all, err)
	}
}

func TestStore_Known(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	ref := save(t, store, 1)
	if err := store.Remote("team/eu").KeepKnown(git.RefList{}, knownList(ref.Object+" "+ref.Full()+"\n")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{ref.Full(): ref.Object}
	got, err := open(t, r).Remote("team/eu").Holds(t.Context())
	if diff := cmp.Diff(want, maps.Collect(got.All())); diff != "" || err != nil {
		t.Errorf("known (-want +got):\n%s%v", diff, err)
	}
	if err := store.Remote("team/eu").KeepKnown(git.RefList{}, git.RefList{}); err != nil {
		t.Fatal(err)
	}
	for name := range store.Remote("team/eu").Known().All() {
		t.Errorf("known of nothing: %q", name)
	}
}

// knownList reads a list as git writes packed-refs.
func knownList(text string) git.RefList {
	return git.ReadRefList(text, func(_, _ string) bool { return true })
}
