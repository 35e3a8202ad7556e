package signer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// waitDelay is how long a program may take to end after it was told to.
const waitDelay = 2 * time.Second

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
	path, err := c.find(order.program)
	if err != nil {
		return answer{}, err
	}
	limit := c.Timeout
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w of %s", ErrTimeout, limit))
	defer cancel()
	done, err := c.start(ctx, path, order)
	if errors.Is(err, syscall.ENOEXEC) {
		// A script without an interpreter line is run by the shell, as git does.
		order.args = append([]string{path}, order.args...)
		done, err = c.start(ctx, "/bin/sh", order)
	}
	return done, err
}

// start runs the program at a path and waits for it.
func (c Config) start(ctx context.Context, path string, order call) (answer, error) {
	cmd := exec.CommandContext(ctx, path, order.args...)
	cmd.Dir, cmd.Env = c.Dir, append([]string{}, c.Env...)
	stdout, stderr := &bounded{limit: order.limit}, &messages{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(order.stdin), stdout, stderr
	cmd.WaitDelay = waitDelay
	end := govern(cmd)
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil {
		err = nil // The program ended well and left a child behind that holds its streams, such as an agent.
	}
	done := answer{stdout: stdout.data, stderr: spoken(stderr.String()), created: stderr.created}
	name := clean(filepath.Base(order.program))
	switch {
	case stdout.over:
		end()
		return answer{}, fmt.Errorf("%s: %w: more than %d bytes", name, ErrTooLarge, order.limit)
	case err == nil:
		return done, nil
	}
	end()
	if ctx.Err() != nil {
		return answer{}, fmt.Errorf("%s: %w", name, context.Cause(ctx))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return done, programError(order.program, exit.ProcessState, done.stderr)
	}
	return answer{}, fmt.Errorf("run %q: %w", name, err)
}

// programError says how a program ended that did not end well.
func programError(program string, state *os.ProcessState, stderr string) error {
	failed := &ProgramError{Program: clean(program), Code: state.ExitCode(), Stderr: stderr}
	if signal, ok := strings.CutPrefix(state.String(), "signal: "); ok {
		failed.Signal = signal
	}
	return failed
}

// find returns the path of a program. A name without a slash is looked up on the path of the environment, of which
// directories that are not absolute are skipped.
func (c Config) find(program string) (string, error) {
	if strings.ContainsRune(program, filepath.Separator) || strings.Contains(program, "/") {
		path := c.absolute(program)
		if found, err := exec.LookPath(path); err == nil {
			return found, nil
		}
		return "", fmt.Errorf("find %q: %w", clean(program), ErrNoProgram)
	}
	for _, dir := range filepath.SplitList(c.variable("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("find %q on the path: %w", clean(program), ErrNoProgram)
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
	for _, entry := range slices.Backward(c.Env) {
		if key, value, found := strings.Cut(entry, "="); found && key == name {
			return value
		}
	}
	return ""
}
