package refs_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// line is one entry of a tree that git would not always make.
type line struct{ mode, name, oid string }

// plantTree writes a tree object exactly as it is asked for.
func plantTree(tb testing.TB, r *gittest.Repository, lines ...line) string {
	tb.Helper()
	var raw strings.Builder
	for _, l := range lines {
		oid, err := hex.DecodeString(l.oid)
		if err != nil {
			tb.Fatal(err)
		}
		raw.WriteString(l.mode + " " + l.name + "\x00" + string(oid))
	}
	return r.Feed(raw.String(), "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
}

// quarter is when the records of these tests were made, and quarterBegins the time of its archives.
const (
	quarter       = "2025-Q4"
	quarterBegins = 1759276800
)

// plantCommit writes a commit in the form of an archive's.
func plantCommit(r *gittest.Repository, tree, about string) string {
	person := fmt.Sprintf("git-ltm <git-ltm@localhost> %d +0000", quarterBegins)
	raw := fmt.Sprintf("tree %s\nauthor %s\ncommitter %s\n\nltm archive %s\n", tree, person, person, about)
	return r.Feed(raw, "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
}

// hostile is a repository with one good record in a folder, and the means to spoil it.
type hostile struct {
	*gittest.Repository
	t         testing.TB
	blob, tag string
}

// ref is where the tracking ref of an archive lies that is this commit.
func (h hostile) ref(commit string) string {
	return "refs/ltm-remotes/origin/archive/" + quarter + "/" + commit
}

// packets is the commit of an archive with these files in the folder of packets.
func (h hostile) packets(files ...line) string {
	return h.folder("01KAT", files...)
}

// folder is packets with another name of the folder.
func (h hostile) folder(name string, files ...line) string {
	return h.kinds(line{
		"40000", "packets",
		plantTree(h.t, h.Repository, line{"40000", name, plantTree(h.t, h.Repository, files...)}),
	})
}

// kinds is the commit of an archive with these kinds.
func (h hostile) kinds(lines ...line) string {
	return plantCommit(h.Repository, plantTree(h.t, h.Repository, lines...), quarter)
}

// What lies in the archive of a remote is made by whoever may push there.
// SPEC.
// SPEC.
func TestStore_archives_hostile(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			store := open(t, r)
			mine := save(t, store, 1)
			blob := r.Feed("{}\n", "hash-object", "-w", "--stdin")
			tag, _ := tagFor(2)(blob)
			h := hostile{r, t, blob, r.Feed(string(tag), "hash-object", "-w", "--stdin")}
			for what, commit := range h.commits() {
				ref := h.ref(commit)
				r.Git("update-ref", ref, commit)
				store := open(t, r)
				for _, q := range []refs.Query{
					{Kind: refs.Packets, Remotes: true},
					{Kind: refs.Packets, Remotes: true, Newest: true},
				} {
					if diff := cmp.Diff([]refs.Ref{mine}, listed(t, store, q)); diff != "" {
						t.Errorf("%s (-want +got):\n%s", what, diff)
					}
				}
				if found, err := store.Lookup(t.Context(), name(2)); !errors.Is(err,
					refs.ErrNotFound) {
					t.Errorf("%s: found %v, %v", what, found, err)
				}
				if found, err := store.Endorsements(t.Context(), ""); err != nil || len(found) > 0 {
					t.Errorf("%s: later signatures %v, %v", what, found, err)
				}
				name := strings.TrimPrefix(ref, "refs/ltm-remotes/origin/archive/")
				if err := entriesError(t, store,
					refs.Archive{Name: name, Remote: "origin", Commit: commit}); err == nil {
					t.Errorf("%s: Entries does not complain", what)
				}
				r.Git("update-ref", "-d", ref)
			}
		})
	}
}

// entriesError is how the reading of an archive ends.
func entriesError(tb testing.TB, store *refs.Store, a refs.Archive) error {
	tb.Helper()
	for _, err := range store.Archives.Entries(tb.Context(), a) {
		if err != nil {
			return err
		}
	}
	return nil
}

