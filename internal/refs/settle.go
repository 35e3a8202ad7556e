package refs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
)

// staleLock is the age from which the lock of a record's ref is one that a dead process left: a name is written once,
// in milliseconds.
const staleLock = 10 * time.Minute

// directories returns where git will put refs: the directories themselves, and those above one that git has to make first.
func (s *Store) directories(refs ...string) []string {
	var dirs []string
	for _, ref := range refs {
		for dir := filepath.Dir(ref); dir != "."; dir = filepath.Dir(dir) {
			full := filepath.Join(s.repo.CommonDir, dir)
			if !slices.Contains(dirs, full) {
				dirs = append(dirs, full)
			}
			if _, err := os.Stat(full); err == nil {
				break
			}
		}
	}
	return dirs
}

// syncNames makes sure that the refs in these directories are on the disk under their names: git syncs what a ref holds,
// and not its name. Where refs do not lie in files there is nothing to do.
func syncNames(dirs []string) error {
	for _, dir := range dirs {
		if err := local.SyncPath(dir); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// held reports whether the lock of a ref belongs to a process that may be alive. A lock that a crash left is removed.
func (s *Store) held(name Name) (bool, error) {
	lock := filepath.Join(s.repo.CommonDir, filepath.FromSlash(name.Ref())) + ".lock"
	info, err := os.Lstat(lock)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if sinceModified(info) < staleLock {
		return true, nil
	}
	err = os.Remove(lock)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return false, err
}
