package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestRepo_Ignores(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	if err := os.WriteFile(filepath.Join(r.Dir, ".gitignore"), []byte("/mine.json\n/folder/\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	repo := opened(t, r.Dir, r.Env)
	for path, want := range map[string]bool{
		"mine.json": true, "folder/": true, "folder/deep/er.md": true,
		"theirs.json": false, "other/": false,
	} {
		if got, err := repo.Ignores(t.Context(), path); err != nil || got != want {
			t.Errorf("Ignores(%q) = %v, %v, want %v", path, got, err, want)
		}
	}
}
