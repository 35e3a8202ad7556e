package main

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// adoptOrphans lets this process be the parent of all that those which it starts leave behind.
func adoptOrphans() error {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER of prctl(2)
	if _, _, failed := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); failed != 0 {
		return fmt.Errorf("adopt what is left behind: %w", failed)
	}
	return nil
}

// endLeft waits for what was left behind, and returns the CPU time that it took. It may run while no other
// child is waited for.
func endLeft() (left time.Duration, err error) {
	for {
		var usage syscall.Rusage
		_, err := syscall.Wait4(-1, nil, 0, &usage)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECHILD):
			return left, nil
		case err != nil:
			return left, fmt.Errorf("wait for what was left behind: %w", err)
		default:
			left += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
}
