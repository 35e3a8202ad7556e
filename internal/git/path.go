package git

import (
	"path"
	"path/filepath"
)

// PathIn names a file as seen from the top of the repository. It is given as seen from where the repository was opened, or from
// the root of the disk, with or without symbolic links on the way. One that lies elsewhere keeps its name.
func (r *Repo) PathIn(name string) string {
	if !filepath.IsAbs(name) || r.WorkTree == "" {
		return tidy(Below(r.Prefix, filepath.ToSlash(name)))
	}
	for _, seen := range []string{name, withoutLinks(name)} {
		if below, err := filepath.Rel(r.WorkTree, seen); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return filepath.ToSlash(name)
}

// tidy is a name of a file without what says nothing, such as ./ before it.
func tidy(name string) string {
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

// Below names a path as seen from the top of a repository, which is given as seen from prefix, a folder of it.
func Below(prefix, name string) string {
	if prefix == "" || name == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(prefix, name)
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
