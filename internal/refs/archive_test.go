package refs_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// reading is all that a store says of its records.
type reading struct {
	Oldest, Newest, Around, Matched, Looked []refs.Ref
	Objects                                 []refs.Object
	Endorsements                            []refs.Ref
	Tags                                    []string
	Count                                   int
}

// readAll asks a store in every way that there is. Where a record lies is left out of it.
func readAll(tb testing.TB, store *refs.Store, ids ...packet.ID) reading {
	tb.Helper()
	r := reading{
		Oldest: listed(tb, store, refs.Query{Kind: refs.Packets, Remotes: true}),
		Newest: listed(tb, store, refs.Query{Kind: refs.Packets, Newest: true}),
		Around: listed(tb, store, refs.Query{Kind: refs.Packets, After: id(2)}),
	}
	fail := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	var err error
	r.Count, err = counted(tb.Context(), store)
	fail(err)
	r.Endorsements, err = store.Endorsements(tb.Context(), "")
	fail(err)
	for _, e := range r.Endorsements {
		tag, err := store.ReadTag(tb.Context(), e.Object)
		fail(err)
		r.Tags = append(r.Tags, string(tag))
	}
	for _, of := range ids {
		ref, err := store.Lookup(tb.Context(), refs.Name{Kind: refs.Packets, ID: of})
		fail(err)
		matched, err := store.Match(tb.Context(), refs.Name{Kind: refs.Packets}, string(of[:24]))
		fail(err)
		object, err := store.Read(tb.Context(), ref)
		fail(err)
		r.Looked, r.Matched, r.Objects = append(r.Looked, ref), append(r.Matched, matched...),
			append(r.Objects, object)
	}
	for i := range r.Endorsements {
		r.Endorsements[i].Archive = ""
	}
	for _, list := range [][]refs.Ref{r.Oldest, r.Newest, r.Around, r.Matched, r.Looked} {
		for i := range list {
			list[i].Archive = ""
		}
	}
	return r
}

// saveRange stores the packets from first on, count of them, and two later signatures of the first. Every
// third packet stands behind a tag.
func saveRange(tb testing.TB, r *gittest.Repository, store *refs.Store,
	first, count int,
) (made []refs.Ref, later []refs.Ref, ids []packet.ID) {
	tb.Helper()
	var recs []refs.New
	for n := first; n < first+count; n++ {
		rec := refs.New{Name: name(n), Data: fmt.Appendf(nil, "{\"n\": %d}\n", n)}
		if n%3 == 0 {
			rec.Tag = tagFor(n)
		}
		recs, ids = append(recs, rec), append(ids, id(n))
	}
	made, err := store.Create(tb.Context(), recs)
	if err != nil {
		tb.Fatal(err)
	}
	return made, []refs.Ref{
		endorse(tb, r, store, first, aliceKey),
		endorse(tb, r, store, first, bobKey),
	}, ids
}

// localRefs are the names of the refs below refs/ltm.
func localRefs(r *gittest.Repository) []string {
	return strings.Fields(r.Git("for-each-ref", "--format=%(refname)", "refs/ltm"))
}

// compacted moves records and checks that all of them moved.
func compacted(tb testing.TB, store *refs.Store, made []refs.Ref, later []refs.Ref) refs.Archive {
	tb.Helper()
	all := slices.Concat(made, later)
	moved, err := store.Archives.Compact(tb.Context(), all)
	if err != nil {
		tb.Fatal(err)
	}
	if len(moved.Refs) != len(all) || len(moved.Archives) != 1 {
		tb.Fatalf("moved %v, want %d records and %d later signatures into one archive", moved, len(made),
			len(later))
	}
	return moved.Archives[0]
}

