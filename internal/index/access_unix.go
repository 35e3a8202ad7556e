//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package index

import "syscall"

// mayWrite is the mode of access(2) that asks for writing.
const mayWrite = 2

// writableDir reports whether a file can be made in a directory.
func writableDir(dir string) bool { return syscall.Access(dir, mayWrite) == nil }
