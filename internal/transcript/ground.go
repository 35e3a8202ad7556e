package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ground is a directory, under each of its names.
type ground struct {
	names []string
}

// holds says whether a session that worked in dir belongs to the ground: there, or below it with no other repository in between.
func (g ground) holds(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	return slices.ContainsFunc(g.names, func(name string) bool {
		return dir == name || strings.HasPrefix(dir, name+string(filepath.Separator)) && !apart(dir, name)
	})
}

// apart says whether a repository begins in dir or between it and above.
func apart(dir, above string) bool {
	for len(dir) > len(above) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}
