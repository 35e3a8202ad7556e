package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestRepo_PackKept(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{
		gittest.Plain, gittest.SHA256, gittest.Reftable, gittest.Alternates,
		gittest.Partial, gittest.Worktree,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo := opened(t, r.Dir, r.Env)
			known := r.Feed("known\n", "hash-object", "-w", "--stdin")
			large := strings.Repeat("a line that git could shorten\n", 5000)
			tag := fmt.Sprintf("object %s\ntype blob\ntag x\ntagger A <a@example.com> 1767323045 +0000\n\nx\n", known)
			objects := []git.RawObject{
				{Type: "blob", Data: []byte("known\n")},
				{Type: "blob"},
				{Type: "blob", Data: []byte(large)},
				{Type: "tag", Data: []byte(tag)},
			}
			names := make([]string, len(objects))
			for i, o := range objects {
				names[i] = r.Feed(string(o.Data), "hash-object", "-t", o.Type, "--stdin")
			}
			var keep string
			for range 2 {
				again, err := repo.PackKept(t.Context(), objects)
				if err != nil || (keep != "" && again != keep) {
					t.Fatalf("kept by %q, then %q: %v", keep, again, err)
				}
				keep = again
				r.Git("gc", "-q", "--prune=now")
				for i, o := range objects {
					if got, err := r.Try("cat-file", o.Type, names[i]); err != nil || got != string(o.Data) {
						t.Errorf("%s %s is not here any more: %v", o.Type, names[i], err)
					}
				}
			}
			if err := repo.ReleasePacks(t.Context(), time.Hour); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(keep); err != nil {
				t.Errorf("a new pack was released: %v", err)
			}
			if err := repo.ReleasePacks(t.Context(), 0); err != nil {
				t.Error(err)
			}
			r.Git("gc", "-q", "--prune=now")
			if _, err := r.Try("cat-file", "-e", names[2]); err == nil {
				t.Error("an object of a released pack that nobody needs is still here")
			}
		})
	}
}

func TestRepo_PackKept_refuses(t *testing.T) {
	t.Parallel()
	repo := opened(t, gittest.Repo(t, gittest.Plain).Dir, gittest.Env(t))
	for what, objects := range map[string][]git.RawObject{
		"nothing": nil, "an unknown type": {{Type: "delta"}}, "no type": {{}},
	} {
		if keep, err := repo.PackKept(t.Context(), objects); err == nil {
			t.Errorf("%s was kept by %q", what, keep)
		}
	}
}

func TestRepo_ReleasePacks_leavesOthers(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	packs := filepath.Join(repo.CommonDir, "objects", "pack")
	for name, text := range map[string]string{
		"pack-1.keep": "mine", "pack-2.keep": "",
		"pack-3.keep": "git-ltm and others", "note": "git-ltm",
	} {
		if err := os.WriteFile(filepath.Join(packs, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := repo.ReleasePacks(t.Context(), 0); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(packs); err != nil || len(left) != 4 {
		t.Errorf("left are %v, %v, want all four", left, err)
	}
}
