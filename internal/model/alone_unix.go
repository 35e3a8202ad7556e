//go:build !windows

package model

import (
	"os/exec"
	"syscall"
)

// alone puts a process and all that it starts into a group of their own, which ends as a whole.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
