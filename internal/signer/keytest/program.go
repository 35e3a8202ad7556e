package keytest

import (
	"os"
	"syscall"
)

// WriteProgram writes a script that can be run at once. Another test that starts a process at this moment
// would hand the open file to it, and then the system refuses to run what is still written to.
func WriteProgram(path, script string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(script), 0o700)
}
