//go:build !windows

package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// prepareCommand says how a program is ended.
func (g Group) prepareCommand(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		err := cmd.Process.Signal(syscall.SIGTERM)
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			err = cmd.Process.Kill()
		}
		return err
	}
	if g == Own {
		cmd.SysProcAttr = ownSession()
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	}
}

// endGroup ends what is left of the group of a program that was waited for.
func (g Group) endGroup(cmd *exec.Cmd) {
	if g == Own && cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// HasTerminal tells whether a program that we start could reach a person through the controlling terminal:
// only in the group of its caller may it ask there.
func HasTerminal() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}

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

// EndSession ends this process and all that it started, where it leads a group of its own as [Detached] lets
// it.
func EndSession() {
	if syscall.Getpgrp() == os.Getpid() {
		_ = syscall.Kill(0, syscall.SIGTERM)
	}
}
