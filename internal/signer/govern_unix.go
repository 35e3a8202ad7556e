//go:build !windows

package signer

import (
	"os"
	"os/exec"
	"syscall"
)

// govern sets how a program is told to end, and returns what ends the rest of it after it was waited for.
//
// Without a terminal the program gets a process group of its own, and the whole group is ended: the program may be a
// script that waits for another. At a terminal it stays in ours, as under git, because only the foreground group may
// ask for a passphrase there; then the program alone is told.
func govern(cmd *exec.Cmd) (end func()) {
	if hasTerminal() {
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
		return func() {}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	return func() {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
}

// hasTerminal tells whether a program that we start could reach a person through the controlling terminal.
func hasTerminal() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}
