package refs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// inGit is a path inside the git directory.
func inGit(r *gittest.Repository, parts ...string) string {
	return filepath.Join(append([]string{r.Dir, ".git"}, parts...)...)
}

// lose removes a loose object, as a garbage collection does.
func lose(t *testing.T, r *gittest.Repository, oid string) {
	t.Helper()
	if err := os.Remove(inGit(r, "objects", oid[:2], oid[2:])); err != nil {
		t.Fatal(err)
	}
}

// overwrite writes the file of a ref behind git's back.
func overwrite(t *testing.T, r *gittest.Repository, ref, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(inGit(r, filepath.FromSlash(ref))), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(inGit(r, filepath.FromSlash(ref)), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// healedReport heals and fails the test on an error.
func healedReport(t *testing.T, store *refs.Store) refs.Report {
	t.Helper()
	report, err := store.Heal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// SPEC.
func TestStore_Heal_bringsBackWhatWasCollected(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			store := open(t, r)
			plain, tagged, unnamed := save(t, store, 1), save(t, store, 3), save(t, store, 2)
			lose(t, r, plain.Object)
			lose(t, r, tagged.Object)
			r.Git("update-ref", "-d", unnamed.Name.Ref())
			for _, ref := range []refs.Ref{plain, tagged} {
				if _, err := store.Read(t.Context(), ref); err != nil {
					t.Errorf("read while the object is gone: %v", err)
				}
			}
			// A save that goes on has a spool entry and no ref yet, so that one is left alone for a moment.
			aged := inGit(r, "ltm", "spool", "packets-"+string(id(2)))
			minute := time.Now().Add(-time.Minute)
			if err := os.Chtimes(aged, minute, minute); err != nil {
				t.Fatal(err)
			}
			want := []string{plain.Name.Ref(), tagged.Name.Ref(), unnamed.Name.Ref()}
			got := healedReport(t, store).Restored
			if diff := cmp.Diff(want, got, sorted); diff != "" {
				t.Errorf("brought back (-want +got):\n%s", diff)
			}
			checkRecords(t, r, store, []refs.Ref{plain, unnamed, tagged})
			if again := healedReport(t, store); len(again.Restored) > 0 {
				t.Errorf("healed twice: %v", again)
			}
			r.Git("gc", "-q", "--prune=now")
		})
	}
}

// sorted compares lists without their order.
var sorted = cmp.Transformer("sort", func(in []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range in {
		out[s] = true
	}
	return out
})

// A record without a ref may belong to a save that goes on beside this one.
func TestStore_Heal_leavesOthersAlone(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	ref := save(t, store, 1)
	r.Git("update-ref", "-d", ref.Name.Ref())
	if got := healedReport(t, store).Restored; len(got) > 0 {
		t.Errorf("brought back %v at once", got)
	}
	if _, err := os.Stat(inGit(r, "ltm", "spool", "packets-"+string(id(1)))); err != nil {
		t.Errorf("the entry is gone: %v", err)
	}
}

// SPEC.
func TestStore_Heal_doesNotBringBackDeleted(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	ref := save(t, store, 1)
	spool := inGit(r, "ltm", "spool", "packets-"+string(id(1)))
	entry, err := os.ReadFile(spool)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), []refs.Ref{ref}); err != nil {
		t.Fatal(err)
	}
	// A process that read the entry before the deletion must not bring the record back.
	if err := os.WriteFile(spool, entry, 0o600); err != nil {
		t.Fatal(err)
	}
	healedReport(t, store)
	if _, err := store.Lookup(t.Context(), name(1)); !errors.Is(err, refs.ErrNotFound) {
		t.Errorf("a deleted record: %v, want ErrNotFound", err)
	}
	if _, err := os.Stat(spool); err == nil {
		t.Error("the spool still holds the deleted record")
	}
	save(t, store, 1)
	healedReport(t, store)
	if _, err := store.Lookup(t.Context(), name(1)); err != nil {
		t.Errorf("saved again after a deletion: %v", err)
	}
}

// SPEC.
func TestStore_Heal_letsGoOfOldEntries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		age    time.Duration
		packed bool
		want   bool
	}{
		{"fresh", 0, true, true},
		{"older than an hour, loose", 2 * time.Hour, false, true},
		{"older than an hour, packed", 2 * time.Hour, true, false},
		{"older than a day, loose", 25 * time.Hour, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			store := open(t, r)
			save(t, store, 1)
			if test.packed {
				r.Git("repack", "-q", "-a", "-d")
			}
			spool := inGit(r, "ltm", "spool", "packets-"+string(id(1)))
			then := time.Now().Add(-test.age)
			if err := os.Chtimes(spool, then, then); err != nil {
				t.Fatal(err)
			}
			healedReport(t, store)
			if _, err := os.Stat(spool); (err == nil) != test.want {
				t.Errorf("entry is kept: %v, want %v", err == nil, test.want)
			}
		})
	}
}

