//go:build !windows && !linux

package program

import "syscall"

// duplicate lets a number stand for an open file.
func duplicate(file, number int) error { return syscall.Dup2(file, number) }
