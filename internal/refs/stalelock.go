package refs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const lockSuffix = ".lock"

// breakLocks removes the locks that a git which was killed has left beside our refs, and beside the packed ones, where they
// keep every later change out. One that may still be held is left: for an hour that of the packed refs, which others write.
// A record that is new takes a name of its own, so that of the locks of refs it is enough to look at all now and then.
func (s *Store) breakLocks(to depth) error {
	if err := breakLock(filepath.Join(s.repo.CommonDir, "packed-refs"+lockSuffix), packedAge); err != nil || to == fewNewest {
		return err
	}
	for _, place := range []string{Root, TrackingRoot, PrivateRoot} {
		top := filepath.Join(s.repo.CommonDir, filepath.FromSlash(strings.TrimSuffix(place, "/")))
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, lockSuffix) {
				return nil //nolint:nilerr // What cannot be looked into, or is gone, holds no lock of ours.
			}
			return breakLock(path, staleLock)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// breakLock removes a lock that is so old that nobody can hold it any more.
func breakLock(path string, age time.Duration) error {
	info, err := os.Lstat(path)
	if err != nil || sinceModified(info) <= age {
		return nil //nolint:nilerr // Where there is no lock, there is nothing to do.
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
