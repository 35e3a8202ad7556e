package signer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
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

// runProgram runs a program to its end. Standard input is the given bytes and nothing of ours.
func (c Config) runProgram(ctx context.Context, order call) (answer, error) {
	// Returns the path of a program. A path is relative to where programs run, as they read
	// it.
	file, err := program.Find(order.program, c.Dir, c.lookupVariable("PATH"))
	if err != nil {
		return answer{}, fmt.Errorf("find %q: %w", clean.Line(order.program), ErrNoProgram)
	}
	limit := c.Timeout
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w of %s", ErrTimeout, limit))
	defer cancel()
	cmd := program.Command{
		File: file, Args: order.args, Dir: c.Dir, Env: append([]string{}, c.Env...),
		Stdin: bytes.NewReader(order.stdin), Limit: order.limit, Tail: spokenLimit,
	}
	if c.Unattended {
		cmd.Env = append(cmd.Env, "SSH_ASKPASS_REQUIRE=never", "DISPLAY=", "WAYLAND_DISPLAY=", "GPG_TTY=")
	}
	if c.Unattended || !program.HasTerminal() {
		cmd.Group = program.Own // The program may be a script that waits for another.
	}
	ended, err := cmd.Run(ctx)
	done := answer{
		stdout: ended.Stdout, stderr: spokenError(ended.Stderr),
		created: strings.Contains("\n"+ended.Stderr, "\n"+statusPrefix+"SIG_CREATED "),
	}
	name := clean.Line(filepath.Base(order.program))
	switch exit, failed := errors.AsType[*program.ExitError](err); {
	case err == nil:
		return done, nil
	case failed:
		return done, &ProgramError{
			Program: clean.Line(order.program), Code: exit.Code, Signal: exit.Signal,
			Stderr: done.stderr,
		}
	case errors.Is(err, program.ErrTooLarge):
		return answer{}, fmt.Errorf("%s: %w: more than %d bytes", name, ErrTooLarge, order.limit)
	}
	return answer{}, fmt.Errorf("%s: %w", name, err)
}

// absolutePath reads a path as the programs do, relative to where they run.
func (c Config) absolutePath(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// lookupVariable returns the last value of a variable, as a program would see it.
func (c Config) lookupVariable(name string) string {
	value, _ := program.LookupEnv(c.Env, name)
	return value
}

const (
	messageLimit = 8 << 10
	spokenLimit  = 256 << 10 // of what a program says: it may say much after it reported a signature
)

// splitCommand divides a command of the configuration into words as git does for gpg.ssh.defaultKeyCommand.
// Quotes and backslashes work; no shell runs, so that nothing else has a meaning. White space at an end
// makes an empty word there.
func splitCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == 0 && isSpace(c):
			words = append(words, word.String())
			word.Reset()
			for i+1 < len(command) && isSpace(command[i+1]) {
				i++
			}
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'':
			i++
			if i == len(command) {
				return nil, errors.New("command ends with a backslash")
			}
			word.WriteByte(command[i])
		default:
			word.WriteByte(c)
		}
	}
	if quote != 0 {
		return nil, errors.New("quote is not closed")
	}
	return append(words, word.String()), nil
}

// isSpace tells what git takes for white space.
func isSpace(c byte) bool {
	return strings.IndexByte(" \t\n\r", c) >= 0
}

// The errors that a caller has to tell apart.
var (
	// ErrNoKey says that no key was named and that there is no default.
	ErrNoKey = errors.New("no signing key is configured")
	// ErrNoProgram says that the program that signs is not there or cannot be run.
	ErrNoProgram = errors.New("program is not installed")
	// ErrTimeout says that a program took longer than it may.
	ErrTimeout = errors.New("no answer within the time limit")
	// ErrTouch says that a key of hardware would wait for a person.
	ErrTouch = errors.New("the key wants to be touched, and nobody is there")
	// ErrTooLarge says that a program said more than it may.
	ErrTooLarge = errors.New("answer is too large")
)

// ProgramError is a program that did not sign.
type ProgramError struct {
	Program string // Program is what was run.
	Code    int    // Code is the exit code; 0 is a program that ended well without a signature, -1 a signal.
	Signal  string // Signal is the signal that ended the program, or "".
	Stderr  string // Stderr is the last part of what the program said, without control characters.
}

// Error names the program, how it ended and what it said, in one line.
func (e *ProgramError) Error() string {
	var b strings.Builder
	switch {
	case e.Signal != "":
		fmt.Fprintf(&b, "%s: ended by signal: %s", e.Program, e.Signal)
	case e.Code == 0:
		fmt.Fprintf(&b, "%s: made no signature", e.Program)
	default:
		fmt.Fprintf(&b, "%s: exit code %d", e.Program, e.Code)
	}
	if e.Stderr != "" {
		b.WriteString(": " + strings.ReplaceAll(e.Stderr, "\n", "; "))
	}
	return b.String()
}

// statusPrefix begins a line that gpg writes for programs.
const statusPrefix = "[GNUPG:] "

// spokenLines is how many lines of a program's messages are kept.
const spokenLines = 8

// spokenError picks from what a program said the last lines that are meant for a person.
func spokenError(text string) string {
	if strings.Contains(text, "-----BEGIN ") { // ssh names one that others may read.
		return "what it said held a private key and is left out"
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = clean.Line(line)
		if line != "" && !strings.HasPrefix(line, statusPrefix) {
			lines = append(lines, line)
		}
	}
	if over := len(lines) - spokenLines; over > 0 {
		lines = lines[over:]
	}
	return strings.Join(lines, "\n")
}
