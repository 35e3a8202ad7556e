package transcript

import (
	"os"
	"path/filepath"
	"strings"
)

// ground is a directory, under each of its names.
type ground struct {
	names []string
}

func newGround(dir string) ground {
	g := ground{names: []string{filepath.Clean(dir)}}
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != g.names[0] {
		g.names = append(g.names, target)
	}
	return g
}

// holds says whether a session that worked in dir belongs to the ground: there, or below it with no other repository in between.
func (g ground) holds(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	for _, name := range g.names {
		if dir == name || strings.HasPrefix(dir, name+string(filepath.Separator)) && !apart(dir, name) {
			return true
		}
	}
	return false
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
