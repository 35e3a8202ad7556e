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
	Objects, Many                           []refs.Object
	Endorsements                            []refs.Endorsement
	Tags                                    []string
	Count                                   int
}

// readAll asks a store in every way that there is. Where a record lies is left out of it.
func readAll(tb testing.TB, store *refs.Store, ids ...packet.ID) reading {
	tb.Helper()
	r := reading{
		Oldest: listed(tb, store, refs.Query{Kind: refs.Packets, Remotes: true}),
		Newest: listed(tb, store, refs.Query{Kind: refs.Packets, Newest: true}),
		Around: listed(tb, store, refs.Query{Kind: refs.Packets, After: id(2), Before: id(40)}),
	}
	fail := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	var err error
	r.Count, err = store.Count(tb.Context(), refs.Packets)
	fail(err)
	r.Endorsements, err = store.Endorsements(tb.Context(), "")
	fail(err)
	for _, e := range r.Endorsements {
		tag, err := store.ReadTag(tb.Context(), e.Object)
		fail(err)
		r.Tags = append(r.Tags, string(tag))
	}
	var wanted []refs.Wanted
	for _, of := range ids {
		ref, err := store.Lookup(tb.Context(), refs.Packets, of)
		fail(err)
		matched, err := store.Match(tb.Context(), refs.Packets, string(of[:24]))
		fail(err)
		object, err := store.Read(tb.Context(), ref, limit)
		fail(err)
		r.Looked, r.Matched, r.Objects = append(r.Looked, ref), append(r.Matched, matched...), append(r.Objects, object)
		wanted = append(wanted, refs.Wanted{Ref: ref, Limit: limit})
	}
	for _, found := range store.ReadMany(tb.Context(), wanted) {
		fail(found.Err)
		r.Many = append(r.Many, found.Object)
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

// saveRange stores the packets from first on, count of them, and two later signatures of the first. Every third packet
// stands behind a tag.
func saveRange(tb testing.TB, r *gittest.Repository, store *refs.Store, first, count int) (made []refs.Ref, later []refs.Endorsement, ids []packet.ID) {
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
	return made, []refs.Endorsement{endorse(tb, r, store, first, aliceKey), endorse(tb, r, store, first, bobKey)}, ids
}

// localRefs are the names of the refs below refs/ltm.
func localRefs(r *gittest.Repository) []string {
	return strings.Fields(r.Git("for-each-ref", "--format=%(refname)", "refs/ltm"))
}

// compacted moves records and checks that all of them moved.
func compacted(tb testing.TB, store *refs.Store, made []refs.Ref, later []refs.Endorsement) refs.Archive {
	tb.Helper()
	moved, err := store.Compact(tb.Context(), made, later)
	if err != nil {
		tb.Fatal(err)
	}
	if len(moved.Records) != len(made) || len(moved.Endorsements) != len(later) || len(moved.Archives) != 1 {
		tb.Fatalf("moved %v, want %d records and %d later signatures into one archive", moved, len(made), len(later))
	}
	return moved.Archives[0]
}

func TestStore_Compact(t *testing.T) {
	t.Parallel()
	everyKind(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		made, later, ids := saveRange(t, r, store, 1, 16)
		before := readAll(t, store, ids...)
		first := compacted(t, store, made[:7], later[:1])
		if diff := cmp.Diff(before, readAll(t, open(t, r), ids...)); diff != "" {
			t.Errorf("after the first part (-before +after):\n%s", diff)
		}
		second := compacted(t, store, made[7:], later[1:])
		if first.Writer != second.Writer || !slices.Equal(localRefs(r), []string{second.Ref()}) {
			t.Errorf("left are %v, want %q alone", localRefs(r), second.Ref())
		}
		repo := openRepo(t, r)
		if err := os.RemoveAll(filepath.Join(repo.CommonDir, "ltm", "spool")); err != nil {
			t.Fatal(err)
		}
		for _, step := range []string{"same store", "another store", "packed refs", "collected", "released and collected"} {
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
		if again, err := store.Compact(t.Context(), nil, nil); err != nil || len(again.Archives) > 0 {
			t.Errorf("nothing to move: %v, %v", again, err)
		}
		healedReport(t, store)
		if out := r.Git("fsck", "--strict", "--no-dangling"); out != "" || len(localRefs(r)) != 1 || len(store.Damaged()) > 0 {
			t.Errorf("git fsck says %q, refs are %v, damaged is %v", out, localRefs(r), store.Damaged())
		}
	})
}

// Two clones that hold the same records make the same commit, whatever the way.
func TestStore_SetArchive_deterministic(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			one, two := gittest.Repo(t, kind), gittest.Repo(t, kind)
			first, second := open(t, one), open(t, two)
			made, later, _ := saveRange(t, one, first, 1, 12)
			saveRange(t, two, second, 1, 12)
			want, err := first.SetArchive(t.Context(), "abcdefg2", made, later)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := second.SetArchive(t.Context(), "abcdefg2", made[5:], later[:1]); err != nil {
				t.Fatal(err)
			}
			held, signed := entries(t, second, "abcdefg2")
			if diff := cmp.Diff(made[5:], withoutArchive(held)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			got, err := second.SetArchive(t.Context(), "abcdefg2", append(held, made[:5]...), append(signed, later[1]))
			if err != nil || got != want {
				t.Errorf("the second clone has %s, %v, want %s", got, err, want)
			}
			if again, err := second.SetArchive(t.Context(), "abcdefg2", made, later); err != nil || again != want {
				t.Errorf("set again: %s, %v, want %s", again, err, want)
			}
			raw := one.Git("cat-file", "commit", want)
			const pattern = "\nauthor git-ltm <git-ltm@localhost> %[1]d +0000\ncommitter git-ltm <git-ltm@localhost> %[1]d +0000\n\nltm archive abcdefg2"
			if !strings.HasSuffix(raw, fmt.Sprintf(pattern, id(12).Time().Unix())) || strings.Contains(raw, "parent") {
				t.Errorf("the commit is\n%s", raw)
			}
			if tree := one.Git("ls-tree", "-r", "--name-only", want, "packets"); !strings.HasPrefix(tree, "packets/01KAT/"+string(id(1))+".json\n") {
				t.Errorf("the tree holds\n%s", tree)
			}
			if got, err := second.SetArchive(t.Context(), "abcdefg2", nil, nil); got != "" || err != nil || strings.Contains(strings.Join(localRefs(two), " "), "archive") {
				t.Errorf("emptied: %q, %v, %v", got, err, localRefs(two))
			}
		})
	}
}

