package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Detached is a program that goes on when its caller has ended.
type Detached struct {
	Program string   // required: the file of the program
	Args    []string // required: its name and its arguments
	Dir     string   // required: where it runs
	Env     []string // required
	Input   []byte   // what it reads; nothing for none
}

// Start starts the program in a session of its own, without a terminal, and with no stream or file of the caller's: whoever waits
// for those to be closed does not wait for it. It returns when the program has taken its input; nobody waits for the program.
func (d Detached) Start() (err error) {
	keepFilesBack()
	cmd := &exec.Cmd{Path: d.Program, Args: d.Args, Dir: d.Dir, Env: d.Env, SysProcAttr: ownSession()}
	if len(d.Input) == 0 {
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("start %q: %w", d.Program, err)
		}
		return cmd.Process.Release()
	}
	input, feed, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start %q: %w", d.Program, err)
	}
	cmd.Stdin = input
	err = errors.Join(cmd.Start(), input.Close())
	if err == nil {
		_, err = feed.Write(d.Input)
	}
	if err = errors.Join(err, feed.Close()); err != nil {
		return fmt.Errorf("start %q: %w", d.Program, err)
	}
	return cmd.Process.Release()
}
