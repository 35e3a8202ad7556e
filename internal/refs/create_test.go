package refs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// raced saves the same name twice at the same time and returns both outcomes.
func raced(t *testing.T, r *gittest.Repository, recs [2]refs.New) (made [2]refs.Ref, failed [2]error) {
	t.Helper()
	var wait sync.WaitGroup
	for i := range recs {
		store := open(t, r)
		wait.Go(func() {
			refs, err := store.Create(t.Context(), recs[i:i+1])
			if failed[i] = err; err == nil {
				made[i] = refs[0]
			}
		})
	}
	wait.Wait()
	return made, failed
}

// SPEC.
func TestStore_Create_atTheSameTime(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			for n := range 10 {
				rec := refs.New{Name: name(n), Data: []byte("same")}
				made, failed := raced(t, r, [2]refs.New{rec, rec})
				if failed[0] != nil || failed[1] != nil || made[0] != made[1] {
					t.Errorf("the same content: %v, %v", made, failed)
				}
			}
			for n := 10; n < 20; n++ {
				_, failed := raced(t, r,
					[2]refs.New{{Name: name(n), Data: []byte("one")}, {Name: name(n), Data: []byte("two")}})
				refused := errors.Is(failed[0], refs.ErrExists) || errors.Is(failed[1], refs.ErrExists)
				if (failed[0] == nil) == (failed[1] == nil) || !refused {
					t.Errorf("other content: %v, want ErrExists for one of them", failed)
				}
			}
			store := open(t, r)
			if report := healedReport(t, store); len(report.Restored)+len(report.Quarantined) > 0 {
				t.Errorf("heal found work: %+v", report)
			}
			if count, err := counted(t.Context(), store); count != 20 || err != nil {
				t.Errorf("count is %d, %v, want 20", count, err)
			}
		})
	}
}

// A save that failed must not appear later.
// SPEC.
func TestStore_Create_leavesNothingAfterAFailure(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	errSign := errors.New("no key")
	recs := []refs.New{
		{Name: name(1), Data: []byte("one")},
		{Name: name(2), Data: []byte("two"), Tag: func(string) ([]byte, error) { return nil, errSign }},
	}
	if _, err := store.Create(t.Context(), recs); !errors.Is(err, errSign) {
		t.Errorf("a signature that failed: %v, want that error", err)
	}
	recs[1].Tag = func(string) ([]byte, error) { return []byte("object x\ntype commit\n"), nil }
	if _, err := store.Create(t.Context(), recs); !errors.Is(err, refs.ErrShape) {
		t.Errorf("a tag of another object: %v, want ErrShape", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	recs[1].Tag = func(blob string) ([]byte, error) {
		cancel()
		return tagFor(2)(blob)
	}
	if _, err := store.Create(ctx, recs); err == nil {
		t.Error("a save that was cancelled succeeded")
	}
	recs[1] = refs.New{Name: refs.Name{Kind: "../heads", ID: id(3)}}
	if _, err := store.Create(t.Context(), recs); err == nil {
		t.Error("a name that is none was accepted")
	}
	if report := healedReport(t, store); len(report.Restored) > 0 {
		t.Errorf("brought back: %v", report.Restored)
	}
	if out := r.Git("for-each-ref", "refs/ltm"); out != "" {
		t.Errorf("refs were made: %s", out)
	}
	if left, err := os.ReadDir(inGit(r, "ltm", "spool")); err == nil && len(left) > 0 {
		t.Errorf("the spool holds %v", left)
	}
}

// Refs are packed when many of them are loose, so that other commands stay fast.
func TestStore_Heal_packsManyRefs(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	oid := r.Git("rev-parse", "HEAD:file")
	var changes strings.Builder
	for n := range 500 {
		fmt.Fprintf(&changes, "create %s %s\n", name(n).Ref(), oid)
	}
	r.Feed(changes.String(), "update-ref", "--stdin")
	store := open(t, r)
	save(t, store, 500)
	healedReport(t, store)
	if _, err := os.Stat(inGit(r, "refs", "ltm", "packets", string(id(3)))); err == nil {
		t.Error("the refs are still loose")
	}
	if count, err := counted(t.Context(), store); count != 501 || err != nil {
		t.Errorf("count is %d, %v, want 501", count, err)
	}
}

// SPEC.
func TestStore_Read_refusesOtherShapes(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		blob := r.Feed("text", "hash-object", "-w", "--stdin")
		tag := func(target, typ string) string {
			text := "object " + target + "\ntype " + typ + "\ntag x\ntagger A <a@example.org> 1 +0000\n\nx\n"
			return r.Feed(text, "hash-object", "-w", "--stdin", "-t", "tag")
		}
		tests := []struct {
			name string
			oid  string
			want error
		}{
			{"commit", r.Git("rev-parse", "HEAD"), refs.ErrShape},
			{"tree", r.Git("rev-parse", "HEAD^{tree}"), refs.ErrShape},
			{"tag of a commit", tag(r.Git("rev-parse", "HEAD"), "commit"), refs.ErrShape},
			{"tag of a tag", tag(tag(blob, "blob"), "tag"), refs.ErrShape},
			{"nothing", fmt.Sprintf("%0*x", len(blob), 1), refs.ErrMissing},
			{"tag of a blob", tag(blob, "blob"), nil},
		}
		for _, test := range tests {
			object, err := store.Read(t.Context(), refs.Ref{Name: name(1), Object: test.oid})
			if !errors.Is(err, test.want) {
				t.Errorf("%s: %v, want %v", test.name, err, test.want)
			}
			if test.want == nil &&
				(string(object.Data) != "text" || object.OID != blob || object.TagOID != test.oid) {
				t.Errorf("%s: got %+v", test.name, object)
			}
		}
		large := r.Feed(strings.Repeat("x", packet.MaxPacket+1), "hash-object", "-w", "--stdin")
		_, err := store.Read(t.Context(), refs.Ref{Name: name(1), Object: large})
		if _, ok := errors.AsType[*refs.TooLargeError](err); !ok {
			t.Errorf("blob of a byte more than a packet has: %v, want a TooLargeError", err)
		}
	})
}