// damagedArchives are the archives that cannot be read to their ends.
func damagedArchives(tb testing.TB, store *refs.Store) []refs.Archive {
	tb.Helper()
	all, err := store.Archives.List(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return slices.DeleteFunc(all, func(a refs.Archive) bool { return entriesError(tb, store, a) == nil })
}

// commits are archives of which nothing may be read.
func (h hostile) commits() map[string]string {
	good := line{"100644", string(id(2)) + ".json", h.blob}
	gone := strings.Repeat("1", len(h.blob))
	folder := plantTree(h.t, h.Repository, good)
	kind := plantTree(h.t, h.Repository, line{"40000", "01KAT", folder})
	root := plantTree(h.t, h.Repository, line{"40000", "packets", kind})
	file := func(mode, name, oid string) string { return h.packets(line{mode, name, oid}) }
	raw := func(typ, text string) string {
		return h.Feed(text, "hash-object", "-t", typ, "-w", "--literally", "--stdin")
	}
	whole := h.Git("cat-file", "commit", h.packets(good)) + "\n"
	other, _ := tagFor(2)(gone)
	var many []line
	for n := range 9000 {
		many = append(many, line{"100644", string(id(n)) + ".json", h.blob})
	}
	commits := map[string]string{
		"a link": file("120000", good.name, h.blob), "a program": file("100755", good.name, h.blob),
		"an old mode":           file("100664", good.name, h.blob),
		"a submodule":           file("160000", good.name, h.Git("rev-parse", "HEAD")),
		"a folder for a record": file("40000", good.name, folder),
		"a long mode":           file("0100644", good.name, h.blob),
		"lower case":            file("100644", strings.ToLower(good.name), h.blob),
		"no suffix":             file("100644", string(id(2)), h.blob),
		"a longer suffix":       file("100644", good.name+"x", h.blob),
		"a way up":              file("100644", "../"+good.name, h.blob),
		"a key beside a packet": file("100644", string(id(2))+"."+aliceKey+".tag", h.tag),
		"a tag alone":           file("100644", string(id(2))+".tag", h.tag),
		"twice":                 h.packets(good, good),
		"the wrong order":       h.packets(line{"100644", string(id(3)) + ".json", h.blob}, good),
		"another folder":        h.folder("01KAS", good),
		"a deep folder":         h.folder("01KAT", line{"40000", "01KAT", folder}),
		"a short folder":        h.folder("01KA", good),
		"a lower folder":        h.folder("01kat", good),
		"a file for a folder": h.kinds(
			line{"40000", "packets", plantTree(h.t, h.Repository, line{"100644", "01KAT", h.blob})}),
		"an unknown kind":     h.kinds(line{"40000", "packets", kind}, line{"40000", "secrets", kind}),
		"a kind twice":        h.kinds(line{"40000", "packets", kind}, line{"40000", "packets", kind}),
		"a file for a kind":   h.kinds(line{"100644", "packets", h.blob}),
		"records in the root": h.kinds(good),
		"no tree":             plantCommit(h.Repository, gone, quarter),
		"no kind":             h.kinds(line{"40000", "packets", gone}),
		"no folder": h.kinds(
			line{"40000", "packets", plantTree(h.t, h.Repository, line{"40000", "01KAT", gone})}),
		"a torn tree": plantCommit(h.Repository,
			h.Feed("100644 x", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"), quarter),
		"a tag of another blob": h.packets(good,
			line{"100644", string(id(2)) + ".tag", h.Feed(string(other), "hash-object", "-w", "--stdin")}),
		"no tag":             h.packets(good, line{"100644", string(id(2)) + ".tag", gone}),
		"a tag that is none": h.packets(good, line{"100644", string(id(2)) + ".tag", h.blob}),
		"a large tag": h.packets(good,
			line{
				"100644", string(id(2)) + ".tag",
				h.Feed(h.Git("cat-file", "blob", h.tag)+strings.Repeat("x", 70_000), "hash-object", "-w",
					"--stdin"),
			}),
		"another message":  plantCommit(h.Repository, root, "2025-Q3"),
		"a commit of work": h.Git("rev-parse", "HEAD"), "a tree": root, "a blob": h.blob,
		"a tag object": raw("tag", string(other)),
		"a parent": raw("commit",
			strings.Replace(whole, "\nauthor", "\nparent "+h.Git("rev-parse", "HEAD")+"\nauthor", 1)),
		"another author": raw("commit", strings.Replace(whole, "author git-ltm", "author mallory", 1)),
		"a message":      raw("commit", whole+"more\n"),
		"a large commit": raw("commit", whole+strings.Repeat("more\n", 1000)),
		"a time zone":    raw("commit", strings.Replace(whole, "+0000\ncommitter", "+0100\ncommitter", 1)),
		"too many": h.packets(slices.SortedFunc(slices.Values(many), func(a, b line) int {
			return strings.Compare(a.name, b.name)
		})...),
		"a later without": h.kinds(
			line{
				"40000", "endorse",
				plantTree(h.t, h.Repository,
					line{
						"40000", "01KAT",
						plantTree(h.t, h.Repository,
							line{"100644", string(id(2)) + "." + aliceKey + ".json", h.blob}),
					}),
			}),
		"an empty folder": h.folder("01KAT"),
		"an empty kind":   h.kinds(line{"40000", "packets", plantTree(h.t, h.Repository)}),
		"nothing":         h.kinds(),
	}
	late := "01KZZZZZZZZZZZZZZZZZZZZZZZ"
	commits["another time"] = raw("commit",
		strings.ReplaceAll(whole, fmt.Sprint(quarterBegins), fmt.Sprint(quarterBegins+1)))
	commits["another quarter"] = h.folder("01KZZ", line{"100644", late + ".json", h.blob})
	return commits
}

// A blob that is larger than a record may be, or missing, is the record's own damage: its size is asked for
// first.
func TestStore_archives_hostileRecord(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	h := hostile{Repository: r, t: t}
	large := r.Feed(strings.Repeat("x", limit+1), "hash-object", "-w", "--stdin")
	tree := plantTree(t, r)
	for oid, want := range map[string]error{
		large: nil, strings.Repeat("1", 40): refs.ErrMissing,
		tree: refs.ErrShape,
	} {
		commit := h.packets(line{"100644", string(id(2)) + ".json", oid})
		r.Git("update-ref", h.ref(commit), commit)
		store := open(t, r)
		ref, err := store.Lookup(t.Context(), name(2))
		if err != nil || ref.Object != oid {
			t.Fatalf("found %v, %v", ref, err)
		}
		_, err = store.Read(t.Context(), ref)
		if (want != nil && !errors.Is(err, want)) || (want == nil && !isTooLarge(err)) {
			t.Errorf("read %s: %v, want %v", oid, err, want)
		}
		r.Git("update-ref", "-d", h.ref(commit))
	}
}
