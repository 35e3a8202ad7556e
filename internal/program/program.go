// Package program runs other programs.
//
// It promises that a program is looked for on the path of the environment that it gets, that no more of its
// output is kept than was asked for, that it ends when its context does, asked first and killed two seconds
// later, and that whoever waits does not wait for what it leaves behind. It knows nothing of what the
// programs do.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrNotFound says that there is no such program.
var ErrNotFound = errors.New("there is no such program")

// ErrTooLarge says that a program printed more than it may, and was ended.
var ErrTooLarge = errors.New("the program printed too much")

// ExitError is a program that ended with another code than zero.
type ExitError struct {
	Code   int    // -1 where a signal ended it
	Signal string // the signal that ended it, or ""
	Stderr string // the end of what it said, where that was kept
}

// Error says how the program ended, and what it said.
func (e *ExitError) Error() string {
	text := fmt.Sprintf("exit code %d", e.Code)
	if e.Signal != "" {
		text = "signal: " + e.Signal
	}
	if e.Stderr != "" {
		text += ": " + e.Stderr
	}
	return text
}

// LookupEnv returns the last value that a variable has in an environment, as a process would see it, and
// whether it has one.
func LookupEnv(env []string, name string) (string, bool) {
	for _, entry := range slices.Backward(env) {
		if key, value, found := strings.Cut(entry, "="); found && key == name {
			return value, true
		}
	}
	return "", false
}

