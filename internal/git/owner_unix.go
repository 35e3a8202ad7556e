//go:build unix

package git

import (
	"os"
	"syscall"
)

// status is what the system says of a path.
type status = syscall.Stat_t

// lstat asks for the status of a path, and follows no link.
func lstat(path string) (*status, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, false
	}
	s, ok := info.Sys().(*status)
	return s, ok
}

// onDevice reports whether a path lies on the file system of another.
func onDevice(path string, other *status) bool {
	s, ok := lstat(path)
	return ok && s.Dev == other.Dev
}

// isOwned reports whether a path is this user's and on the file system of another: git trusts no other.
func isOwned(path string, other *status) bool {
	s, ok := lstat(path)
	return ok && int(s.Uid) == os.Geteuid() && s.Dev == other.Dev
}
