//go:build !windows

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// measured is a program of the tests: measured FILE COMMAND... runs a command, and writes into the file what
// it read and the most memory that one of its processes had, in KB. A process counts the memory of the one
// that it comes from as its own: that is this small one, and not the one of the tests.
func measured() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	data, failed := os.ReadFile("/proc/self/io") // What children read counts from their end on.
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if failed != nil || !ok ||
		os.WriteFile(os.Args[1], fmt.Appendf(data, "memory: %d\n", usage.Maxrss), 0o600) != nil {
		fmt.Fprintln(os.Stderr, "measured: what the command took is not known")
		os.Exit(1)
	}
	if err != nil {
		os.Exit(cmd.ProcessState.ExitCode())
	}
}
