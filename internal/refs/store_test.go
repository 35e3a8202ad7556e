package refs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// limit is more than any record of these tests holds.
const limit = 32768

// open opens the records of a test's repository.
func open(tb testing.TB, r *gittest.Repository) *refs.Store {
	tb.Helper()
	repo, err := git.Open(tb.Context(), r.Dir, r.Env)
	if err != nil {
		tb.Fatal(err)
	}
	store := refs.Open(repo)
	tb.Cleanup(func() {
		if err := store.Close(); err != nil {
			tb.Error(err)
		}
	})
	return store
}

// id is the n-th of a row of names.
func id(n int) packet.ID {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	text := []byte("01KAT0000000000000000000ZZ")
	for i := 23; n > 0; i-- {
		text[i] = digits[n%32]
		n /= 32
	}
	return packet.ID(text)
}

// name is the n-th packet.
func name(n int) refs.Name {
	return refs.Name{Kind: refs.Packets, ID: id(n)}
}

// tagFor returns an unsigned tag object in the form of git.
func tagFor(n int) func(string) ([]byte, error) {
	return func(blob string) ([]byte, error) {
		return fmt.Appendf(nil,
			"object %s\ntype blob\ntag %s\ntagger A <a@example.org> 1767323045 +0000\n\nrecord\n",
			blob, id(n)), nil
	}
}

// save stores the n-th packet; every third stands behind a tag.
func save(tb testing.TB, store *refs.Store, n int) refs.Ref {
	tb.Helper()
	rec := refs.New{Name: name(n), Data: fmt.Appendf(nil, "{\"n\": %d}\n", n)}
	if n%3 == 0 {
		rec.Tag = tagFor(n)
	}
	made, err := store.Create(tb.Context(), []refs.New{rec})
	if err != nil {
		tb.Fatal(err)
	}
	return made[0]
}

// listed collects a listing.
func listed(tb testing.TB, store *refs.Store, q refs.Query) []refs.Ref {
	tb.Helper()
	var found []refs.Ref
	for ref, err := range store.List(tb.Context(), q) {
		if err != nil {
			tb.Fatal(err)
		}
		ref.Young = false // Where a ref lies makes no other record of it.
		found = append(found, ref)
	}
	return found
}

// storages are the shapes of repositories in which records lie otherwise than in a plain one: that a checkout is sparse,
// or a history shallow, is nothing to them. Package git opens every shape, and the scripts named kind_ work in each.
func storages() []gittest.Kind {
	return []gittest.Kind{
		gittest.Plain, gittest.Worktree, gittest.Partial, gittest.Nested, gittest.SHA256, gittest.Reftable,
	}
}

// everyStorage runs a test where records lie in each way. With reftable everything is left to git, and with SHA-256 the
// objects are.
func everyStorage(t *testing.T, test func(t *testing.T, r *gittest.Repository)) {
	t.Helper()
	for _, kind := range storages() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			test(t, gittest.Repo(t, kind))
		})
	}
}

// SPEC.
func TestStore_keepsRecords(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		var want []refs.Ref
		for n := range 7 {
			want = append(want, save(t, store, n))
		}
		checkRecords(t, r, store, want)
		r.Git("pack-refs", "--all")
		checkRecords(t, r, store, want)
		r.Git("repack", "-q", "-a", "-d")
		checkRecords(t, r, store, want)
		want = append(want, save(t, store, 7), save(t, store, 8))
		checkRecords(t, r, open(t, r), want)
		if out := r.Git("fsck", "--no-dangling"); out != "" {
			t.Errorf("git fsck says %q", out)
		}
	})
}

