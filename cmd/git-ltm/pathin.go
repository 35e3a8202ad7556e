package main

import (
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/git"
)

// pathIn names a file as seen from the top of a repository. It is given as seen from here, or from the root of the disk, with or
// without symbolic links on the way. One that lies elsewhere keeps its name.
func pathIn(repo *git.Repo, name string) string {
	if !filepath.IsAbs(name) || repo.WorkTree == "" {
		return belowPath(repo.Prefix, filepath.ToSlash(name))
	}
	for _, seen := range []string{name, withoutLinks(name)} {
		if below, err := filepath.Rel(repo.WorkTree, seen); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return filepath.ToSlash(name)
}

// withoutLinks is where a file lies, or will lie: what is about to be made need not be there.
func withoutLinks(name string) string {
	left := ""
	for at := filepath.Clean(name); ; at = filepath.Dir(at) {
		if there, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(there, left)
		}
		if at == filepath.Dir(at) {
			return name
		}
		left = filepath.Join(filepath.Base(at), left)
	}
}
