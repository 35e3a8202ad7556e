package refs_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// The keys of two people.
const (
	aliceKey = "0123456789abcdef"
	bobKey   = "fedcba9876543210"
)

// endorsementOf is what somebody says of the n-th packet, which is stored already.
func endorsementOf(tb testing.TB, r *gittest.Repository, n int, key string) refs.NewEndorsement {
	tb.Helper()
	blob := r.Git("rev-parse", name(n).Ref()+"^{blob}")
	tag, err := tagFor(n)(blob)
	if err != nil {
		tb.Fatal(err)
	}
	return refs.NewEndorsement{ID: id(n), Key: key, Blob: blob, Tag: append(tag, "by "+key+"\n"...)}
}

// endorse stores what somebody says of the n-th packet.
func endorse(tb testing.TB, r *gittest.Repository, store *refs.Store, n int, key string) refs.Ref {
	tb.Helper()
	made, err := store.Endorse(tb.Context(), endorsementOf(tb, r, n, key))
	if err != nil {
		tb.Fatal(err)
	}
	return made
}

// wantEndorsements compares a listing.
func wantEndorsements(t *testing.T, store *refs.Store, of packet.ID, want ...refs.Ref) {
	t.Helper()
	got, err := store.Endorsements(t.Context(), of)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("endorsements of %q: %v (-want +got):\n%s", of, err, diff)
	}
}

func TestStore_Endorse(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		plain, tagged := save(t, store, 1), save(t, store, 3)
		wantEndorsements(t, store, "")
		bob, alice := endorse(t, r, store, 1, bobKey), endorse(t, r, store, 1, aliceKey)
		second := endorse(t, r, store, 3, aliceKey)
		for range 2 {
			wantEndorsements(t, store, "", alice, bob, second)
			wantEndorsements(t, store, id(1), alice, bob)
			wantEndorsements(t, store, id(3), second)
			wantEndorsements(t, store, id(2))
			checkRecords(t, r, store, []refs.Ref{plain, tagged})
			r.Git("pack-refs", "--all")
		}
		if full := alice.Full(); full != "refs/ltm/endorse/"+string(id(1))+"/"+aliceKey ||
			r.Git("rev-parse", full) != alice.Object {
			t.Errorf("alice's ref is %s", full)
		}
		tag, err := store.ReadTag(t.Context(), alice.Object)
		if want := endorsementOf(t, r, 1, aliceKey).Tag; err != nil || string(tag) != string(want) {
			t.Errorf("ReadTag = %q, %v, want %q", tag, err, want)
		}
		if out := r.Git("fsck", "--strict", "--no-dangling"); out != "" {
			t.Errorf("git fsck says %q", out)
		}
		if err := store.Delete(t.Context(), []refs.Ref{bob}); err != nil {
			t.Error(err)
		}
		wantEndorsements(t, open(t, r), id(1), alice)
	})
}

func TestStore_Endorse_once(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		save(t, store, 1)
		save(t, store, 2)
		first := endorse(t, r, store, 1, aliceKey)
		again := endorsementOf(t, r, 1, aliceKey)
		again.Tag = append(again.Tag, "another time\n"...)
		if made, err := store.Endorse(t.Context(), again); err != nil || made != first {
			t.Errorf("endorsed again: %v, %v, want %v", made, err, first)
		}
		other := endorsementOf(t, r, 2, aliceKey)
		other.ID = id(1)
		if _, err := store.Endorse(t.Context(), other); !errors.Is(err, refs.ErrExists) {
			t.Errorf("endorsed over another blob: %v, want ErrExists", err)
		}
		taken := endorsementOf(t, r, 2, aliceKey)
		r.Git("update-ref", "refs/ltm/endorse/"+string(id(2))+"/"+aliceKey, taken.Blob)
		if _, err := store.Endorse(t.Context(), taken); !errors.Is(err, refs.ErrExists) {
			t.Errorf("endorsed over a blob: %v, want ErrExists", err)
		}
	})
}