// What git would do more for a new ref than to write its file is done: a hook is asked, and a name that
// cannot stand beside another one is refused, also where that is packed. SPEC.
func TestStore_Create_asGitDoes(t *testing.T) {
	t.Parallel()
	newRecord := refs.New{Name: name(1), Data: []byte("one")}
	for _, c := range []struct {
		what    string
		prepare func(t *testing.T, r *gittest.Repository)
		made    bool
	}{
		{"nothing in the way", func(*testing.T, *gittest.Repository) {}, true},
		{"a hook that refuses", func(t *testing.T, r *gittest.Repository) {
			hookOf(t, inGit(r, "hooks"))
		}, false},
		{"a hook that refuses, elsewhere", func(t *testing.T, r *gittest.Repository) {
			hookOf(t, filepath.Join(r.Dir, "own"))
			r.Git("config", "core.hooksPath", filepath.Join(r.Dir, "own"))
		}, false},
		{"a ref above", func(_ *testing.T, r *gittest.Repository) {
			r.Git("update-ref", "refs/ltm/packets", "HEAD")
		}, false},
		{"a packed ref above", func(_ *testing.T, r *gittest.Repository) {
			r.Git("update-ref", "refs/ltm", "HEAD")
			r.Git("pack-refs", "--all")
		}, false},
		{"a ref below", func(_ *testing.T, r *gittest.Repository) {
			r.Git("update-ref", name(1).Ref()+"/below", "HEAD")
		}, false},
		{"a packed ref below", func(_ *testing.T, r *gittest.Repository) {
			r.Git("update-ref", name(1).Ref()+"/below", "HEAD")
			r.Git("pack-refs", "--all")
		}, false},
		{"an empty folder of that name", func(t *testing.T, r *gittest.Repository) {
			if err := os.MkdirAll(inGit(r, name(1).Ref()), 0o755); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			c.prepare(t, r)
			made, err := open(t, r).Create(t.Context(), []refs.New{newRecord})
			if (err == nil) != c.made {
				t.Errorf("create with %s: %v, %v; want made %t", c.what, made, err, c.made)
			}
			if _, err := r.Try("rev-parse", "-q", "--verify", name(1).Ref()); (err == nil) != c.made {
				t.Errorf("with %s git finds the ref %t, want %t", c.what, err == nil, c.made)
			}
			if _, err := os.Lstat(inGit(r, name(1).Ref()+".lock")); err == nil {
				t.Error("the lock of the ref is left")
			}
		})
	}
}

// hookOf writes a hook that refuses every change of a ref.
func hookOf(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "reference-transaction"), []byte("#!/bin/sh\nexit 1\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
}

// A lock of git is waited for.
func TestStore_Create_waitsForALock(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	save(t, store, 2)
	lock := inGit(r, name(1).Ref()+".lock")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := store.Create(t.Context(), []refs.New{{Name: name(1), Data: []byte("one")}})
		done <- err
	}()
	if err := os.Remove(lock); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("create beside a lock that goes: %v", err)
	}
}
