//go:build !windows

package program

import (
	"os"
	"syscall"
)

// takeOver lets a program take this process over. It returns where it cannot: then the program is started as
// one of its own.
func takeOver(file string, args []string, read []byte) {
	env := os.Environ()
	if read != nil {
		if !putBack(read) {
			return
		}
		env = append(env, "GOMAXPROCS=1") // One question is answered soonest by one thread.
	}
	_ = syscall.Exec(file, append([]string{file}, args...),
		env) //nolint:gosec // It is this program, in one that can do more.
}

// putBack puts on standard input what was read of it, where a pipe takes it at once.
func putBack(data []byte) bool {
	var pipe [2]int
	if syscall.Pipe(pipe[:]) != nil {
		return false
	}
	n := 0
	err := syscall.SetNonblock(pipe[1], true)
	if err == nil && len(data) > 0 {
		n, err = syscall.Write(pipe[1], data)
	}
	_ = syscall.Close(pipe[1]) // What it holds stays in the pipe.
	if err == nil && n == len(data) {
		err = duplicateFile(pipe[0], 0)
	}
	_ = syscall.Close(pipe[0])
	return err == nil && n == len(data)
}
