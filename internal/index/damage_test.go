package index_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/index"
)

// each calls damage for every file of a folder.
func each(dir string, damage func(path string) error) error {
	files, err := os.ReadDir(dir)
	for _, file := range files {
		err = errors.Join(err, damage(filepath.Join(dir, file.Name())))
	}
	return err
}

// A folder that is no index of ours is made anew when it is asked.
// SPEC.
func TestIndex_unfit(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string) error{
		"missing": os.Remove,
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"garbage": func(path string) error {
			return os.WriteFile(path, bytes.Repeat([]byte("garbage "), 9999), 0o600)
		},
		"short": func(path string) error { return os.Truncate(path, 100) },
		"directory": func(path string) error {
			return errors.Join(os.Remove(path), os.MkdirAll(path+"/below", 0o700))
		},
		"link": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("nowhere", path)) },
	} {
		for _, of := range []string{"all", "state", "segment"} {
			path := t.TempDir()
			s := sample()
			sync(t, open(t, path), s)
			err := each(path, func(file string) error {
				if of == "state" && filepath.Base(file) != "state" ||
					of == "segment" && filepath.Base(file) == "state" {
					return nil
				}
				return damage(file)
			})
			if err != nil {
				t.Fatal(err)
			}
			x := open(t, path)
			if _, err := x.Search(t.Context(), index.Query{Text: "sqlstate"}); err != nil &&
				!errors.Is(err, index.ErrDamaged) {
				t.Errorf("%s of %s: Search = %v", name, of, err)
			}
			sync(t, x, s)
			if got := search(t, x, index.Query{Text: "sqlstate"}); len(got) != 1 {
				t.Errorf("%s of %s: after another Sync the index finds %v", name, of, got)
			}
		}
	}
}

// Whatever stands in the files, a search ends with what is there or with an error, and after another Sync all
// is well. SPEC.
func TestIndex_damaged(t *testing.T) {
	t.Parallel()
	s := many(300)
	s.add(999, nil, "goal: zanzibar")
	noticed := 0
	for seed := range uint64(60) {
		path := t.TempDir()
		sync(t, open(t, path), s)
		r := rand.New(rand.NewPCG(seed, 3))
		err := each(path, func(file string) error {
			data, err := os.ReadFile(file)
			if seed%4 == 0 {
				data = data[:r.IntN(len(data))]
			}
			for range r.IntN(40) {
				if len(data) > 0 {
					data[r.IntN(len(data))] ^= byte(1 << r.IntN(8))
				}
			}
			return errors.Join(err, os.WriteFile(file, data, 0o600))
		})
		if err != nil {
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
	if _, err := x.Sync(t.Context(), stampOf(""), s.list, s.load); err != nil {
		t.Errorf("Sync of a damaged index = %v", err)
	}
	s.add(5, nil, "goal: back again")
	if _, err := x.Sync(t.Context(), stampOf("other"), s.list, s.load); err != nil {
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
func TestIndex_readOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("permissions do not hold the superuser back")
	}
	path := t.TempDir()
	s := sample()
	sync(t, open(t, path), s)
	if err := os.Chmod(path, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	x := open(t, path)
	if got := search(t, x, index.Query{Text: "sqlstate"}); len(got) != 1 {
		t.Errorf("an index that cannot be written finds %v", got)
	}
	if _, err := x.Sync(t.Context(), stampOf("other"), s.list, s.load); err != nil {
		t.Errorf("Sync with nothing to do = %v", err)
	}
	s.add(7, nil, "goal: new")
	if _, err := x.Sync(t.Context(), stampOf("other"), s.list, s.load); !errors.Is(err, index.ErrReadOnly) {
		t.Errorf("Sync of an index that cannot be written = %v", err)
	}
	if _, err := open(t, filepath.Join(path, "other")).Sync(t.Context(), stampOf(""), s.list,
		s.load); !errors.Is(err, index.ErrReadOnly) {
		t.Errorf("Sync where nothing can be made = %v", err)
	}
}
