package index_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/index"

	"github.com/git-ltm/git-ltm/internal/local"
)

// A file that is no index of ours is put away when it is opened.
// SPEC.
func TestOpen_unfit(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string) error{
		"missing":   os.Remove,
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"garbage":   func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("garbage "), 9999), 0o600) },
		"short":     func(path string) error { return os.Truncate(path, 100) },
		"directory": func(path string) error { return errors.Join(os.Remove(path), os.MkdirAll(path+"/below", 0o700)) },
		"link": func(path string) error {
			return errors.Join(os.Remove(path), os.Symlink("nowhere", path))
		},
		"other version": func(path string) error {
			data, err := os.ReadFile(path)
			data[63] ^= 64
			return errors.Join(err, os.WriteFile(path, data, 0o600))
		},
		"journal of another": func(path string) error { return os.WriteFile(path+"-journal", []byte("garbage"), 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "index.db")
		s := sample()
		x := open(t, path)
		sync(t, x, s)
		if err := errors.Join(x.Close(), damage(path)); err != nil {
			t.Fatal(err)
		}
		x = open(t, path)
		sync(t, x, s)
		if got := search(t, x, index.Query{Text: "sqlstate"}); len(got) != 1 {
			t.Errorf("%s: after another Sync the index finds %v", name, got)
		}
	}
}

// Whatever stands in the pages, a search ends with hits or with an error, and after another Sync all is well: damage that
// nobody notices harms nobody.
// SPEC.
func TestIndex_damaged(t *testing.T) {
	t.Parallel()
	s := many(300)
	s.add(999, nil, "goal: zanzibar")
	good := filepath.Join(t.TempDir(), "index.db")
	x := open(t, good)
	sync(t, x, s)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	noticed := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		bad := bytes.Clone(data)
		if seed%4 == 0 {
			bad = bad[:4096*r.IntN(len(bad)/4096)]
		}
		for range 1 + r.IntN(400) {
			if len(bad) > 0 {
				bad[r.IntN(len(bad))] ^= byte(1 << r.IntN(8))
			}
		}
		path := filepath.Join(t.TempDir(), "index.db")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		noticed += survives(t, path, s)
	}
	if noticed == 0 {
		t.Error("no damage was noticed")
	}
}

// survives uses a damaged index, and tells whether the damage was noticed.
func survives(t *testing.T, path string, s store) int {
	t.Helper()
	x := open(t, path)
	defer func() { _ = x.Close() }() // It is closed again at the end of the test.
	noticed := 0
	for _, text := range []string{"redis cache", "zanzibar", "the", `"redis timeout"`} {
		if _, err := x.Search(t.Context(), index.Query{Text: text}); err != nil {
			if !errors.Is(err, index.ErrDamaged) {
				t.Errorf("Search in a damaged index = %v", err)
			}
			noticed = 1
			break
		}
	}
	delete(s, "refs/ltm/packets/"+idFor(5))
	if _, err := x.Sync(t.Context(), "", s.list(), s.load); err != nil {
		t.Errorf("Sync of a damaged index = %v", err)
	}
	s.add(5, nil, "goal: back again")
	if _, err := x.Sync(t.Context(), "other", s.list(), s.load); err != nil {
		t.Errorf("Sync of a damaged index = %v", err)
	}
	if noticed == 0 {
		return 0
	}
	if got := search(t, x, index.Query{Text: "zanzibar"}); len(got) != 1 {
		t.Errorf("after damage and another Sync the index finds %v", got)
	}
	return 1
}

// A disk that cannot be written: what is there is used, and what is not there cannot be made.
func TestOpen_readOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("permissions do not hold the superuser back")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "index.db")
	s := sample()
	x := open(t, path)
	sync(t, x, s)
	if err := errors.Join(x.Close(), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	x = open(t, path)
	if got := search(t, x, index.Query{Text: "sqlstate"}); len(got) != 1 || !x.ReadOnly() {
		t.Errorf("an index that cannot be written finds %v, read only is %v", got, x.ReadOnly())
	}
	if _, err := x.Sync(t.Context(), "other", s.list(), s.load); err != nil {
		t.Errorf("Sync with nothing to do = %v", err)
	}
	s.add(7, nil, "goal: new")
	if _, err := x.Sync(t.Context(), "other", s.list(), s.load); !errors.Is(err, index.ErrReadOnly) {
		t.Errorf("Sync of an index that cannot be written = %v", err)
	}
	if _, err := index.Open(t.Context(), index.Options{File: local.At(filepath.Join(dir, "other.db"))}); !errors.Is(err, index.ErrUnusable) {
		t.Errorf("Open where nothing can be made = %v", err)
	}
}