func TestStore_Compact(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		made, later, ids := saveRange(t, r, store, 1, 16)
		before := readAll(t, store, ids...)
		first := compacted(t, store, made[:7], later[:1])
		if diff := cmp.Diff(before, readAll(t, open(t, r), ids...)); diff != "" {
			t.Errorf("after the first part (-before +after):\n%s", diff)
		}
		second := compacted(t, store, made[7:], later[1:])
		if first.Name == second.Name || !slices.Equal(localRefs(r), []string{second.Ref()}) {
			t.Errorf("left are %v, want %q alone", localRefs(r), second.Ref())
		}
		repo := openRepo(t, r)
		if err := os.RemoveAll(filepath.Join(repo.CommonDir, "ltm", "spool")); err != nil {
			t.Fatal(err)
		}
		for _, step := range []string{
			"same store", "another store", "packed refs", "collected",
			"released and collected",
		} {
			switch step {
			case "packed refs":
				r.Git("pack-refs", "--all")
			case "released and collected":
				if err := repo.ReleasePacks(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
				r.Git("gc", "-q", "--prune=now")
			case "collected":
				r.Git("gc", "-q", "--prune=now")
			}
			if step != "same store" {
				store = open(t, r)
			}
			if diff := cmp.Diff(before, readAll(t, store, ids...)); diff != "" {
				t.Errorf("%s (-before +after):\n%s", step, diff)
			}
		}
		if again, err := store.Archives.Compact(t.Context(), nil); err != nil || len(again.Archives) > 0 {
			t.Errorf("nothing to move: %v, %v", again, err)
		}
		healedReport(t, store)
		if out := r.Git("fsck", "--strict", "--no-dangling"); out != "" || len(localRefs(r)) != 1 ||
			len(damagedArchives(t, store)) > 0 {
			t.Errorf("git fsck says %q, refs are %v, damaged is %v", out, localRefs(r),
				damagedArchives(t, store))
		}
	})
}

// archiveApart makes an archive in another clone and brings it here, where the refs stay.
func archiveApart(tb testing.TB, r *gittest.Repository, made []refs.Ref,
	later []refs.Ref,
) refs.Archive {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "apart")
	r.Git("clone", "-q", "--mirror", r.Dir, dir)
	repo, err := git.FindBare(tb.Context(), dir, r.Env)
	if err != nil {
		tb.Fatal(err)
	}
	store := refs.Open(repo)
	defer func() { _ = store.Close() }() // What it wrote was read back.
	a := compacted(tb, store, made, later)
	r.Git("fetch", "-q", dir, a.Ref()+":"+a.Ref())
	return a
}

// Clones that archive the same records make the same archive, whatever the way, and its name says
// which commit it is.
// SPEC.
func TestStore_Compact_deterministic(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			one, two := gittest.Repo(t, kind), gittest.Repo(t, kind)
			first, second := open(t, one), open(t, two)
			made, later, _ := saveRange(t, one, first, 1, 12)
			saveRange(t, two, second, 1, 12)
			want := compacted(t, first, made, later)
			part := compacted(t, second, made[5:], later[:1])
			if got := compacted(t, second, made[:5], later[1:]); got != want || got == part {
				t.Errorf("the second clone has %v, want %v", got, want)
			}
			if left := localRefs(two); !slices.Equal(left, []string{want.Ref()}) {
				t.Errorf("left are %v", left)
			}
			if name := quarter + "/" + want.Commit; want.Name != name {
				t.Errorf("the archive is %q, want %q", want.Name, name)
			}
			person := fmt.Sprintf("git-ltm <git-ltm@localhost> %d +0000", quarterBegins)
			raw := one.Git("cat-file", "commit", want.Commit)
			if !strings.HasSuffix(raw,
				fmt.Sprintf("\nauthor %s\ncommitter %s\n\nltm archive %s", person, person, quarter)) ||
				strings.Contains(raw, "parent") {
				t.Errorf("the commit is\n%s", raw)
			}
			if tree := one.Git("ls-tree", "-r", "--name-only", want.Commit,
				"packets"); !strings.HasPrefix(tree, "packets/01KAT/"+string(id(1))+".json\n") {
				t.Errorf("the tree holds\n%s", tree)
			}
		})
	}
}