func TestStore_Endorse_refuses(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	save(t, store, 1)
	save(t, store, 2)
	for what, change := range map[string]func(*refs.NewEndorsement){
		"no key":            func(e *refs.NewEndorsement) { e.Key = "" },
		"short key":         func(e *refs.NewEndorsement) { e.Key = aliceKey[1:] },
		"long key":          func(e *refs.NewEndorsement) { e.Key += "0" },
		"upper case":        func(e *refs.NewEndorsement) { e.Key = strings.ToUpper(bobKey) },
		"path":              func(e *refs.NewEndorsement) { e.Key = "0123456/89abcdef" },
		"no id":             func(e *refs.NewEndorsement) { e.ID = "" },
		"no tag":            func(e *refs.NewEndorsement) { e.Tag = nil },
		"tag of other blob": func(e *refs.NewEndorsement) { e.Tag = endorsementOf(t, r, 2, aliceKey).Tag },
		"large tag": func(e *refs.NewEndorsement) {
			e.Tag = append(e.Tag, strings.Repeat("x", 65536)...)
		},
		"no blob":            func(e *refs.NewEndorsement) { e.Blob = "" },
		"blob is not here":   func(e *refs.NewEndorsement) { e.Blob = strings.Repeat("1", 40) },
		"blob is no blob":    func(e *refs.NewEndorsement) { e.Blob = r.Git("rev-parse", "HEAD^{tree}") },
		"blob is upper case": func(e *refs.NewEndorsement) { e.Blob = strings.ToUpper(e.Blob) },
	} {
		e := endorsementOf(t, r, 1, aliceKey)
		change(&e)
		if made, err := store.Endorse(t.Context(), e); err == nil {
			t.Errorf("%s: %v was stored", what, made)
		}
	}
	wantEndorsements(t, store, "")
	if files, err := os.ReadDir(inGit(r, "ltm", "spool")); err != nil || len(files) != 2 {
		t.Errorf("the spool holds %v, %v, want the two records", files, err)
	}
	later := refs.Endorsement(id(1), aliceKey)
	if _, err := store.Create(t.Context(), []refs.New{{Name: later, Data: []byte("x")}}); err == nil {
		t.Error("Create made a later signature")
	}
}

// SPEC.
func TestStore_Endorsements_union(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		save(t, store, 1)
		save(t, store, 2)
		local, other := endorse(t, r, store, 1, bobKey), endorse(t, r, store, 2, bobKey)
		at := func(e refs.Ref, remote, object string) refs.Ref {
			e.Remote, e.Object = remote, object
			r.Git("update-ref", e.Full(), object)
			return e
		}
		at(local, "origin", local.Object)
		differs := at(local, "team/fork", other.Object)
		at(local, "zebra", other.Object)
		theirs := at(refs.Ref{Name: refs.Endorsement(id(1), aliceKey)}, "only", local.Object)
		unknown := at(refs.Ref{Name: refs.Endorsement(id(5), aliceKey)}, "only", local.Object)
		for _, stray := range []string{
			"only/endorse/" + string(id(1)) + "/F00D",
			"only/endorse/" + string(id(1)) + "/x/y", "only/endorse/x",
		} {
			r.Git("update-ref", "refs/ltm-remotes/"+stray, local.Object)
		}
		for range 2 {
			wantEndorsements(t, store, "", theirs, local, differs, other, unknown)
			wantEndorsements(t, store, id(1), theirs, local, differs)
			r.Git("pack-refs", "--all")
		}
	})
}

