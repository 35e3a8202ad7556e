package refs_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// A young ref changes the loose part of a stamp alone; packing changes both.
func TestStore_Stamp_parts(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	first := save(t, store, 1)
	r.Git("pack-refs", "--all")
	for _, step := range []struct {
		name          string
		change        func()
		packed, loose bool // what is another one afterwards
	}{
		{"a record", func() { save(t, store, 2) }, false, true},
		{"a tracking ref", func() {
			r.Git("update-ref", "refs/ltm-remotes/o/packets/"+string(id(7)), first.Object)
		}, false, true},
		{"a private record", func() {
			r.Git("update-ref", "refs/ltm-local/packets/"+string(id(7)), first.Object)
		}, false, true},
		{"a removed loose ref", func() {
			r.Git("update-ref", "-d", "refs/ltm-local/packets/"+string(id(7)))
		}, false, true},
		{"a branch", func() {
			r.Git("update-ref", "refs/heads/b", r.Git("commit-tree", "-m", "a", r.Git("mktree")))
		}, false, false},
		{"a later signature", func() {
			r.Git("update-ref", "refs/ltm/endorse/"+string(id(1))+"/0123456789abcdef", first.Object)
		}, false, false},
		{"packed refs", func() { r.Git("pack-refs", "--all") }, true, true},
		{"a removed packed ref", func() { r.Git("update-ref", "-d", first.Full()) }, true, false},
	} {
		grown(t, commonDir(t, r))
		before := stampOf(t, store)
		step.change()
		for range 2 { // first with the time of now, and then as what is old
			now := stampOf(t, store)
			if (now.Packed != before.Packed) != step.packed {
				t.Errorf("%s: the packed part changed: %v", step.name, !step.packed)
			}
			if step.loose && now.Loose == before.Loose {
				t.Errorf("%s: the loose part did not change", step.name)
			}
			grown(t, commonDir(t, r))
		}
		if now := stampOf(t, store); !step.loose && !step.packed && now != before {
			t.Errorf("%s: the stamp changed", step.name)
		}
	}
}

// An archive is of the packed part, even where its ref is loose: it speaks of many records.
func TestStore_Stamp_archive(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	save(t, store, 1)
	commit := r.Git("commit-tree", "-m", "a", r.Git("mktree"))
	for _, ref := range []string{
		"refs/ltm/archive/2026-Q3/" + commit,
		"refs/ltm-remotes/team/eu/archive/2026-Q3/" + commit,
	} {
		before := stampOf(t, store)
		r.Git("update-ref", ref, commit)
		if now := stampOf(t, store); now.Packed == before.Packed {
			t.Errorf("after %s the packed part is as before", ref)
		}
	}
}

// A packed-refs file of a moment ago goes by what it holds: the next one may have its size and its time.
func TestStore_Stamp_packedTwice(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	save(t, store, 1)
	r.Git("pack-refs", "--all")
	file := filepath.Join(r.Dir, ".git", "packed-refs")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	moment := time.Now().Add(time.Minute)
	before := ""
	for i := range 2 {
		data[len(data)-3] = byte('A' + i)
		if err := errors.Join(os.WriteFile(file, data, 0o600), os.Chtimes(file, moment, moment)); err != nil {
			t.Fatal(err)
		}
		now := stampOf(t, store).Packed
		if now == before || now == "" {
			t.Errorf("the packed part is %q, as before", now)
		}
		before = now
	}
}

// all lists every record as a user of the list would keep it, and which of them are young.
func all(t *testing.T, store *refs.Store) (objects map[string]string, young []refs.Name) {
	t.Helper()
	objects = map[string]string{}
	for _, kind := range []refs.Kind{refs.Packets, refs.Notes} {
		q := refs.Query{Kind: kind, Remotes: true}
		for _, list := range []iter.Seq2[refs.Ref, error]{
			store.List(t.Context(), q),
			store.ListPrivate(t.Context(), q),
		} {
			for ref, err := range list {
				if err != nil {
					t.Fatal(err)
				}
				objects[ref.Name.Ref()] = said(ref)
				if ref.Young {
					young = append(young, ref.Name)
				}
			}
		}
	}
	return objects, young
}

func said(ref refs.Ref) string { return fmt.Sprint(ref.Full(), ref.Object, ref.Conflict) }

// Whoever keeps a list, and follows Young as long as the packed part of the stamp is the same, has the list
// of now.
func TestStore_Young_follows(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // The same in each run.
		save(t, store, 1)
		blobs := []string{
			r.Git("hash-object", "-w", "-t", "blob", "/dev/null"),
			listed(t, store, refs.Query{Kind: refs.Packets})[0].Object,
		}
		stamp := stampOf(t, store)
		kept, young := all(t, store)
		followed := 0
		for step := range 24 {
			places := []string{
				"refs/ltm/packets/", "refs/ltm/notes/", "refs/ltm-local/packets/",
				"refs/ltm-remotes/a/packets/", "refs/ltm-remotes/b/c/packets/",
			}
			ref := places[random.IntN(len(places))] + string(id(1+random.IntN(4)))
			switch n := random.IntN(10); {
			case n == 0:
				r.Git("pack-refs", "--all")
			case n < 4:
				r.Git("update-ref", "-d", ref)
			default:
				r.Git("update-ref", ref, blobs[n%2])
			}
			now := stampOf(t, store)
			switch {
			case now == stamp && now.Loose != "":
			case now.Packed == stamp.Packed:
				followed++
				found, err := store.Young(t.Context(), young, 100)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range young {
					delete(kept, name.Ref())
				}
				young = nil
				for _, ref := range found {
					kept[ref.Name.Ref()] = said(ref)
					if ref.Young {
						young = append(young, ref.Name)
					}
				}
			default:
				kept, young = all(t, store)
			}
			stamp = now
			want, _ := all(t, store)
			if diff := cmp.Diff(want, kept); diff != "" {
				t.Fatalf("after step %d, %s (-want +got):\n%s", step, ref, diff)
			}
		}
		if _, err := os.Stat(filepath.Join(commonDir(t, r), "reftable")); err != nil && followed == 0 {
			t.Error("nothing was followed")
		}
	})
}

func TestStore_Young_many(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	save(t, store, 1)
	save(t, store, 2)
	if _, err := store.Young(t.Context(), nil, 1); !errors.Is(err, refs.ErrManyYoung) {
		t.Errorf("two loose refs where one is looked at: %v", err)
	}
	if found, err := store.Young(t.Context(), nil, 2); err != nil || len(found) != 2 {
		t.Errorf("two loose refs: %v, %v", found, err)
	}
}
