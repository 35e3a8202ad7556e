//go:build unix

package git

import (
	"os"
	"syscall"
)

// ownDevice returns the file system of a directory.
func ownDevice(path string) (uint64, bool) {
	stat, ok := status(path)
	if !ok {
		return 0, false
	}
	return uint64(stat.Dev), true //nolint:unconvert // The type differs between systems.
}

func onDevice(path string, device uint64) bool {
	got, ok := ownDevice(path)
	return ok && got == device
}

// owned reports whether a path is this user's and on the file system: git trusts no other.
func owned(path string, device uint64) bool {
	stat, ok := status(path)
	return ok && int(stat.Uid) == os.Geteuid() && onDevice(path, device)
}

func status(path string) (*syscall.Stat_t, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return stat, ok
}
