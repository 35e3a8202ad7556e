package refs

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/local"
)

// bothObjects runs a test over the two ways to reach the objects of a repository.
func bothObjects(t *testing.T, kind gittest.Kind, test func(t *testing.T, r *gittest.Repository, o objects)) {
	t.Helper()
	for _, native := range []bool{true, false} {
		t.Run(map[bool]string{true: "in process", false: "by git"}[native], func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo, err := git.Open(t.Context(), r.Dir, r.Env)
			if err != nil {
				t.Fatal(err)
			}
			var o objects = &gitObjects{repo: repo}
			if native {
				o = newNativeObjects(filepath.Join(repo.CommonDir, "objects"), repo.Sharing, noProgram(t))
			}
			test(t, r, o)
			if err := o.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// noProgram answers nothing, so that a test sees what this process can do without git.
func noProgram(t *testing.T) *gitObjects {
	t.Helper()
	r := gittest.Repo(t, gittest.Plain)
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return &gitObjects{repo: repo}
}

// similar makes texts that git packs as deltas of each other.
func similar(count int) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	for range 400 {
		fmt.Fprintf(&text, "line %d\n", random.Uint64())
	}
	texts := make([][]byte, count)
	for i := range texts {
		fmt.Fprintf(&text, "one more %d\n", random.Uint64())
		texts[i] = bytes.Clone(text.Bytes())
	}
	return texts
}

// checkObjects reads every object and compares with what was written.
func checkObjects(t *testing.T, o objects, want map[string][]byte) {
	t.Helper()
	for oid, data := range want {
		if typ, err := typeOf(t.Context(), o, oid); typ != "blob" || err != nil {
			t.Errorf("type of %s: %s, %v, want a blob", oid, typ, err)
		}
		_, got, err := o.readObject(t.Context(), oid, int64(len(data)))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("read %s: %d bytes, %v, want %d", oid, len(got), err, len(data))
		}
		typ, _, err := o.readObject(t.Context(), oid, int64(len(data))-1)
		if large, ok := errors.AsType[*TooLargeError](err); !ok || large.Size != int64(len(data)) || typ != "blob" {
			t.Errorf("read %s with too small a limit: %v, want a TooLargeError", oid, err)
		}
	}
	if _, _, err := o.readObject(t.Context(), strings.Repeat("1", 40), 10); !errors.Is(err, ErrMissing) {
		t.Errorf("read of nothing: %v, want ErrMissing", err)
	}
	if _, err := typeOf(t.Context(), o, "--help"); !errors.Is(err, ErrMissing) {
		t.Errorf("type of no name: %v, want ErrMissing", err)
	}
}

func TestObjects_everyStorage(t *testing.T) {
	t.Parallel()
	bothObjects(t, gittest.Plain, func(t *testing.T, r *gittest.Repository, o objects) {
		want := map[string][]byte{}
		var list strings.Builder
		for _, text := range similar(30) {
			oid, err := o.writeObject(t.Context(), "blob", text)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Feed(string(text), "hash-object", "--stdin"); got != oid {
				t.Fatalf("wrote %s, git names it %s", oid, got)
			}
			want[oid] = text
			list.WriteString(oid + "\n")
			r.Git("update-ref", "refs/keep/"+oid, oid)
		}
		checkObjects(t, o, want)
		for _, args := range [][]string{
			{"repack", "-a", "-d", "-f", "-q", "--depth=40", "--window=40"},
			{"-c", "repack.useDeltaBaseOffset=false", "repack", "-a", "-d", "-f", "-q", "--depth=40"},
			{"repack", "-a", "-d", "-f", "-q", "--depth=0"},
			{"-c", "pack.indexVersion=1", "repack", "-a", "-d", "-F", "-q"},
			{"multi-pack-index", "write"},
		} {
			r.Git(args...)
			if args[1] == "pack.indexVersion=1" {
				continue // Only git reads that one.
			}
			if args[0] != "multi-pack-index" {
				checkObjects(t, o, want)
			}
		}
	})
}

func TestObjects_largeOffsets(t *testing.T) {
	t.Parallel()
	bothObjects(t, gittest.Plain, func(t *testing.T, r *gittest.Repository, o objects) {
		want := map[string][]byte{}
		for _, text := range similar(300)[280:] {
			oid := r.Feed(string(text), "hash-object", "-w", "--stdin")
			r.Git("update-ref", "refs/keep/"+oid, oid)
			want[oid] = text
		}
		r.Git("repack", "-a", "-d", "-q")
		packs, err := filepath.Glob(filepath.Join(r.Dir, ".git", "objects", "pack", "*.pack"))
		if err != nil || len(packs) != 1 {
			t.Fatalf("packs: %v, %v", packs, err)
		}
		index := strings.TrimSuffix(packs[0], "pack") + "idx"
		if err := os.Remove(index); err != nil {
			t.Fatal(err)
		}
		r.Git("index-pack", "--index-version=2,0x40", packs[0])
		checkObjects(t, o, want)
	})
}

// What a repository borrows is found by git, whoever reads the rest.
func TestObjects_alternates(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Alternates, gittest.Relative, gittest.Nested} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo, err := git.Open(t.Context(), r.Dir, r.Env)
			if err != nil {
				t.Fatal(err)
			}
			o := newObjects(repo)
			defer func() { _ = o.close() }()
			if _, ok := o.(*nativeObjects); !ok {
				t.Errorf("objects are read by %T", o)
			}
			origin := filepath.Join(filepath.Dir(r.Dir), "origin")
			text := []byte("far away")
			oid := r.Feed(string(text), "-C", origin, "hash-object", "-w", "--stdin")
			checkObjects(t, o, map[string][]byte{oid: text})
			r.Git("-C", origin, "update-ref", "refs/keep/x", oid)
			r.Git("-C", origin, "repack", "-a", "-d", "-q")
			r.Git("-C", origin, "prune-packed")
			checkObjects(t, o, map[string][]byte{oid: text})
		})
	}
}

