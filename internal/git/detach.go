package git

import (
	"fmt"
	"os/exec"
)

// Detached is a program that goes on when its caller has ended.
type Detached struct {
	Program string   // required: the file of the program
	Args    []string // required: its name and its arguments
	Dir     string   // required: where it runs
	Env     []string // required
}

// Start starts the program in a session of its own, without a terminal, with nothing to read, and with no stream or file of
// the caller's: whoever waits for those to be closed does not wait for it. Nobody waits for the program.
func (d Detached) Start() error {
	keepFilesBack()
	cmd := &exec.Cmd{Path: d.Program, Args: d.Args, Dir: d.Dir, Env: d.Env, SysProcAttr: ownSession()}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %q: %w", d.Program, err)
	}
	return cmd.Process.Release()
}
