package local

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

const (
	deleteOnClose    = 0x04000000                  // of CreateFile
	sharingViolation = syscall.Errno(32)           // another process has the file open, and lets nobody else
	deletePending    = syscall.ERROR_ACCESS_DENIED // another process has just closed it
)

// takeLock opens the file so that no other process can, and removes it when it is closed.
func (f File) takeLock() (release func() error, err error) {
	if err := f.dir.Make(); err != nil {
		return nil, err
	}
	path, err := syscall.UTF16PtrFromString(f.path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
	if errors.Is(err, sharingViolation) || errors.Is(err, deletePending) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, &fs.PathError{Op: "lock", Path: f.path, Err: err}
	}
	return func() error { return syscall.CloseHandle(handle) }, nil
}

// ownedByUser cannot be told here, where a repository is of one user.
func ownedByUser(fs.FileInfo) bool { return true }

// mapFile reads the whole of a file: a mapped one could not be replaced here.
func mapFile(file *os.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(file, data)
	return data, err
}

// unmapFile does nothing where the file was read.
func unmapFile([]byte) {}

// forgetMapped does nothing where the file was read.
func forgetMapped([]byte) {}
