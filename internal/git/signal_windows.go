package git

import "syscall"

// terminate cannot be sent on Windows, so that a process is killed there.
const terminate = syscall.SIGINT