// The bytes beside a record make the very tag object again, with stock git, where that object never was.
func TestStore_Compact_tagObject(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r, other := gittest.Repo(t, kind), gittest.Repo(t, kind)
			store := open(t, r)
			made, later, ids := saveRange(t, r, store, 3, 1)
			before := readAll(t, store, ids...)
			archive := compacted(t, store, made, later)
			other.Git("fetch", "-q", r.Dir, archive.Ref()+":"+archive.Ref())
			if _, err := other.Try("cat-file", "-e", made[0].Object); err == nil {
				t.Error("the tag object itself came along")
			}
			if diff := cmp.Diff(before, readAll(t, open(t, other), ids...)); diff != "" {
				t.Errorf("in the other clone (-want +got):\n%s", diff)
			}
			for path, want := range map[string]string{
				"packets/01KAT/" + string(id(3)) + ".tag":                  made[0].Object,
				"endorse/01KAT/" + string(id(3)) + "." + aliceKey + ".tag": later[0].Object,
			} {
				raw := other.Git("cat-file", "blob", archive.Ref()+":"+path) + "\n"
				if got := other.Feed(raw, "hash-object", "-t", "tag", "--stdin"); got != want {
					t.Errorf("%s is the tag %s, want %s", path, got, want)
				}
				if got := other.Feed(raw, "mktag"); got != want {
					t.Errorf("git mktag makes %s of %s, want %s", got, path, want)
				}
			}
		})
	}
}

func TestStore_union_withArchives(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		made, _, _ := saveRange(t, r, store, 1, 6)
		// The archive of a remote holds 1 to 4; here are 1 as a ref, and 3 in an archive.
		theirs := archiveApart(t, r, made[:4], nil)
		r.Git("update-ref", "refs/ltm-remotes/team/fork/archive/"+theirs.Name, theirs.Commit)
		r.Git("update-ref", "-d", theirs.Ref())
		mine := archiveApart(t, r, made[2:3], nil)
		if err := store.Delete(t.Context(), made[1:]); err != nil {
			t.Fatal(err)
		}
		differs := r.Feed("other\n", "hash-object", "-w", "--stdin")
		r.Git("update-ref", "refs/ltm-remotes/zebra/packets/"+string(id(3)), differs)
		r.Git("update-ref", "refs/ltm-remotes/zebra/packets/"+string(id(4)), made[3].Object)
		want := []refs.Ref{
			made[0],
			{Name: name(2), Object: made[1].Object, Remote: "team/fork", Archive: theirs.Name},
			{Name: name(3), Object: made[2].Object, Archive: mine.Name, Conflict: true},
			{Name: name(4), Object: made[3].Object, Remote: "team/fork", Archive: theirs.Name},
		}
		for range 2 {
			store := open(t, r)
			if diff := cmp.Diff(want,
				listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true})); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(
				[]refs.Ref{want[0], {Name: name(3), Object: made[2].Object, Archive: mine.Name}},
				listed(t, store, refs.Query{Kind: refs.Packets})); diff != "" {
				t.Errorf("local (-want +got):\n%s", diff)
			}
			for _, ref := range want {
				if got, err := store.Lookup(t.Context(), ref.Name); got != ref ||
					err != nil {
					t.Errorf("Lookup = %v, %v, want %v", got, err, ref)
				}
			}
			if got, err := store.Archives.Lookup(t.Context(), name(2)); got != "" || err != nil {
				t.Errorf("2 is archived here: %q, %v", got, err)
			}
			if got, err := store.Archives.Lookup(t.Context(), name(3)); got != made[2].Object || err != nil {
				t.Errorf("archived as 3 is %q, %v, want %q", got, err, made[2].Object)
			}
			if n, err := counted(t.Context(), store); n != 2 || err != nil {
				t.Errorf("Count = %d, %v, want 2", n, err)
			}
			r.Git("pack-refs", "--all")
		}
		again := refs.New{Name: name(3), Data: []byte("{\"n\": 3}\n")}
		if same, err := store.Create(t.Context(), []refs.New{again}); err != nil ||
			same[0].Object != made[2].Object || slices.Contains(localRefs(r), name(3).Ref()) {
			t.Errorf("saved again: %v, %v", same, err)
		}
		again.Data = []byte("other\n")
		if _, err := store.Create(t.Context(), []refs.New{again}); !errors.Is(err, refs.ErrExists) {
			t.Errorf("another one under an archived name: %v, want ErrExists", err)
		}
	})
}