func TestStore_Heal_bringsBackEndorsements(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			store := open(t, r)
			record := save(t, store, 1)
			lost, unnamed, empty := endorse(t, r, store, 1, aliceKey), endorse(t, r, store, 1, bobKey),
				endorse(t, r, store, 1, "00000000000000ff")
			lose(t, r, lost.Object)
			lose(t, r, record.Object)
			r.Git("update-ref", "-d", unnamed.Full())
			overwrite(t, r, empty.Full(), "")
			for _, e := range []refs.Ref{lost, unnamed, empty} {
				minute := time.Now().Add(-time.Minute)
				file := fmt.Sprintf("endorse-%s-%s", e.Name.ID, e.Name.Key)
				if err := os.Chtimes(inGit(r, "ltm", "spool", file), minute, minute); err != nil {
					t.Fatal(err)
				}
			}
			got := healedReport(t, store).Restored
			want := []string{record.Full(), lost.Full(), unnamed.Full(), empty.Full()}
			if diff := cmp.Diff(want, got, sorted); diff != "" {
				t.Errorf("brought back (-want +got):\n%s", diff)
			}
			wantEndorsements(t, store, "", empty, lost, unnamed)
			r.Git("gc", "-q", "--prune=now")
			r.Git("fsck", "--strict", "--no-dangling")
			if err := store.Delete(t.Context(), []refs.Ref{unnamed}); err != nil {
				t.Fatal(err)
			}
			healedReport(t, store)
			wantEndorsements(t, open(t, r), "", empty, lost)
		})
	}
}

func TestStore_ReadTag_refuses(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		blob := save(t, store, 1).Object
		head := "object " + blob + "\ntype blob\ntag x\ntagger A <a@example.com> 1767323045 +0000\n\n"
		write := func(text string) string { return r.Feed(text, "hash-object", "-t", "tag", "-w", "--stdin") }
		largest := head + strings.Repeat("x", 65536-len(head))
		if tag, err := store.ReadTag(t.Context(), write(largest)); err != nil || string(tag) != largest {
			t.Errorf("the largest tag: %d bytes, %v", len(tag), err)
		}
		if _, err := store.ReadTag(t.Context(), write(largest+"x")); !isTooLarge(err) {
			t.Errorf("a tag that is too large: %v", err)
		}
		large := r.Feed(strings.Repeat("x", 100_000), "hash-object", "-w", "--stdin")
		for oid, want := range map[string]error{
			blob: refs.ErrShape, large: refs.ErrShape,
			strings.Repeat("1", len(blob)): refs.ErrMissing, "x": refs.ErrMissing,
		} {
			if _, err := store.ReadTag(t.Context(), oid); !errors.Is(err, want) {
				t.Errorf("ReadTag(%q) = %v, want %v", oid, err, want)
			}
		}
	})
}

// isTooLarge reports whether an error says that an object is too large.
func isTooLarge(err error) bool {
	_, ok := errors.AsType[*refs.TooLargeError](err)
	return ok
}

// SPEC.
func TestParse_endorsement(t *testing.T) {
	t.Parallel()
	good := "refs/ltm/endorse/" + string(id(1)) + "/" + aliceKey
	for ref, want := range map[string]bool{
		good: true, good + "0": false, good[:len(good)-1]: false, good + "/x": false,
		strings.ToUpper(good):                                           false,
		"refs/ltm/endorse/" + string(id(1)):                             false,
		"refs/ltm/endorse/" + string(id(1)) + "/" + "0123456789abcdeF":  false,
		"refs/ltm/endorse/" + string(id(1)) + "/" + "0123456789abcde\n": false,
		"refs/ltm/endorse/x/" + aliceKey:                                false,
		"refs/ltm/packets/" + string(id(1)) + "/" + aliceKey:            false,
		"refs/ltm/packets/" + string(id(1)):                             false,
		"refs/ltm-remotes/o" + strings.TrimPrefix(good, "refs/ltm"):     false,
		"": false,
	} {
		name, ok := refs.Parse(ref)
		if ok = ok && name.Key != ""; ok != want || refs.InLayout(ref) !=
			(want || strings.Count(ref, "/") == 3 && strings.Contains(ref, "packets")) {
			t.Errorf("Parse(%q) as a later signature is %v, want %v; InLayout is %v", ref, ok, want, refs.InLayout(ref))
		}
		if ok && name.Ref() != ref {
			t.Errorf("%q comes back as %q", ref, name.Ref())
		}
	}
}

// BenchmarkEndorsements_none is what every list pays where nobody has endorsed anything.
func BenchmarkEndorsements_none(b *testing.B) {
	r := gittest.Repo(b, gittest.Plain)
	plant(b, r, 0, 100_000)
	store := open(b, r)
	for b.Loop() {
		if found, err := store.Endorsements(b.Context(), ""); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	}
}
