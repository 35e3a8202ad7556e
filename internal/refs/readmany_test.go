package refs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// TestStore_ReadMany compares what is read together with what is read alone, for records with and without
// tags, and for objects that are missing, too large or no blob. SPEC.
func TestStore_ReadMany(t *testing.T) {
	t.Parallel()
	everyKind(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		for n := range 10 {
			save(t, store, n)
		}
		r.Git("repack", "-q", "-a", "-d", "--depth=40", "--window=40")
		save(t, store, 10)
		save(t, store, 11)
		var wanted []refs.Wanted
		for _, ref := range listed(t, store, refs.Query{Kind: refs.Packets}) {
			wanted = append(wanted, refs.Wanted{Ref: ref, Limit: limit})
		}
		head, gone := r.Git("rev-parse", "HEAD"), wanted[0]
		gone.Ref.Object = fmt.Sprintf("%0*d", len(head), 7)
		commit, short := gone, wanted[1]
		commit.Ref.Object, short.Limit = head, 3
		// One is read alone, all are read together.
		for count := 1; count <= len(wanted); count += len(wanted) - 1 {
			ask := append([]refs.Wanted{gone, commit, short}, wanted[:count]...)
			for i, got := range store.ReadMany(t.Context(), ask) {
				want, err := store.Read(t.Context(), ask[i].Ref, ask[i].Limit)
				if diff := cmp.Diff(want, got.Object); diff != "" || fmt.Sprint(err) != fmt.Sprint(got.Err) ||
					(i < 3) != (err != nil) {
					t.Errorf("of %d, number %d: %v, want %v (-want +got):\n%s", len(ask), i, got.Err, err,
						diff)
				}
			}
		}
		if got := store.ReadMany(t.Context(), nil); len(got) != 0 {
			t.Errorf("%d answers to no question", len(got))
		}
	})
}

// TestStore_ReadMany_damaged shows that bytes under the name of others are not handed on, although git reads
// them.
func TestStore_ReadMany_damaged(t *testing.T) {
	t.Parallel()
	for _, count := range []int{2, 20} {
		r := gittest.Repo(t, gittest.Plain)
		store := open(t, r)
		var wanted []refs.Wanted
		for n := range count {
			oid := r.Feed(fmt.Sprint("record ", n), "hash-object", "-w", "--stdin")
			wanted = append(wanted, refs.Wanted{Ref: refs.Ref{Name: name(n), Object: oid}, Limit: limit})
		}
		file := func(n int) string {
			oid := wanted[n].Ref.Object
			return filepath.Join(r.Dir, ".git", "objects", oid[:2], oid[2:])
		}
		data, err := os.ReadFile(file(0))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(file(1)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(1), data, 0o600); err != nil {
			t.Fatal(err)
		}
		for i, got := range store.ReadMany(t.Context(), wanted) {
			if (got.Err != nil) != (i == 1) {
				t.Errorf("of %d, number %d: %q, %v", count, i, got.Object.Data, got.Err)
			}
		}
	}
}
