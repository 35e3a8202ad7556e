package git

import "os"

// terminate cannot be sent on Windows, so that a process is killed there.
var terminate = os.Interrupt