// SPEC.
func TestStore_Heal_putsBrokenRefsAside(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	saved, tracked := save(t, store, 1), save(t, store, 2)
	r.Git("update-ref", "refs/ltm-remotes/origin/packets/"+string(id(2)), tracked.Object)
	if err := os.Remove(inGit(r, "ltm", "spool", "packets-"+string(id(2)))); err != nil {
		t.Fatal(err)
	}
	overwrite(t, r, saved.Name.Ref(), "")
	overwrite(t, r, tracked.Name.Ref(), "")
	overwrite(t, r, name(3).Ref(), "")
	overwrite(t, r, name(4).Ref(), "no hash at all\n")
	overwrite(t, r, name(5).Ref(), strings.Repeat("d", 40)+"\n")
	overwrite(t, r, "refs/ltm/strange/-place", "")
	overwrite(t, r, name(6).Ref()+".lock", "")
	if out, err := r.Try("gc"); err == nil {
		t.Fatalf("git gc was expected to fail: %s", out)
	}
	broken, err := store.Broken(t.Context())
	if err != nil || len(broken) != 6 {
		t.Errorf("broken: %v, %v, want 6", broken, err)
	}
	report := healedReport(t, store)
	if diff := cmp.Diff([]string{saved.Name.Ref(), tracked.Name.Ref()}, report.Restored, sorted); diff != "" {
		t.Errorf("brought back (-want +got):\n%s", diff)
	}
	want := []refs.Broken{
		{Ref: name(3).Ref(), Reason: "empty"},
		{Ref: name(4).Ref(), Reason: "garbage"},
		{Ref: name(5).Ref(), Reason: "dangling"},
		{Ref: "refs/ltm/strange/-place", Reason: "empty"},
	}
	if diff := cmp.Diff(want, report.Quarantined); diff != "" {
		t.Errorf("put aside (-want +got):\n%s", diff)
	}
	checkRecords(t, r, store, []refs.Ref{saved, tracked})
	if out, err := r.Try("for-each-ref"); err != nil || strings.Contains(out, "warning") {
		t.Errorf("git for-each-ref: %v\n%s", err, out)
	}
	r.Git("gc", "-q", "--prune=now")
	content, err := os.ReadFile(inGit(r, "ltm", "quarantine", strings.ReplaceAll(name(4).Ref(), "/", "%2F")))
	if err != nil || !strings.Contains(string(content), "no hash at all") {
		t.Errorf("quarantine holds %q, %v", content, err)
	}
}

// The objects of git are not touched by a lock that another process holds, and a stale one does not last.
// SPEC.
func TestStore_Heal_respectsLocks(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	overwrite(t, r, name(1).Ref(), "")
	overwrite(t, r, name(1).Ref()+".lock", "")
	if report := healedReport(t, store); len(report.Quarantined) != 0 {
		t.Errorf("put aside under a lock: %v", report)
	}
	lock := inGit(r, filepath.FromSlash(name(1).Ref())+".lock")
	then := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(lock, then, then); err != nil {
		t.Fatal(err)
	}
	if report := healedReport(t, store); len(report.Quarantined) != 1 {
		t.Errorf("put aside under a stale lock: %v, want 1", report)
	}
}

// SPEC.
func TestStore_Stray_neverFollowed(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		kept := save(t, store, 1)
		strays := []string{
			"refs/ltm/packets/" + strings.ToLower(string(id(2))), "refs/ltm/packets/-opt",
			"refs/ltm/packets/01KAT\u202e000", "refs/ltm/packets/" + string(id(5)) + "/nested",
			"refs/ltm/other/" + string(id(6)), "refs/ltm/archive/-writer", "refs/ltm/archive/abcd2345",
			"refs/ltm/archive/2026-Q5/" + kept.Object, "refs/ltm/meta/other",
			"refs/ltm/endorse/" + string(id(1)) + "/F00D",
			"refs/ltm/endorse/" + string(id(1)) + "/0123456789ABCDEF",
			"refs/ltm/endorse/" + string(id(2)), "refs/ltm/endorse/other/0123456789abcdef",
			"refs/ltm/endorse/" + string(id(1)) + "/0123456789abcdef0",
			"refs/ltm/endorse/" + string(id(3)) + "/0123456789abcdef/x",
		}
		for _, stray := range strays {
			r.Git("update-ref", stray, kept.Object)
		}
		for _, fine := range []string{
			"refs/ltm/meta/format", "refs/ltm/archive/2026-Q3/" + kept.Object,
			"refs/ltm/endorse/" + string(id(1)) + "/0123456789abcdef",
		} {
			r.Git("update-ref", fine, kept.Object)
		}
		r.Git("symbolic-ref", name(7).Ref(), kept.Name.Ref())
		for range 2 {
			got, err := store.Stray(t.Context())
			if diff := cmp.Diff(append(strays, name(7).Ref()), got, sorted); err != nil || diff != "" {
				t.Errorf("stray: %v (-want +got):\n%s", err, diff)
			}
			if diff := cmp.Diff([]refs.Ref{kept},
				listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true})); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
			match, err := store.Match(t.Context(), refs.Name{Kind: refs.Packets}, "01KA")
			if err != nil || len(match) != 1 {
				t.Errorf("matched %v, %v", match, err)
			}
			twin := refs.Name{Kind: refs.Packets, ID: packet.ID(strings.ToLower(string(id(2))))}
			if _, err := store.Lookup(t.Context(), twin); !errors.Is(err, refs.ErrNotFound) {
				t.Errorf("lookup of a twin: %v", err)
			}
			r.Git("pack-refs", "--all")
		}
	})
}

// Of many records that were saved lately the newest are looked at each time, and all after a while.
func TestStore_Heal_looksAtFew(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	var all []refs.Ref
	for n := range 20 {
		all = append(all, save(t, store, n+1))
	}
	healedReport(t, store)
	oldest, newest := all[0], all[19]
	lose(t, r, oldest.Object)
	lose(t, r, newest.Object)
	if diff := cmp.Diff([]string{newest.Name.Ref()}, healedReport(t, store).Restored); diff != "" {
		t.Errorf("brought back at once (-want +got):\n%s", diff)
	}
	if _, err := store.Read(t.Context(), oldest); err != nil {
		t.Errorf("read until then: %v", err)
	}
	then := time.Now().Add(-11 * time.Minute)
	if err := os.Chtimes(inGit(r, "ltm", "healed"), then, then); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{oldest.Name.Ref()}, healedReport(t, store).Restored); diff != "" {
		t.Errorf("brought back after a while (-want +got):\n%s", diff)
	}
}
