package refs_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// private is the n-th packet, of this clone alone.
func private(n int) refs.Name {
	name := name(n)
	name.Private = true
	return name
}

// savePrivate stores a private record.
func savePrivate(t *testing.T, store *refs.Store, n int, data string) refs.Ref {
	t.Helper()
	made, err := store.Create(t.Context(), []refs.New{{Name: private(n), Data: []byte(data)}})
	if err != nil {
		t.Fatal(err)
	}
	return made[0]
}

// listedPrivate returns the private packets, newest first.
func listedPrivate(t *testing.T, store *refs.Store) []packet.ID {
	t.Helper()
	var ids []packet.ID
	for ref, err := range store.ListPrivate(t.Context(), refs.Query{Kind: refs.Packets, Newest: true}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, ref.Name.ID)
	}
	return ids
}

func TestStore_private(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			store := open(t, r)
			shared := save(t, store, 1)
			same := savePrivate(t, store, 1, "of this clone\n")
			other := savePrivate(t, store, 2, "of this clone too\n")

			if got, want := same.Full(), "refs/ltm-local/packets/"+string(id(1)); got != want {
				t.Errorf("a private record lies at %q, want %q", got, want)
			}
			if diff := cmp.Diff([]packet.ID{id(2), id(1)}, listedPrivate(t, store)); diff != "" {
				t.Errorf("private records (-want +got):\n%s", diff)
			}
			if got, err := store.Lookup(t.Context(), name(1)); err != nil ||
				got.Object != shared.Object || got.Name.Private {
				t.Errorf("Lookup finds %v, %v; want the record that travels", got, err)
			}
			if got, err := store.Lookup(t.Context(), name(2)); !errors.Is(err, refs.ErrNotFound) {
				t.Errorf("Lookup finds the private record %v, %v", got, err)
			}
			if got, err := store.Lookup(t.Context(), other.Name); err != nil || got != other {
				t.Errorf("Lookup finds %v, %v; want %v", got, err, other)
			}
			third := refs.Name{Kind: refs.Packets, ID: id(3), Private: true}
			if _, err := store.Lookup(t.Context(), third); !errors.Is(err, refs.ErrNotFound) {
				t.Errorf("Lookup of nothing: %v", err)
			}
			part := string(id(2))[18:]
			third.ID = ""
			got, err := store.Match(t.Context(), third, part)
			if err != nil || len(got) != 1 || got[0] != other {
				t.Errorf("Match(%q) = %v, %v; want %v", part, got, err, other)
			}
			if n, err := counted(t.Context(), store); err != nil || n != 1 {
				t.Errorf("Count = %d, %v; want the one that travels", n, err)
			}
			for ref, err := range store.List(t.Context(), refs.Query{Kind: refs.Packets, Remotes: true}) {
				if err != nil || ref.Name.Private || ref.Object == same.Object {
					t.Errorf("List yields %v, %v; want no private record", ref, err)
				}
			}
			if obj, err := store.Read(t.Context(), same); err != nil ||
				string(obj.Data) != "of this clone\n" {
				t.Errorf("Read = %q, %v", obj.Data, err)
			}
			if err := store.Delete(t.Context(), []refs.Ref{other}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]packet.ID{id(1)}, listedPrivate(t, store)); diff != "" {
				t.Errorf("after one was deleted (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStore_private_writtenOnce(t *testing.T) {
	t.Parallel()
	store := open(t, gittest.Repo(t, gittest.Plain))
	first := savePrivate(t, store, 1, "first\n")
	if again := savePrivate(t, store, 1, "first\n"); again != first {
		t.Errorf("saved again it is %v, want %v", again, first)
	}
	_, err := store.Create(t.Context(), []refs.New{{Name: private(1), Data: []byte("second\n")}})
	if !errors.Is(err, refs.ErrExists) {
		t.Errorf("another record under the name: %v, want ErrExists", err)
	}
}

// A private record is brought back as any other, and never from what a remote holds under its id.
func TestStore_Heal_private(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	lost, unnamed, broken := savePrivate(t, store, 1, "one\n"), savePrivate(t, store, 2, "two\n"),
		savePrivate(t, store, 3, "three\n")
	theirs := save(t, store, 3)
	r.Git("update-ref", "refs/ltm-remotes/origin/packets/"+string(id(3)), theirs.Object)
	lose(t, r, lost.Object)
	r.Git("update-ref", "-d", unnamed.Full())
	if err := os.Remove(inGit(r, "ltm", "spool", "private-packets-"+string(id(3)))); err != nil {
		t.Fatal(err)
	}
	overwrite(t, r, broken.Full(), "")
	minute := time.Now().Add(-time.Minute)
	if err := os.Chtimes(inGit(r, "ltm", "spool", "private-packets-"+string(id(2))), minute, minute); err !=
		nil {
		t.Fatal(err)
	}
	report := healedReport(t, store)
	if diff := cmp.Diff([]string{lost.Full(), unnamed.Full()}, report.Restored, sorted); diff != "" {
		t.Errorf("brought back (-want +got):\n%s", diff)
	}
	if want := []refs.Broken{{Ref: broken.Full(), Reason: "empty"}}; cmp.Diff(want, report.Quarantined) !=
		"" {
		t.Errorf("put aside: %v, want %v", report.Quarantined, want)
	}
	if diff := cmp.Diff([]packet.ID{id(2), id(1)}, listedPrivate(t, store)); diff != "" {
		t.Errorf("private records (-want +got):\n%s", diff)
	}
}
