package journal_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
)

// TestReader shows that a reader finds what is there and nothing else, in a tail and in a base, of which it reads
// parts at first and then all.
func TestReader(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100, 5000} {
		file := journal.Open(local.At(filepath.Join(t.TempDir(), "journal")))
		var entries []journal.Entry
		for i := range size {
			entries = append(entries,
				journal.Entry{Key: fmt.Sprintf("key %06d", i), Value: fmt.Sprint("value ", i)})
		}
		if err := file.Append(entries); err != nil {
			t.Fatal(err)
		}
		reader := file.Reader()
		for i := range 2 * size {
			got, ok := reader.Find(fmt.Sprintf("key %06d", i))
			if want := fmt.Sprint("value ", i); ok != (i < size) || ok && got != want {
				t.Errorf("of %d, Find %d = %q, %t", size, i, got, ok)
			}
		}
	}
	if _, ok := journal.Open(local.At(filepath.Join(t.TempDir(), "nothing"))).Reader().Find("key"); ok {
		t.Error("a journal that is not there holds a key")
	}
}

// A reader that keeps parts of a base finds the rest of it as it was when others have replaced that since.
func TestReader_replaced(t *testing.T) {
	t.Parallel()
	file := journal.Open(local.At(filepath.Join(t.TempDir(), "journal")))
	var entries []journal.Entry
	for i := range 5000 {
		entries = append(entries, numbered("key", i))
	}
	put(t, file, entries...)
	reader := file.Reader()
	if _, ok := reader.Find(entries[0].Key); !ok {
		t.Fatal("the first key is not found")
	}
	later := slices.Clone(entries)
	for i := range later {
		later[i].Value = "later"
	}
	put(t, file, later...)
	for _, e := range entries[4000:] {
		if got, ok := reader.Find(e.Key); !ok || got != e.Value {
			t.Fatalf("Find(%q) = %q, %t, want %q", e.Key, got, ok, e.Value)
		}
	}
}

// TestNotebook_Offer holds that an offer counts where nothing else is known of its key, wherever the two lie.
func TestNotebook_Offer(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]int{"in the tail": 0, "in the base": 1000} {
		at := local.At(filepath.Join(t.TempDir(), "seen"))
		offers, notes := journal.OpenNotebook(at), journal.OpenNotebook(at)
		if _, ok := offers.Find("both"); ok {
			t.Fatal("an empty notebook knows something")
		}
		offers.Offer("both", "offered")
		offers.Offer("alone", "offered")
		notes.Note("both", "noted")
		for i := range fill { // The tail is merged.
			e := numbered("entry", i)
			notes.Note(e.Key, e.Value)
		}
		if err := errors.Join(notes.Keep(), offers.Keep()); err != nil {
			t.Fatal(err)
		}
		now := journal.OpenNotebook(at)
		both, _ := now.Find("both")
		if alone, _ := now.Find("alone"); both != "noted" || alone != "offered" {
			t.Errorf("%s: Find = %q and %q, want noted and offered", name, both, alone)
		}
		for _, key := range []string{"both", "alone"} {
			value, _ := journal.Open(at).Reader().Find(key)
			if want := map[string]string{"both": "noted", "alone": "offered"}[key]; value != want {
				t.Errorf("%s: of the file, Find(%q) = %q", name, key, value)
			}
		}
		for e, err := range offers.All() {
			if want := map[string]string{"both": "noted", "alone": "offered"}[e.Key]; err != nil || want != "" && e.Value != want {
				t.Errorf("%s: All yields %v, %v", name, e, err)
			}
		}
	}
}