// checkRecords compares what the store and git say about the records.
func checkRecords(t *testing.T, r *gittest.Repository, store *refs.Store, want []refs.Ref) {
	t.Helper()
	if diff := cmp.Diff(want, listed(t, store, refs.Query{Kind: refs.Packets})); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	count, err := counted(t.Context(), store)
	if err != nil || count != len(want) {
		t.Errorf("count is %d, %v, want %d", count, err, len(want))
	}
	for _, ref := range want {
		object, err := store.Read(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Git("cat-file", "blob", ref.Name.Ref()+"^{blob}"); got+"\n" != string(object.Data) {
			t.Errorf("read %s: got %q, git says %q", ref.Name.ID, object.Data, got)
		}
		if (object.TagOID != "") != (r.Git("cat-file", "-t", ref.Name.Ref()) == "tag") {
			t.Errorf("read %s: tag is %q, git says otherwise", ref.Name.ID, object.TagOID)
		}
		found, err := store.Lookup(t.Context(), ref.Name)
		if diff := cmp.Diff(ref, found); err != nil || diff != "" {
			t.Errorf("lookup %s: %v (-want +got):\n%s", ref.Name.ID, err, diff)
		}
	}
}

// SPEC.
func TestStore_Create_refusesOtherContent(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		first, tagged := save(t, store, 1), save(t, store, 3)
		if again := save(t, store, 1); again != first {
			t.Errorf("saving again: got %v, want %v", again, first)
		}
		if again := save(t, store, 3); again != tagged {
			t.Errorf("saving again behind a tag: got %v, want %v", again, tagged)
		}
		for _, n := range []int{1, 3} {
			recs := []refs.New{{Name: name(9), Data: []byte("fine")}, {Name: name(n), Data: []byte("other")}}
			if _, err := store.Create(t.Context(), recs); !errors.Is(err, refs.ErrExists) {
				t.Errorf("create over record %d: %v, want ErrExists", n, err)
			}
		}
		if _, err := store.Lookup(t.Context(), name(9)); !errors.Is(err, refs.ErrNotFound) {
			t.Errorf("the other half of a refused save: %v, want ErrNotFound", err)
		}
		if report, err := store.Heal(t.Context()); err != nil ||
			len(report.Restored)+len(report.Quarantined) > 0 {
			t.Errorf("heal found work: %v, %v", report, err)
		}
	})
}

// SPEC.
func TestStore_Delete(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		keep, gone := save(t, store, 1), save(t, store, 2)
		r.Git("pack-refs", "--all")
		moved := gone
		moved.Object = keep.Object
		if err := store.Delete(t.Context(), []refs.Ref{moved}); !errors.Is(err, git.ErrConflict) {
			t.Errorf("delete with another object: %v, want ErrConflict", err)
		}
		for range 2 {
			if err := store.Delete(t.Context(), []refs.Ref{gone}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.Heal(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]refs.Ref{keep}, listed(t, store, refs.Query{Kind: refs.Packets})); diff != "" {
			t.Errorf("after delete (-want +got):\n%s", diff)
		}
	})
}

func TestStore_List_orderAndBounds(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		plant(t, r, 0, 150)
		same := r.Git("rev-parse", name(0).Ref())
		var loose strings.Builder
		for n := 100; n < 200; n++ {
			fmt.Fprintf(&loose, "update %s %s\n", name(n).Ref(), same)
		}
		r.Feed(loose.String(), "update-ref", "--stdin")
		got := listed(t, store, refs.Query{Kind: refs.Packets, Newest: true, After: id(3)})
		for i, ref := range got {
			if want := id(199 - i); ref.Name.ID != want {
				t.Fatalf("entry %d is %s, want %s", i, ref.Name.ID, want)
			}
		}
		if len(got) != 196 {
			t.Errorf("got %d records behind the bound, want 196", len(got))
		}
		rising := listed(t, store, refs.Query{Kind: refs.Packets, After: id(3)})
		if len(rising) != 196 || rising[0].Name.ID != id(4) || rising[195].Name.ID != id(199) {
			t.Errorf("rising order: got %d records from %v to %v", len(rising), rising[0],
				rising[len(rising)-1])
		}
	})
}

