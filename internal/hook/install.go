package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// TakenError is a hook that somebody else wrote.
type TakenError struct {
	Path string
	Line string // Line calls git ltm from it.
}

// Error names the file.
func (e *TakenError) Error() string {
	return fmt.Sprintf("hook %q is not one that git ltm wrote", e.Path)
}

// Script is the whole hook that Install writes.
func (n Name) Script() string { return "#!/bin/sh\nexec git-ltm hook " + string(n) + " \"$@\"\n" }

// Line calls git ltm from a hook that does more.
func (n Name) Line() string { return "git-ltm hook " + string(n) + ` "$@" || exit` }

// Install writes a hook into a directory, unless it stands there, and returns its path. Another hook of the name is a
// *TakenError.
func (n Name) Install(dir string) (path string, written bool, err error) {
	path = filepath.Join(dir, string(n))
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // Whoever may push runs the hooks of a shared repository.
		return path, false, fmt.Errorf("install hook: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755) //nolint:gosec // Git runs it.
	if errors.Is(err, fs.ErrExist) {
		return path, false, n.own(path)
	}
	if err != nil {
		return path, false, fmt.Errorf("install hook: %w", err)
	}
	_, err = file.WriteString(n.Script())
	if err := errors.Join(err, file.Close()); err != nil {
		return path, false, errors.Join(fmt.Errorf("install hook: %w", err), os.Remove(path))
	}
	return path, true, nil
}

// Uninstall takes a hook out that Install wrote, and returns its path. Another hook of the name is a *TakenError; where
// there is none, nothing is removed.
func (n Name) Uninstall(dir string) (path string, removed bool, err error) {
	path = filepath.Join(dir, string(n))
	err = n.own(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, false, nil
	}
	if err == nil {
		err = os.Remove(path)
	}
	if _, taken := errors.AsType[*TakenError](err); err == nil || taken {
		return path, err == nil, err
	}
	return path, false, fmt.Errorf("uninstall hook: %w", err)
}

// own returns nothing where Install wrote the file, to the last byte.
func (n Name) own(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	taken := &TakenError{Path: path, Line: n.Line()}
	if !info.Mode().IsRegular() || info.Size() != int64(len(n.Script())) {
		return taken
	}
	text, err := os.ReadFile(path)
	if err == nil && string(text) != n.Script() {
		return taken
	}
	return err
}
