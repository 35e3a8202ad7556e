//go:build !windows

package local

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// takeLock takes the lock, or returns nothing where its file was removed meanwhile: who gives a lock back
// removes its file first, and whoever had opened that then holds the lock of a file that no other process can
// find.
func (f File) takeLock() (release func() error, err error) {
	file, err := f.Open(os.O_CREATE | os.O_RDWR)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		err = ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	held, err := file.Stat()
	if now, gone := os.Lstat(f.path); err != nil || gone != nil || !os.SameFile(held, now) {
		return nil, errors.Join(err, file.Close())
	}
	return func() error { return errors.Join(f.Remove(), file.Close()) }, nil
}

// ownedByUser tells whether a file belongs to the user who runs this process.
func ownedByUser(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}

// mapFile maps the whole of a file.
func mapFile(file *os.File, size int64) ([]byte, error) {
	data, err := syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: file.Name(), Err: err}
	}
	return data, nil
}

// unmapFile gives back what mapFile took.
func unmapFile(data []byte) { _ = syscall.Munmap(data) } // It fails for nothing that was mapped.

// forgetMapped lets the system drop the pages of a file that is mapped.
func forgetMapped(data []byte) { _ = unix.Madvise(data, unix.MADV_DONTNEED) } // It is advice.