// Find returns the file of a program. A name without a slash is looked for on path, of which directories that
// are not absolute are skipped; any other is a file, relative to dir.
func Find(name, dir, path string) (string, error) {
	places := filepath.SplitList(path)
	if filepath.IsAbs(name) {
		places, dir, name = nil, filepath.Dir(name), filepath.Base(name)
	}
	if strings.ContainsAny(name, "/"+string(filepath.Separator)) || places == nil {
		places = []string{dir}
	}
	for _, place := range places {
		if !filepath.IsAbs(place) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(place, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("find the program %q: %w", name, ErrNotFound)
}

// Group says who is ended together.
type Group int

// The groups of processes.
const (
	Caller Group = iota // Caller is the group of this process: the program alone is ended.
	// Own is a group of the program and all that it starts, which has no terminal and is ended as a whole.
	Own
)

// Command is a program that is to be run.
type Command struct {
	File   string    // required, as Find returns it
	Args   []string  // after the name of the program
	Dir    string    // "" for that of this process
	Env    []string  // nil for that of this process
	Stdin  io.Reader // nil for none
	Stdout io.Writer // nil keeps it for the result of Run
	Stderr io.Writer // nil keeps the end of it
	Beside io.Writer // gets all that the program prints, too; nil for nobody
	Limit  int       // of what is kept of standard output; 0 for none
	Tail   int       // of what is kept of standard error; 0 for 4096
	Group  Group
}

// Result is what a program left.
type Result struct {
	Stdout []byte
	Stderr string
	State  *os.ProcessState
}

// Run runs the program to its end. The result holds what was kept, also beside an error.
func (c Command) Run(ctx context.Context) (Result, error) {
	var kept bounded
	if c.Stdout == nil {
		kept.limit = c.Limit
		c.Stdout = &kept
	}
	p, err := c.startProgram(ctx, 0, &kept)
	if err != nil {
		return Result{}, err
	}
	err = p.Wait()
	return Result{Stdout: kept.data.Bytes(), Stderr: p.Stderr(), State: p.cmd.ProcessState}, err
}

// Pipes are the streams that whoever starts a program has in hand.
type Pipes int

// The pipes to a program.
const (
	Stdin  Pipes = 1 << iota // Stdin makes Process.Stdin.
	Stdout                   // Stdout makes Process.Stdout.
)

// Process is a program that runs.
type Process struct {
	Stdin  io.WriteCloser // only with the pipe of that name
	Stdout io.ReadCloser  // only with the pipe of that name; it is read to its end, or left, before Wait

	ctx   context.Context //nolint:containedctx // It is that of the process, which ends with it.
	cmd   *exec.Cmd
	kept  *bounded
	tail  *Tail
	group Group
}

// Start starts the program. What it prints is thrown away, unless it goes to a pipe or to a writer.
func (c Command) Start(ctx context.Context, pipes Pipes) (*Process, error) {
	return c.startProgram(ctx, pipes, nil)
}

// startProgram starts the program, as a script of the shell where it is one that does not say what runs it,
// as git does.
func (c Command) startProgram(ctx context.Context, pipes Pipes, kept *bounded) (*Process, error) {
	p, err := c.beginProcess(ctx, pipes, kept)
	if errors.Is(err, syscall.ENOEXEC) {
		c.File, c.Args = "/bin/sh", append([]string{c.File}, c.Args...)
		p, err = c.beginProcess(ctx, pipes, kept)
	}
	return p, err
}

func (c Command) beginProcess(ctx context.Context, pipes Pipes, kept *bounded) (p *Process, err error) {
	p = &Process{ctx: ctx, kept: kept, group: c.Group}
	if kept != nil && kept.limit > 0 {
		ctx, kept.end = context.WithCancel(ctx)
	}
	cmd := exec.CommandContext(ctx, c.File, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, c.Stdin, c.Stdout, c.Stderr
	if cmd.Stderr == nil {
		p.tail = &Tail{Limit: c.Tail}
		cmd.Stderr = p.tail
	}
	if c.Beside != nil {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(cmd.Stdout, c.Beside), io.MultiWriter(cmd.Stderr, c.Beside)
	}
	cmd.WaitDelay = 2 * time.Second
	c.Group.prepareCommand(cmd)
	p.cmd = cmd
	if pipes&Stdin != 0 {
		if p.Stdin, err = cmd.StdinPipe(); err != nil {
			return nil, err
		}
	}
	if pipes&Stdout != 0 {
		if p.Stdout, err = cmd.StdoutPipe(); err != nil {
			return nil, err
		}
	}
	if err = cmd.Start(); err != nil {
		kept.releasePipes()
		return nil, err
	}
	return p, nil
}

// Wait waits for the end of the program. One that was ended because its context did is an error of that.
func (p *Process) Wait() error {
	err := p.cmd.Wait()
	p.kept.releasePipes()
	over := p.kept != nil && p.kept.over
	if errors.Is(err, exec.ErrWaitDelay) && p.ctx.Err() == nil && !over {
		err = nil // It ended well, and left a child behind that holds its streams, such as an agent.
	}
	if err == nil && !over {
		return nil
	}
	p.group.endGroup(p.cmd)
	if over {
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, p.kept.limit)
	}
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err
	}
	failed := &ExitError{Code: exit.ExitCode(), Stderr: p.Stderr()}
	failed.Signal, ok = strings.CutPrefix(exit.String(), "signal: ")
	if !ok {
		failed.Signal = ""
	}
	if p.group == Caller && failed.Signal == os.Interrupt.String() {
		// A terminal interrupts the whole group, and this process may come to hear of it later.
		return context.Canceled
	}
	return failed
}

// Stderr is the end of what the program said, without the white space around it.
func (p *Process) Stderr() string {
	if p.tail == nil {
		return ""
	}
	return p.tail.String()
}

// Tail is a writer that keeps the last bytes.
type Tail struct {
	Limit int // 0 for 4096
	data  []byte
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	limit := t.Limit
	if limit == 0 {
		limit = 4096
	}
	t.data = append(t.data, p...)
	if over := len(t.data) - limit; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// String returns what was kept, without the white space around it.
func (t *Tail) String() string { return strings.TrimSpace(string(t.data)) }

// bounded keeps the beginning of what is written, and ends the program that writes more.
type bounded struct {
	data  bytes.Buffer
	limit int // 0 for none
	over  bool
	end   context.CancelFunc // nil without a limit
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.limit - b.data.Len()
	if b.limit == 0 || len(p) <= room {
		return b.data.Write(p)
	}
	b.data.Write(p[:room])
	b.over = true
	b.end()
	return room, io.ErrShortWrite
}

// releasePipes lets go of what the end of the program would have taken.
func (b *bounded) releasePipes() {
	if b != nil && b.end != nil {
		b.end()
	}
}

// Become lets a program go on in the place of this one: with its streams, its environment and its directory,
// and with what was read of standard input before; nil is nothing. Where the system lets it, the program
// takes over this process, and Become does not return. Otherwise it is waited for, and Become returns its
// exit code.
func Become(file string, args []string, read []byte) (code int, err error) {
	takeOver(file, args, read)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // What takes over needs none.
	defer stop()
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

// Detached is a program that goes on when its caller has ended.
type Detached struct {
	Program string   // required: the file of the program
	Args    []string // required: its name and its arguments
	Dir     string   // required: where it runs
	Env     []string // required
	Input   []byte   // what it reads; nothing for none
}

// Start starts the program in a session of its own, without a terminal, and with no stream or file of the
// caller's: whoever waits for those to be closed does not wait for it. It returns when the program has taken
// its input. Nobody has to wait for the program.
func (d Detached) Start() (err error) {
	keepFilesBack()
	cmd := &exec.Cmd{Path: d.Program, Args: d.Args, Dir: d.Dir, Env: d.Env, SysProcAttr: ownSession()}
	if len(d.Input) == 0 {
		err = cmd.Start()
	} else {
		var input, feed *os.File
		if input, feed, err = os.Pipe(); err != nil {
			return fmt.Errorf("start %q: %w", d.Program, err)
		}
		cmd.Stdin = input
		if err = errors.Join(cmd.Start(), input.Close()); err == nil {
			_, err = feed.Write(d.Input)
		}
		err = errors.Join(err, feed.Close())
	}
	if err != nil {
		return fmt.Errorf("start %q: %w", d.Program, err)
	}
	go func() { _ = cmd.Wait() }() // Its outcome is its own.
	return nil
}
