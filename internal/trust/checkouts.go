package trust

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// maxLink bounds the file that says where a work tree lies, in bytes.
const maxLink = 64 * 1024

// checkouts returns the work trees of a repository: the one that is used now, that of the repository itself, and the linked
// ones. One that cannot be found is left out.
func checkouts(repo *git.Repo) []string {
	all := []string{repo.WorkTree}
	if filepath.Base(repo.CommonDir) == ".git" {
		all = append(all, filepath.Dir(repo.CommonDir))
	}
	linked := filepath.Join(repo.CommonDir, "worktrees")
	entries, _ := os.ReadDir(linked) // There may be none.
	for _, e := range entries {
		file := filepath.Join(linked, e.Name(), "gitdir")
		if info, err := os.Stat(file); err != nil || info.Size() > maxLink {
			continue
		}
		text, err := os.ReadFile(file)
		place := strings.TrimSpace(string(text))
		if err == nil && !filepath.IsAbs(place) {
			place = filepath.Join(linked, e.Name(), place)
		}
		if err == nil {
			all = append(all, filepath.Dir(place))
		}
	}
	return all
}

// inside reports whether a file lies in a folder, through links too.
func inside(folder, file string) bool {
	if folder == "" {
		return false
	}
	for _, resolve := range []func(string) string{filepath.Clean, realPath} {
		rel, err := filepath.Rel(resolve(folder), resolve(file))
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) && !strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// realPath resolves links as far as the path exists.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return filepath.Clean(path)
}
