package refs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// A lock that a killed git has left keeps nobody out for ever, and one that may be held is respected.
// SPEC.
func TestStore_Heal_oldLocks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, lock string
		age        time.Duration
		gone       bool
	}{
		{"of a record", "refs/ltm/packets/01JDMB4W1YNJZQR7K8F3A2H5P9.lock", 2 * time.Hour, true},
		{
			"of a tracked record", "refs/ltm-remotes/a/b/packets/01JDMB4W1YNJZQR7K8F3A2H5P9.lock", 2 * time.Hour,
			true,
		},
		{"of the packed refs", "packed-refs.lock", 2 * time.Hour, true},
		{"held", "refs/ltm/packets/01JDMB4W1YNJZQR7K8F3A2H5P9.lock", time.Minute, false},
		{"of packed refs that are held", "packed-refs.lock", time.Minute, false},
		{"of a branch", "refs/heads/main.lock", 2 * time.Hour, false},
		{"of the index", "index.lock", 2 * time.Hour, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			path := filepath.Join(r.Dir, ".git", filepath.FromSlash(tt.lock))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			then := time.Now().Add(-tt.age)
			if err := os.Chtimes(path, then, then); err != nil {
				t.Fatal(err)
			}
			store := open(t, r)
			if _, err := store.Heal(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, err := os.Lstat(path)
			if gone := errors.Is(err, os.ErrNotExist); gone != tt.gone {
				t.Fatalf("the lock is gone: %v, want %v", gone, tt.gone)
			}
			if !tt.gone {
				return
			}
			name := refs.Name{Kind: refs.Packets, ID: packet.ID("01JDMB4W1YNJZQR7K8F3A2H5P9")}
			if _, err := store.Create(t.Context(), []refs.New{{Name: name, Data: []byte("{}")}}); err != nil {
				t.Errorf("Create = %v", err)
			}
			r.Git("pack-refs", "--all")
		})
	}
}