func TestObjects_damaged(t *testing.T) {
	t.Parallel()
	bothObjects(t, gittest.Plain, func(t *testing.T, r *gittest.Repository, o objects) {
		for _, content := range []string{"", "no zlib", "x\x9c\x4b\xca\xc9\x4f\x52"} {
			oid, err := o.writeObject(t.Context(), "blob", []byte("data "+content))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(r.Dir, ".git", "objects", oid[:2], oid[2:])
			if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, []byte(content), 0o600)); err !=
				nil {
				t.Fatal(err)
			}
			if _, data, err := o.readObject(t.Context(), oid, 100); err == nil {
				t.Errorf("read a damaged object: %q", data)
			}
			if _, err := typeOf(t.Context(), o, oid); err == nil {
				t.Error("type of a damaged object")
			}
		}
		if oid, err := o.writeObject(t.Context(), "blob", []byte("after")); err != nil {
			t.Errorf("write after that: %v", err)
		} else if _, _, err := o.readObject(t.Context(), oid, 100); err != nil {
			t.Errorf("read after that: %v", err)
		}
	})
}

func TestNativeObjects_write_mendsAndRenews(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	dir := filepath.Join(r.Dir, ".git", "objects")
	o := newNativeObjects(dir, func() local.Sharing { return -local.Group }, noProgram(t))
	data := []byte("kept for long")
	oid, err := o.writeObject(t.Context(), "blob", data)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, oid[:2], oid[2:])
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o440 {
		t.Errorf("permissions are %v, %v, want 0440", info.Mode(), err)
	}
	old := time.Now().Add(-30 * 24 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := o.writeObject(t.Context(), "blob", data); err != nil {
		t.Fatal(err)
	}
	r.Git("prune", "--expire=1.day.ago")
	if _, _, err := o.readObject(t.Context(), oid, 100); err != nil {
		t.Errorf("an object written again did not outlive prune: %v", err)
	}
	if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := o.writeObject(t.Context(), "blob", data); err != nil {
		t.Fatal(err)
	}
	if _, got, err := o.readObject(t.Context(), oid, 100); err != nil || !bytes.Equal(got, data) {
		t.Errorf("an empty object was not mended: %q, %v", got, err)
	}
	if _, err := o.writeObject(t.Context(), "nonsense", data); err == nil {
		t.Error("wrote an object of no type")
	}
}
