package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
)

// Become lets a program go on in the place of this one: with its streams, its environment and its directory, and with what was read
// of standard input before; nil is nothing. Where the system lets it, the program takes over this process, and Become does not
// return. Otherwise it is waited for, and Become returns its exit code.
func Become(ctx context.Context, file string, args []string, read []byte) (code int, err error) {
	takeOver(file, args, read)
	cmd := Command{File: file, Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if read != nil {
		cmd.Stdin = bytes.NewReader(read)
	}
	_, err = cmd.Run(ctx)
	if exit, ok := errors.AsType[*ExitError](err); ok && exit.Code >= 0 {
		return exit.Code, nil
	}
	if err != nil {
		return 0, fmt.Errorf("run %q: %w", file, err)
	}
	return 0, nil
}
