package program

import (
	"os/exec"
	"syscall"
)

// prepareCommand leaves it at the program itself, which is killed when its time is over.
func (g Group) prepareCommand(*exec.Cmd) {}

// endGroup has nothing to do.
func (g Group) endGroup(*exec.Cmd) {}

// HasTerminal need not be known where a program has no group of its own.
func HasTerminal() bool { return false }

// The flags with which a process begins without a console and in a group of its own.
const (
	detachedProcess = 0x00000008
	newProcessGroup = syscall.CREATE_NEW_PROCESS_GROUP
)

// ownSession takes a process away from the console.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: detachedProcess | newProcessGroup, HideWindow: true}
}

// keepFilesBack has nothing to do: a process gets no files here but those that it is given.
func keepFilesBack() {}

// EndSession has nothing to do: git ends what it started.
func EndSession() {}
