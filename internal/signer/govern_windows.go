package signer

import "os/exec"

// govern leaves it at the program itself, which is ended when its time is over.
func govern(*exec.Cmd) (end func()) {
	return func() {}
}
