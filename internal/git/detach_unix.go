//go:build !windows

package git

import (
	"errors"
	"os"
	"syscall"
)

// ownSession takes a process away from the terminal and from who is told to end with the caller.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// mostFiles is how many open files are looked at.
const mostFiles = 256

// keepFilesBack keeps the files that this process got from its own caller from those that it starts.
func keepFilesBack() {
	for file := 3; file < mostFiles; file++ {
		syscall.CloseOnExec(file)
	}
}

// Ended reports whether there is no process of that number any more. Where that cannot be told, it is false.
func Ended(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil || pid <= 1 {
		return pid > 1
	}
	err = process.Signal(syscall.Signal(0))
	return err != nil && !errors.Is(err, os.ErrPermission)
}
