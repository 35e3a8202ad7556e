package signer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/program"
)

// call is one run of a program.
type call struct {
	program string // required: a path, or a name on the path
	args    []string
	stdin   []byte
	limit   int // limit bounds standard output.
}

// answer is what a program left.
type answer struct {
	stdout  []byte
	stderr  string // stderr is the part that is meant for a person.
	created bool   // created says that gpg reported a signature.
}

// run runs a program to its end. Standard input is the given bytes and nothing of ours.
func (c Config) run(ctx context.Context, order call) (answer, error) {
	// Returns the path of a program. A path is relative to where programs run, as they read
	// it.
	file, err := program.Find(order.program, c.Dir, c.variable("PATH"))
	if err != nil {
		return answer{}, fmt.Errorf("find %q: %w", clean(order.program), ErrNoProgram)
	}
	path := file
	limit := c.Timeout
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w of %s", ErrTimeout, limit))
	defer cancel()
	messages := &messages{Tail: program.Tail{Limit: messageLimit}}
	cmd := program.Command{
		File: path, Args: order.args, Dir: c.Dir, Env: append([]string{}, c.Env...), Stdin: bytes.NewReader(order.stdin),
		Stderr: messages, Limit: order.limit,
	}
	if c.Unattended {
		cmd.Env = append(cmd.Env, "SSH_ASKPASS_REQUIRE=never", "DISPLAY=", "WAYLAND_DISPLAY=", "GPG_TTY=")
	}
	if c.Unattended || !program.HasTerminal() {
		cmd.Group = program.Own // The program may be a script that waits for another.
	}
	ended, err := cmd.Run(ctx)
	done := answer{stdout: ended.Stdout, stderr: spoken(messages.String()), created: messages.created}
	name := clean(filepath.Base(order.program))
	switch exit, failed := errors.AsType[*program.ExitError](err); {
	case err == nil:
		return done, nil
	case failed:
		return done, &ProgramError{Program: clean(order.program), Code: exit.Code, Signal: exit.Signal, Stderr: done.stderr}
	case errors.Is(err, program.ErrTooLarge):
		return answer{}, fmt.Errorf("%s: %w: more than %d bytes", name, ErrTooLarge, order.limit)
	}
	return answer{}, fmt.Errorf("%s: %w", name, err)
}

// absolute reads a path as the programs do, relative to where they run.
func (c Config) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// variable returns the last value of a variable, as a program would see it.
func (c Config) variable(name string) string {
	value, _ := program.LookupEnv(c.Env, name)
	return value
}
