package local

import "path/filepath"

// RealPath is where a file lies, or will lie, with links followed as far as they lead: what is about to be made
// need not be there.
func RealPath(name string) string {
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

// IsBelow tells whether a path is a folder, or lies below it, with the links of both followed.
func IsBelow(folder, path string) bool {
	rel, err := filepath.Rel(RealPath(folder), RealPath(path))
	return err == nil && filepath.IsLocal(rel)
}
