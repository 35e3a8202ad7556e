package refs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// staleLock is the age from which the lock of a record's ref is one that a dead process left: a name is written once,
// in milliseconds.
const staleLock = 10 * time.Minute

// syncRefs makes sure that refs that git has made are on the disk under their names: git syncs what a ref holds, and not
// the directory. Where refs do not lie in files there is nothing to do.
func (s *Store) syncRefs(work []saving) error {
	synced := map[string]bool{}
	for _, saved := range work {
		for dir := filepath.Dir(saved.name.Ref()); dir != "." && !synced[dir]; dir = filepath.Dir(dir) {
			synced[dir] = true
			err := syncPath(filepath.Join(s.repo.CommonDir, dir))
			if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				return err
			}
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
