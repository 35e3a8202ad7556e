//go:build !windows

package main

import "syscall"

// leaveTerminal lets nothing that this process starts ask on the terminal that an agent draws on. It fails
// for a person at a shell, who may be asked.
func leaveTerminal() { _, _ = syscall.Setsid() }
