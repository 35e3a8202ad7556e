//go:build !windows && !linux

package program

import "syscall"

// duplicateFile lets a number stand for an open file.
func duplicateFile(file, number int) error { return syscall.Dup2(file, number) }