// entries reads an archive of this clone.
func entries(tb testing.TB, store *refs.Store, writer string) (records []refs.Ref, later []refs.Endorsement) {
	tb.Helper()
	all, err := store.Archives(tb.Context())
	at := slices.IndexFunc(all, func(a refs.Archive) bool { return a.Writer == writer && a.Remote == "" })
	if err != nil || at < 0 {
		tb.Fatalf("archives are %v, %v", all, err)
	}
	for ref, err := range store.Entries(tb.Context(), all[at]) {
		if err != nil {
			tb.Fatal(err)
		}
		records = append(records, ref)
	}
	for e, err := range store.ArchivedEndorsements(tb.Context(), all[at]) {
		if err != nil {
			tb.Fatal(err)
		}
		later = append(later, e)
	}
	return records, later
}

// withoutArchive are refs as they were before they moved.
func withoutArchive(in []refs.Ref) []refs.Ref {
	out := slices.Clone(in)
	for i := range out {
		out[i].Archive = ""
	}
	return out
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
	everyKind(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		made, _, _ := saveRange(t, r, store, 1, 6)
		// The archive of a remote holds 1 to 4; here are 1 as a ref, and 3 in an archive.
		theirs, err := store.SetArchive(t.Context(), "theirs22", made[:4], nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Git("update-ref", "refs/ltm-remotes/team/fork/archive/theirs22", theirs)
		r.Git("update-ref", "-d", "refs/ltm/archive/theirs22")
		if _, err := store.SetArchive(t.Context(), "mine2222", made[2:3], nil); err != nil {
			t.Fatal(err)
		}
		if err := store.Delete(t.Context(), made[1:]); err != nil {
			t.Fatal(err)
		}
		differs := r.Feed("other\n", "hash-object", "-w", "--stdin")
		r.Git("update-ref", "refs/ltm-remotes/zebra/packets/"+string(id(3)), differs)
		r.Git("update-ref", "refs/ltm-remotes/zebra/packets/"+string(id(4)), made[3].Object)
		want := []refs.Ref{
			made[0],
			{Name: name(2), Object: made[1].Object, Remote: "team/fork", Archive: "theirs22"},
			{Name: name(3), Object: made[2].Object, Archive: "mine2222", Conflict: true},
			{Name: name(4), Object: made[3].Object, Remote: "team/fork", Archive: "theirs22"},
		}
		for range 2 {
			store := open(t, r)
			if diff := cmp.Diff(want, listed(t, store, refs.Query{Kind: refs.Packets, Remotes: true})); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]refs.Ref{want[0], {Name: name(3), Object: made[2].Object, Archive: "mine2222"}}, listed(t, store, refs.Query{Kind: refs.Packets})); diff != "" {
				t.Errorf("local (-want +got):\n%s", diff)
			}
			for _, ref := range want {
				if got, err := store.Lookup(t.Context(), refs.Packets, ref.Name.ID); got != ref || err != nil {
					t.Errorf("Lookup = %v, %v, want %v", got, err, ref)
				}
			}
			if got, ok, err := store.Archived(t.Context(), name(2)); ok || err != nil {
				t.Errorf("2 is archived here: %v, %v", got, err)
			}
			if got, ok, err := store.Archived(t.Context(), name(3)); !ok || err != nil || got.Archive != "mine2222" {
				t.Errorf("3 is not archived here: %v, %v", got, err)
			}
			if n, err := store.Count(t.Context(), refs.Packets); n != 2 || err != nil {
				t.Errorf("Count = %d, %v, want 2", n, err)
			}
			r.Git("pack-refs", "--all")
		}
		again := refs.New{Name: name(3), Data: []byte("{\"n\": 3}\n")}
		if same, err := store.Create(t.Context(), []refs.New{again}); err != nil || same[0].Object != made[2].Object || slices.Contains(localRefs(r), name(3).Ref()) {
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
	everyKind(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		made, later, ids := saveRange(t, r, store, 1, 10)
		before := readAll(t, store, ids...)
		if n, err := store.Settle(t.Context()); n != 0 || err != nil {
			t.Errorf("without an archive: %d, %v", n, err)
		}
		if _, err := store.SetArchive(t.Context(), "abcdefg2", made[:7], later[:1]); err != nil {
			t.Fatal(err)
		}
		other := r.Feed("other\n", "hash-object", "-w", "--stdin")
		r.Git("update-ref", made[4].Full(), other)
		if n, err := store.Settle(t.Context()); n != 7 || err != nil {
			t.Errorf("Settle = %d, %v, want 7", n, err)
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
	if _, err := store.SetArchive(t.Context(), "abcdefg2", made, nil); err != nil {
		t.Fatal(err)
	}
	r.Git("update-ref", "-d", made[0].Full())
	overwrite(t, r, made[1].Full(), "")
	if err := os.Remove(inGit(r, "ltm", "spool", "packets-"+string(id(2)))); err != nil {
		t.Fatal(err)
	}
	age(t, r)
	report := healedReport(t, store)
	if len(report.Quarantined) > 0 || slices.Contains(localRefs(r), made[0].Full()) || slices.Contains(localRefs(r), made[1].Full()) {
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

// A broken ref of an archive takes what a remote holds under its name.
func TestStore_Heal_archiveRef(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	made, later, ids := saveRange(t, r, store, 1, 4)
	before := readAll(t, store, ids...)
	archive := compacted(t, store, made, later)
	r.Git("update-ref", "refs/ltm-remotes/origin/archive/"+archive.Writer, archive.Commit)
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
	moved, err := store.Compact(t.Context(), []refs.Ref{contested, odd, made[2], made[3], theirs}, later)
	if err != nil || !slices.Equal(moved.Records, made[2:4]) || len(moved.Endorsements) != 2 {
		t.Errorf("moved %v, %v", moved, err)
	}
	for _, full := range []string{made[0].Full(), made[1].Full(), made[4].Full()} {
		if !slices.Contains(localRefs(r), full) {
			t.Errorf("%s is gone", full)
		}
	}
}

// SPEC.
func TestParseArchive(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]string{
		"refs/ltm/archive/abcdefg2": "abcdefg2", "refs/ltm/archive/22222222": "22222222",
		"refs/ltm/archive/abcdefg": "", "refs/ltm/archive/abcdefg22": "", "refs/ltm/archive/ABCDEFG2": "", "refs/ltm/archive/abcdefg1": "",
		"refs/ltm/archive/abc/efg2": "", "refs/ltm/archive/": "", "refs/ltm-remotes/archive/abcdefg2": "", "refs/ltm/packets/abcdefg2": "", "abcdefg2": "",
	} {
		writer, ok := refs.ParseArchive(ref)
		if ok != (want != "") || (ok && writer != want) || (ok && (refs.Archive{Writer: writer}).Ref() != ref) {
			t.Errorf("ParseArchive(%q) = %q, %v, want %q", ref, writer, ok, want)
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

// BenchmarkList_archive is what the newest twenty, and all, of 1,000 archived records cost a process that has just begun. A
// third of them is signed.
func BenchmarkList_archive(b *testing.B) {
	r := gittest.Repo(b, gittest.Plain)
	store := open(b, r)
	made, later, _ := saveRange(b, r, store, 1, 1000)
	began := time.Now()
	if _, err := store.Compact(b.Context(), made, later); err != nil {
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
