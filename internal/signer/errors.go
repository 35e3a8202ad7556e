package signer

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// The errors that a caller has to tell apart.
var (
	// ErrNoKey says that no key was named and that there is no default.
	ErrNoKey = errors.New("no signing key is configured")
	// ErrNoProgram says that the program that signs is not there or cannot be run.
	ErrNoProgram = errors.New("program is not installed")
	// ErrTimeout says that a program took longer than it may.
	ErrTimeout = errors.New("no answer within the time limit")
	// ErrFormat says that a format is not known, or cannot do what was asked.
	ErrFormat = errors.New("not a format for this")
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

// spoken picks from what a program said the last lines that are meant for a person.
func spoken(text string) string {
	if strings.Contains(text, "PRIVATE KEY") {
		return "what it said held a private key and is left out"
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(clean(line))
		if line != "" && !strings.HasPrefix(line, statusPrefix) {
			lines = append(lines, line)
		}
	}
	if over := len(lines) - spokenLines; over > 0 {
		lines = lines[over:]
	}
	return strings.Join(lines, "\n")
}

// clean makes text safe to print in one line: control and invisible characters are dropped.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co):
			return -1
		default:
			return r
		}
	}, strings.ToValidUTF8(text, ""))
}