func TestStore_Settle(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		made, later, ids := saveRange(t, r, store, 1, 10)
		before := readAll(t, store, ids...)
		if err := store.Archives.Settle(t.Context()); err != nil || len(localRefs(r)) != 12 {
			t.Errorf("without an archive: %v, %v", localRefs(r), err)
		}
		archiveApart(t, r, made[:2], nil)
		archiveApart(t, r, made[:7], later[:1])
		other := r.Feed("other\n", "hash-object", "-w", "--stdin")
		r.Git("update-ref", made[4].Full(), other)
		if err := store.Archives.Settle(t.Context()); err != nil {
			t.Error(err)
		}
		r.Git("update-ref", "-d", made[4].Full())
		if diff := cmp.Diff(before, readAll(t, store, ids...)); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
		if left := localRefs(r); len(left) != 1+3+1 {
			t.Errorf("left are %v", left)
		}
	})
}

// A record that moved is not lost: neither its entry in the spool nor a ref that was damaged brings it back.
func TestStore_Heal_archived(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	made, _, ids := saveRange(t, r, store, 1, 4)
	before := readAll(t, store, ids...)
	archiveApart(t, r, made, nil)
	r.Git("update-ref", "-d", made[0].Full())
	overwrite(t, r, made[1].Full(), "")
	if err := os.Remove(inGit(r, "ltm", "spool", "packets-"+string(id(2)))); err != nil {
		t.Fatal(err)
	}
	age(t, r)
	report := healedReport(t, store)
	if len(report.Quarantined) > 0 || slices.Contains(localRefs(r), made[0].Full()) ||
		slices.Contains(localRefs(r), made[1].Full()) {
		t.Errorf("healed %v, refs are %v", report, localRefs(r))
	}
	if diff := cmp.Diff(before, readAll(t, store, ids...)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// age makes what the spool holds older than any save takes.
func age(tb testing.TB, r *gittest.Repository) {
	tb.Helper()
	files, err := filepath.Glob(inGit(r, "ltm", "spool", "*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		minute := longAgo()
		if err := os.Chtimes(file, minute, minute); err != nil {
			tb.Fatal(err)
		}
	}
}

// The name of an archive says what its broken ref has named.
func TestStore_Heal_archiveRef(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	made, later, ids := saveRange(t, r, store, 1, 4)
	before := readAll(t, store, ids...)
	archive := compacted(t, store, made, later)
	overwrite(t, r, archive.Ref(), "")
	if report := healedReport(t, store); !slices.Contains(report.Restored, archive.Ref()) {
		t.Errorf("healed %v", report)
	}
	if diff := cmp.Diff(before, readAll(t, store, ids...)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestStore_Compact_leaves(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	made, later, _ := saveRange(t, r, store, 1, 5)
	compacted(t, store, made[:1], nil)
	other := r.Feed("other\n", "hash-object", "-w", "--stdin")
	r.Git("update-ref", made[0].Full(), other)
	tree := r.Git("rev-parse", "HEAD^{tree}")
	r.Git("update-ref", made[1].Full(), tree)
	contested, odd := refs.Ref{Name: name(1), Object: other}, refs.Ref{Name: name(2), Object: tree}
	theirs := made[4]
	theirs.Remote = "origin"
	moved, err := store.Archives.Compact(t.Context(),
		slices.Concat([]refs.Ref{contested, odd, made[2], made[3], theirs}, later))
	if err != nil || len(moved.Refs) != 4 {
		t.Errorf("moved %v, %v", moved, err)
	}
	for _, full := range []string{made[0].Full(), made[1].Full(), made[4].Full()} {
		if !slices.Contains(localRefs(r), full) {
			t.Errorf("%s is gone", full)
		}
	}
}

// SPEC.
func TestArchiveAt(t *testing.T) {
	t.Parallel()
	oid := strings.Repeat("1a", 20)
	for ref, want := range map[string]bool{
		"refs/ltm/archive/2026-Q4/" + oid: true, "refs/ltm/archive/abcdefg2": false,
		"refs/ltm/archive/22222222":                            false,
		"refs/ltm/archive/2026-Q4/" + strings.Repeat("1b", 20): false,
		"refs/ltm/archive/2026-Q4/" + oid[1:]:                  false,
		"refs/ltm/archive/2026-Q4/" + strings.ToUpper(oid):     false,
		"refs/ltm/archive/2026-Q0/" + oid:                      false,
		"refs/ltm/archive/2026-Q5/" + oid:                      false,
		"refs/ltm/archive/26-Q1/" + oid:                        false,
		"refs/ltm/archive/02026-Q1/" + oid:                     false,
		"refs/ltm/archive/1969-Q1/" + oid:                      false, "refs/ltm/archive/2026/" + oid: false,
		"refs/ltm/archive/2026-Q4": false, "refs/ltm/archive/x/2026-Q4/" + oid: false,
		"refs/ltm/archive/abcdefg": false, "refs/ltm/archive/abcdefg22": false,
		"refs/ltm/archive/ABCDEFG2": false, "refs/ltm/archive/abcdefg1": false,
		"refs/ltm/archive/": false, "refs/ltm-remotes/archive/abcdefg2": false,
		"refs/ltm/packets/abcdefg2": false, "abcdefg2": false,
	} {
		a, ok := refs.ArchiveAt(ref, oid)
		if ok != want || ok && (a.Ref() != ref || a.Commit != oid) {
			t.Errorf("ArchiveAt(%q) = %v, %v, want %v", ref, a, ok, want)
		}
	}
}

// openRepo opens the repository itself.
func openRepo(tb testing.TB, r *gittest.Repository) *git.Repo {
	tb.Helper()
	repo, err := git.Open(tb.Context(), r.Dir, r.Env)
	if err != nil {
		tb.Fatal(err)
	}
	return repo
}

// longAgo is before any save that may go on.
func longAgo() time.Time { return time.Now().Add(-time.Minute) }

// BenchmarkList_archive is what the newest twenty, and all, of 1,000 archived records cost a process that has
// just begun. A third of them is signed.
func BenchmarkList_archive(b *testing.B) {
	r := gittest.Repo(b, gittest.Plain)
	store := open(b, r)
	made, later, _ := saveRange(b, r, store, 1, 1000)
	began := time.Now()
	if _, err := store.Archives.Compact(b.Context(), slices.Concat(made, later)); err != nil {
		b.Fatal(err)
	}
	b.Logf("moved %d in %v", len(made), time.Since(began))
	for name, most := range map[string]int{"newest 20": 20, "all": len(made)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				store := open(b, r)
				taken := 0
				for _, err := range store.List(b.Context(), refs.Query{Kind: refs.Packets, Newest: true}) {
					if err != nil {
						b.Fatal(err)
					}
					if taken++; taken == most {
						break
					}
				}
				if taken != most {
					b.Fatalf("listed %d, want %d", taken, most)
				}
			}
		})
	}
}