// SPEC.
func TestStore_List_joinsRemotes(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		local, same, other := save(t, store, 1), save(t, store, 2), save(t, store, 4)
		track := func(remote string, n int, oid string) {
			r.Git("update-ref", "refs/ltm-remotes/"+remote+"/packets/"+string(id(n)), oid)
		}
		track("origin", 2, same.Object)
		track("origin", 4, same.Object)
		r.Git("pack-refs", "--all")
		track("team/fork", 5, same.Object)
		track("origin", 5, same.Object)
		track("packets", 6, same.Object)
		other.Conflict = true
		want := []refs.Ref{
			local, same, other,
			{Name: name(5), Remote: "origin", Object: same.Object},
			{Name: name(6), Remote: "packets", Object: same.Object},
		}
		if diff := cmp.Diff(want, listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true})); diff !=
			"" {
			t.Errorf("union (-want +got):\n%s", diff)
		}
		found, err := store.Lookup(t.Context(), name(6))
		if diff := cmp.Diff(want[4], found); err != nil || diff != "" {
			t.Errorf("lookup in remotes: %v (-want +got):\n%s", err, diff)
		}
		if err := store.Delete(t.Context(), []refs.Ref{found}); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want[:4],
			listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true})); diff != "" {
			t.Errorf("union after delete (-want +got):\n%s", diff)
		}
	})
}

// SPEC.
func TestStore_Match(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		saveRange(t, r, store, 0, 20)
		r.Git("pack-refs", "--all")
		saveRange(t, r, store, 20, 20)
		tests := []struct {
			part string
			want int
		}{
			{string(id(33)), 1},
			{strings.ToLower(string(id(5))[:24]), 1},
			{string(id(5))[:23], 32},
			{strings.ToLower(string(id(7))[20:]), 1},
			{"01KAT", 40},
			{"09ZZ", 1},
			{"XXXX", 0},
			{"../x", 0},
		}
		for _, test := range tests {
			got, err := store.Match(t.Context(), refs.Name{Kind: refs.Packets}, test.part)
			if err != nil || len(got) != test.want {
				t.Errorf("match %q: got %d records, %v, want %d", test.part, len(got), err, test.want)
			}
		}
		if _, err := store.Match(t.Context(), refs.Name{Kind: refs.Packets}, "abc"); err == nil {
			t.Error("match of three characters was accepted")
		}
	})
}

// plant makes the refs of packets first to end by git, packed, each with a blob of its own.
func plant(tb testing.TB, r *gittest.Repository, first, end int) {
	tb.Helper()
	var blobs, changes strings.Builder
	for n := first; n < end; n++ {
		text := fmt.Sprintf("{\"planted\": %d}\n", n)
		fmt.Fprintf(&blobs, "blob\nmark :%d\ndata %d\n%s\n", n+1, len(text), text)
	}
	marks := filepath.Join(tb.TempDir(), "marks")
	r.Feed(blobs.String(), "fast-import", "--quiet", "--export-marks="+marks)
	text, err := os.ReadFile(marks)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var mark int
		var oid string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &oid); err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&changes, "create %s %s\n", name(mark-1).Ref(), oid)
	}
	r.Feed(changes.String(), "update-ref", "--stdin")
	r.Git("pack-refs", "--all")
}

// counted is how many packets of this clone a store lists.
func counted(ctx context.Context, store *refs.Store) (n int, err error) {
	for _, err := range store.List(ctx, refs.Query{Kind: refs.Packets}) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// TestStore_reftable_others: what another program does to the refs of an open store counts at once, in each place
// that was asked before.
func TestStore_reftable_others(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Reftable)
	store := open(t, r)
	object := save(t, store, 1).Object
	for range 3 {
		if _, err := store.Lookup(t.Context(), name(2)); !errors.Is(err, refs.ErrNotFound) {
			t.Fatalf("Lookup of what is not there: %v", err)
		}
		for _, ref := range []string{name(2).Ref(), "refs/ltm-remotes/team/packets/" + string(id(3))} {
			r.Git("update-ref", ref, object)
		}
		if got, err := store.Lookup(t.Context(), name(2)); err != nil || got.Object != object {
			t.Errorf("Lookup finds %v, %v", got, err)
		}
		if got, err := store.Lookup(t.Context(), name(3)); err != nil || got.Remote != "team" {
			t.Errorf("Lookup of what a remote has finds %v, %v", got, err)
		}
		for _, ref := range []string{name(2).Ref(), "refs/ltm-remotes/team/packets/" + string(id(3))} {
			r.Git("update-ref", "-d", ref)
		}
		if got := listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true}); len(got) != 1 {
			t.Errorf("%d records are listed, want 1", len(got))
		}
	}
}
