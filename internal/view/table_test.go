package view_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/view"
)

// written returns a table of what a map holds, as bytes.
func written(t testing.TB, all map[string]string) ([]byte, view.Root) {
	t.Helper()
	var out bytes.Buffer
	w := view.NewWriter(&out)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if err := w.Add(key, []byte(all[key])); err != nil {
			t.Fatal(err)
		}
	}
	root, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), root
}

// some are n keys, of which many begin alike and a few have long values.
func some(n int) map[string]string {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	all := map[string]string{}
	for i := range n {
		value := strings.Repeat(fmt.Sprint(i, " "), r.IntN(9))
		if i%97 == 0 {
			value = strings.Repeat("long ", r.IntN(5000))
		}
		all[fmt.Sprintf("refs/%d/%d", r.IntN(9), r.IntN(10*n))] = value
	}
	return all
}

// Each key has its value, a key that was not added has none, and a cursor meets all that follow where it
// began.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 50, 3000, 40_000} {
		all := some(n)
		data, root := written(t, all)
		root, rest, err := view.ParseRoot(string(root.Append(nil)) + "x")
		if err != nil || len(rest) != 1 {
			t.Fatalf("ParseRoot = %v, %v", rest, err)
		}
		x := view.NewTable(bytes.NewReader(data), root)
		keys := slices.Sorted(maps.Keys(all))
		for i, key := range keys {
			if value, ok, err := x.Get(key); !ok || err != nil || value != all[key] {
				t.Fatalf("of %d: Get(%q) = %.20q, %v, %v", n, key, value, ok, err)
			}
			if value, ok, err := x.Get(key + " "); ok || value != "" || err != nil {
				t.Fatalf("of %d: Get of what is not there = %v, %v", n, ok, err)
			}
			if i%500 != 0 {
				continue
			}
			c := x.Seek(key)
			for _, want := range keys[i:] {
				if !c.Next() || string(c.Key()) != want || c.Value() != all[want] {
					t.Fatalf("of %d: after %q comes no %q: %v", n, key, want, c.Err())
				}
			}
			if c.Next() || c.Err() != nil {
				t.Fatalf("of %d: the cursor does not end: %v", n, c.Err())
			}
		}
	}
}

func TestWriter_Add_order(t *testing.T) {
	t.Parallel()
	w := view.NewWriter(&bytes.Buffer{})
	if err := errors.Join(w.Add("a", nil), w.Add("b", nil)); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b", ""} {
		if err := w.Add(key, nil); !errors.Is(err, view.ErrOrder) {
			t.Errorf("Add(%q) = %v", key, err)
		}
	}
}

// Whatever bytes are changed or cut off, a table says what was written or that it is damaged.
func FuzzTable_damaged(f *testing.F) {
	all := some(2000)
	data, root := written(f, all)
	f.Add(17, byte(1), len(data), []byte("x"))
	f.Add(len(data)-3, byte(0x80), len(data), root.Append(nil))
	f.Add(0, byte(0), len(data)/2, []byte{0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4, 5})
	f.Fuzz(func(t *testing.T, at int, flip byte, length int, other []byte) {
		bad := bytes.Clone(data)
		if at >= 0 && at < len(bad) {
			bad[at] ^= flip
		}
		if length >= 0 && length < len(bad) {
			bad = bad[:length]
		}
		x := view.NewTable(bytes.NewReader(bad), root)
		for key, want := range all {
			value, ok, err := x.Get(key)
			if err != nil && !errors.Is(err, view.ErrDamaged) || err == nil && (!ok || value != want) {
				t.Fatalf("Get(%q) = %.20q, %v, %v", key, value, ok, err)
			}
		}
		if root, _, err := view.ParseRoot(string(other)); err == nil {
			_, _, err := view.NewTable(bytes.NewReader(bad), root).Get("refs/1")
			if err != nil && !errors.Is(err, view.ErrDamaged) {
				t.Fatalf("Get below another root = %v", err)
			}
		}
	})
}
