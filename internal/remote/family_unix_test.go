//go:build unix

package remote_test

import (
	"os/exec"
	"syscall"
)

// family lets a command and all that it starts be ended together.
func family(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killFamily ends a command and all that it started, without a word to any of them.
func killFamily(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
