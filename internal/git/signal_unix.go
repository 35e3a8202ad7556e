//go:build !windows

package git

import "syscall"

// terminate is the signal after which git cleans up before it ends.
const terminate = syscall.SIGTERM
