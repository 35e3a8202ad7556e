package journal

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"time"
)

// staleLock is the age of a lock that was left behind by a process that died: a merge takes less than a second.
const staleLock = time.Hour

// errLocked says that another process merges at this moment.
var errLocked = errors.New("another process merges the journal")

// merge puts the tail aside and makes a new base of it and the old base. A process that dies in between leaves a tail
// that was put aside, which every reader knows and the next merge takes first.
func (f *File) merge() (err error) {
	lock, err := takeLock(f.path + ".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	if done, err := f.putAside(); done || err != nil {
		return err
	}
	var aside tail
	if err := aside.read(f.asidePath()); err != nil {
		return err
	}
	if err := f.writeBase(aside.values); err != nil {
		return err
	}
	if !lock.held() {
		return errLocked
	}
	if err := os.Rename(f.path+".tmp", f.path); err != nil {
		return err
	}
	if !lock.held() {
		return errLocked
	}
	return os.Remove(f.asidePath())
}

// putAside makes room for a new tail, unless one is put aside already. It is done when another process has merged in
// the meantime.
func (f *File) putAside() (done bool, err error) {
	if _, err := os.Lstat(f.asidePath()); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	info, err := os.Lstat(f.tailPath())
	if err != nil || info.Size() <= longTail {
		return err == nil, err
	}
	return false, os.Rename(f.tailPath(), f.asidePath())
}

// writeBase writes what the next base holds.
func (f *File) writeBase(later map[string]string) (err error) {
	temporary := f.path + ".tmp"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text := bufio.NewWriter(file)
	for e, err := range f.merged(later) {
		if err != nil {
			return err
		}
		if _, err := text.WriteString(e.line()); err != nil {
			return err
		}
	}
	return text.Flush()
}

// lock is the right to merge.
type lock struct {
	path string
	info fs.FileInfo
}

// takeLock makes the lock file, and takes over one that has stood for an hour.
func takeLock(path string) (lock, error) {
	if info, err := os.Lstat(path); err == nil {
		now := time.Now() //nolint:forbidigo // It is compared with the time of a file.
		if now.Sub(info.ModTime()) < staleLock {
			return lock{}, errLocked
		}
		_ = os.Remove(path)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return lock{}, err
	}
	info, err := file.Stat()
	return lock{path: path, info: info}, errors.Join(err, file.Close())
}

// held reports whether nobody has taken the lock over.
func (l lock) held() bool {
	info, err := os.Lstat(l.path)
	return err == nil && os.SameFile(info, l.info)
}

// release gives the lock back.
func (l lock) release() error {
	if !l.held() {
		return nil
	}
	return os.Remove(l.path)
}
