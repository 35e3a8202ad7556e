package refs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// placement is how a finished file gets its name.
type placement int

const (
	replace   placement = iota // replace takes the place of a file of that name.
	keepFirst                  // keepFirst fails with fs.ErrExist when there is such a file.
)

// modes are the permissions of new files and directories.
type modes struct {
	file, dir fs.FileMode
}

// modeOf derives permissions from a directory that git made, so that a repository that is shared stays shared and
// one that is closed stays closed.
func modeOf(dir string) modes {
	info, err := os.Stat(dir)
	if err != nil {
		return modes{file: 0o400, dir: 0o700}
	}
	keep := fs.ModePerm | fs.ModeSetgid
	return modes{file: info.Mode().Perm() & 0o444, dir: info.Mode()&keep | 0o700}
}

// writeDurable writes a file beside its place, syncs it, gives it its name and syncs the directory, which it makes
// where it is missing. When it returns nil, the file survives a power cut.
func writeDurable(path, prefix string, data []byte, mode modes, place placement) (err error) {
	dir := filepath.Dir(path)
	if err := makeDir(dir, mode.dir); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, prefix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil || place == keepFirst {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(data)
	err = errors.Join(err, file.Chmod(mode.file))
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := named(file.Name(), path, place); err != nil {
		return err
	}
	return syncPath(dir)
}

// named gives a finished file its name.
func named(temporary, path string, place placement) error {
	if place == replace {
		return os.Rename(temporary, path)
	}
	err := os.Link(temporary, path)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if exists(path) {
		return fs.ErrExist
	}
	return os.Rename(temporary, path) // The file system knows no links.
}

// makeDir makes a directory and those above it, and syncs where each was entered.
func makeDir(dir string, mode fs.FileMode) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		return nil
	}
	if err == nil {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrExist}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeDir(filepath.Dir(dir), mode); err != nil {
		return err
	}
	if err := os.Mkdir(dir, mode.Perm()); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Chmod(dir, mode); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return syncPath(filepath.Dir(dir))
}

// syncPath makes sure that a file or the names in a directory are on the disk.
func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
