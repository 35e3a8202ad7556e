//go:build !unix

package remote_test

import "os/exec"

// family has nothing to prepare where processes are not in groups.
func family(*exec.Cmd) {}

// killFamily ends a command. What it started ends by itself.
func killFamily(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
