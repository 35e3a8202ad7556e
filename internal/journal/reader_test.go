package journal_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
)

// TestReader shows that a reader answers alike before and after it reads the journal whole, for a small one
// and a large one.
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
		for i := range 100 {
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

// A reader that keeps parts of a base finds all of it when others have replaced that since.
func TestReader_replaced(t *testing.T) {
	t.Parallel()
	file := journal.Open(local.At(filepath.Join(t.TempDir(), "journal")))
	var entries []journal.Entry
	for i := range 5000 {
		entries = append(entries, numbered("key", i))
	}
	put(t, file, entries...)
	reader := file.Reader()
	reader.Expect(100)
	if _, ok := reader.Find(entries[0].Key); !ok {
		t.Fatal("the first key is not found")
	}
	for i := range entries {
		entries[i].Value = "later"
	}
	put(t, file, entries...)
	for _, e := range entries[4000:] {
		if got, ok := reader.Find(e.Key); !ok || got != "later" {
			t.Fatalf("Find(%q) = %q, %t, want what replaced it", e.Key, got, ok)
		}
	}
}

// TestReader_Expect shows that who asks for much reads the journal once, and not a part of it for each
// question: what others append after the first question is not found.
func TestReader_Expect(t *testing.T) {
	t.Parallel()
	file := journal.Open(local.At(filepath.Join(t.TempDir(), "journal")))
	var entries []journal.Entry
	for i := range 5000 {
		entries = append(entries,
			journal.Entry{Key: fmt.Sprintf("key %06d", i), Value: fmt.Sprint("value ", i)})
	}
	if err := file.Append(entries); err != nil {
		t.Fatal(err)
	}
	for questions, want := range map[int]bool{1: true, 5000: false} {
		reader := file.Reader()
		reader.Expect(questions)
		if got, ok := reader.Find("key 000001"); !ok || got != "value 1" {
			t.Errorf("Find = %q, %t", got, ok)
		}
		key := fmt.Sprint("later ", questions)
		if err := file.Append([]journal.Entry{{Key: key, Value: "value"}}); err != nil {
			t.Fatal(err)
		}
		if _, ok := reader.Find(key); ok != want {
			t.Errorf("of %d questions, the second asks the file: %t, want %t", questions, ok, want)
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
		for round := range 2 {
			now := journal.OpenNotebook(at)
			now.Expect(round * 1000) // The second reads all of the file.
			both, _ := now.Find("both")
			if alone, _ := now.Find("alone"); both != "noted" || alone != "offered" {
				t.Errorf("%s, round %d: Find = %q and %q, want noted and offered", name, round, both, alone)
			}
		}
		for e, err := range offers.All() {
			if want := map[string]string{"both": "noted", "alone": "offered"}[e.Key]; err != nil || want != "" && e.Value != want {
				t.Errorf("%s: All yields %v, %v", name, e, err)
			}
		}
	}
}
