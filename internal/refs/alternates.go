package refs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// alternatesDepth is how often one object directory may lead to another, as in git.
const alternatesDepth = 5

// alternates returns the other directories that hold objects of this one. A line that only git can read is
// errTooInvolved.
func alternates(dir string) ([]string, error) {
	var found []string
	level := []string{dir}
	for range alternatesDepth {
		var next []string
		for _, from := range level {
			dirs, err := alternatesOf(from)
			if err != nil {
				return nil, err
			}
			for _, to := range dirs {
				if to != dir && !slices.Contains(found, to) {
					found, next = append(found, to), append(next, to)
				}
			}
		}
		level = next
	}
	return found, nil
}

// alternatesOf reads the file of one directory.
func alternatesOf(dir string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var dirs []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '"':
			return nil, errTooInvolved
		case filepath.IsAbs(line):
			dirs = append(dirs, filepath.Clean(line))
		default:
			dirs = append(dirs, filepath.Join(dir, line))
		}
	}
	return dirs, nil
}
