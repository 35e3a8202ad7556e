package refs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// TestStore_Read_damaged shows that bytes under the name of others are not handed on, although git reads
// them.
func TestStore_Read_damaged(t *testing.T) {
	t.Parallel()
	for _, count := range []int{2, 20} {
		r := gittest.Repo(t, gittest.Plain)
		store := open(t, r)
		var wanted []refs.Ref
		for n := range count {
			oid := r.Feed(fmt.Sprint("record ", n), "hash-object", "-w", "--stdin")
			wanted = append(wanted, refs.Ref{Name: name(n), Object: oid})
		}
		file := func(n int) string {
			oid := wanted[n].Object
			return filepath.Join(r.Dir, ".git", "objects", oid[:2], oid[2:])
		}
		data, err := os.ReadFile(file(0))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(file(1)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(1), data, 0o600); err != nil {
			t.Fatal(err)
		}
		for i, ref := range wanted {
			if got, err := store.Read(t.Context(), ref); (err != nil) != (i == 1) {
				t.Errorf("of %d, number %d: %q, %v", count, i, got.Data, err)
			}
		}
	}
}
