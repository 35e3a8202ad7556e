package journal_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/journal"
)

// TestReader shows that a reader answers alike before and after it reads the journal whole, for a small one and a large one.
func TestReader(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100, 5000} {
		file := journal.Open(filepath.Join(t.TempDir(), "journal"))
		var entries []journal.Entry
		for i := range size {
			entries = append(entries, journal.Entry{Key: fmt.Sprintf("key %06d", i), Value: fmt.Sprint("value ", i)})
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
	if _, ok := journal.Open(filepath.Join(t.TempDir(), "nothing")).Reader().Find("key"); ok {
		t.Error("a journal that is not there holds a key")
	}
}
