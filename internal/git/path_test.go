package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestRepo_PathIn(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	sub, link := filepath.Join(r.Dir, "my gen"), filepath.Join(t.TempDir(), "link")
	if err := os.Mkdir(sub, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(r.Dir, link); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	elsewhere := filepath.Join(filepath.Dir(r.Dir), "elsewhere", "a.go")
	for _, test := range []struct {
		from, name, want string
	}{
		{r.Dir, "my gen/a.go", "my gen/a.go"},
		{r.Dir, "./my gen//a.go", "my gen/a.go"},
		{r.Dir, "", ""},
		{sub, "a.go", "my gen/a.go"},
		{sub, "./a.go", "my gen/a.go"},
		{sub, "../a.go", "a.go"},
		{sub, filepath.Join(r.Dir, "a.go"), "a.go"},
		{r.Dir, filepath.Join(sub, "new", "a.go"), "my gen/new/a.go"},
		{r.Dir, filepath.Join(link, "my gen", "a.go"), "my gen/a.go"},
		{r.Dir, filepath.Join(link, "new", "a.go"), "new/a.go"},
		{r.Dir, elsewhere, filepath.ToSlash(elsewhere)},
	} {
		repo, err := git.Open(t.Context(), test.from, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		if got := repo.PathIn(test.name); got != test.want {
			t.Errorf("from %q, PathIn(%q) = %q, want %q", test.from, test.name, got, test.want)
		}
	}
}
