package git

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// embedded reports whether the repository is a folder of another one's work tree. Git takes it for a repository because the directory
// lies in it, but a clone may have brought its files like any others, so that its hooks, its configuration and what lies in it were
// written by a stranger. Who names it in GIT_DIR means it. What lies in the git directory of the other one, as the repository of
// a submodule does, came with no clone, nor did that directory, wherever it lies.
func (r *Repo) embedded() (bool, error) {
	if _, named := r.Env("GIT_DIR"); named {
		return false, nil
	}
	own, err := os.Stat(r.GitDir)
	if err != nil {
		return false, fmt.Errorf("find git directory: %w", err)
	}
	dir, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return false, fmt.Errorf("find directory %q: %w", r.Dir, err)
	}
	var passed []fs.FileInfo // from the repository upwards; empty below it
	for ; ; dir = filepath.Dir(dir) {
		if len(passed) > 0 {
			if common, ok := commonDirOf(dir); ok {
				info, err := os.Stat(common)
				return err != nil || !slices.ContainsFunc(passed, func(p fs.FileInfo) bool { return os.SameFile(p, info) }), nil
			}
		}
		info, err := os.Stat(dir)
		if err != nil {
			return false, fmt.Errorf("find directory %q: %w", dir, err)
		}
		if len(passed) > 0 || os.SameFile(info, own) {
			passed = append(passed, info)
		}
		if dir == filepath.Dir(dir) {
			return false, nil
		}
	}
}

// commonDirOf returns the directory that all work trees of the repository share whose .git lies in a folder. It is "" of one that
// cannot be read, which is a repository all the same.
func commonDirOf(top string) (dir string, ok bool) {
	gitDir := filepath.Join(top, ".git")
	info, err := os.Stat(gitDir)
	switch {
	case err != nil:
		return "", exists(gitDir)
	case !info.IsDir():
		text, _ := smallFile(gitDir)
		if gitDir, ok = strings.CutPrefix(text, "gitdir: "); !ok {
			return "", true
		}
		gitDir = from(top, gitDir)
	case !exists(filepath.Join(gitDir, "HEAD")):
		return "", false
	}
	if text, ok := smallFile(filepath.Join(gitDir, "commondir")); ok {
		return from(gitDir, text), true
	}
	return gitDir, true
}

// from is a path that a file of git's says on a line, relative to a directory or not.
func from(dir, line string) string {
	path := filepath.FromSlash(strings.TrimRight(line, "\r\n"))
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
