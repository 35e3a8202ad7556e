package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
)

// textHelp stands in the editor. Lines that begin with a number sign are left out of the text.
const textHelp = `
# One fact that the next session needs, as an instruction and not as a log: "Use X because Y", not "discussed X".
# No secrets, no paths of this machine. Lines that begin with # are left out. Leave it empty to store nothing.
`

// withText opens the memory and calls do with the text of a record: the argument, standard input, or on a
// terminal without an argument what the person writes in the editor.
func (e *env) withText(ctx context.Context, args []string,
	do func(m *memory.Memory, text string) error,
) error {
	switch {
	case len(args) > 0 && args[0] != standardInput:
		return e.use(ctx, func(m *memory.Memory) error { return do(m, args[0]) })
	case len(args) == 0 && e.terminal(e.stdin):
		return e.use(ctx, func(m *memory.Memory) error { return e.withEdited(ctx, m, do) })
	}
	if e.terminal(e.stdin) {
		e.say("hint", "reading the text from the terminal; ctrl-d ends it")
	}
	data, err := e.readStdin(ctx, maxSmallInput)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	text := trimmed(data)
	if text == "" {
		return usagef("there is no text: give it as an argument, or on standard input")
	}
	return e.use(ctx, func(m *memory.Memory) error { return do(m, text) })
}

// withEdited lets the person write the text. What they wrote is kept until it is stored.
func (e *env) withEdited(ctx context.Context, m *memory.Memory,
	do func(m *memory.Memory, text string) error,
) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", "EDIT_NOTE")
	data, err := e.edited(ctx, file, "text", func() ([]byte, error) { return []byte(textHelp), nil })
	if err != nil {
		return err
	}
	text := trimmed(data)
	if text == "" {
		e.say("hint", "nothing was written, so nothing was stored")
		return os.Remove(file)
	}
	if err := do(m, text); err != nil {
		e.say("hint", "your text is kept in "+file+"; the same command opens it again")
		return err
	}
	return os.Remove(file)
}

// trimmed is a text with the line ends of git, and without blank lines around it.
func trimmed(data []byte) string {
	return strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
}
