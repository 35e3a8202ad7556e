// Package clipboard puts text on the clipboard of the person at the terminal.
//
// It runs the program that the system has for this and passes the text on its standard input, never on its
// command line. It never reads the clipboard.
package clipboard

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// ErrNone means that this session has no clipboard program.
var ErrNone = errors.New("no clipboard program")

// limit ends a program that waits for a display that does not answer.
const limit = 3 * time.Second

// Lookup returns the value of an environment variable and whether it is set.
type Lookup func(name string) (string, bool)

// Copy puts text on the clipboard of the session with these environment variables. It returns [ErrNone] where there is
// no program for it, as in a session over ssh.
func Copy(ctx context.Context, text string, vars []string, env Lookup) error {
	for _, argv := range clipboardPrograms(env) {
		path, _ := env("PATH")
		file, err := program.Find(argv[0], "", path)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if _, err := (program.Command{File: file, Args: argv[1:], Env: vars, Stdin: strings.NewReader(text)}).Run(
			ctx); err != nil {
			return fmt.Errorf("copy with %s: %w", argv[0], err)
		}
		return nil
	}
	return ErrNone
}

// clipboardPrograms lists what to try, best first.
func clipboardPrograms(env Lookup) [][]string {
	switch runtime.GOOS {
	case "darwin":
		return [][]string{{"pbcopy"}}
	case "windows":
		return [][]string{{"clip.exe"}}
	}
	var list [][]string
	if hasProgram(env, "WAYLAND_DISPLAY") {
		list = append(list, []string{"wl-copy"})
	}
	if hasProgram(env, "DISPLAY") {
		list = append(list, []string{"xclip", "-selection", "clipboard"},
			[]string{"xsel", "--clipboard", "--input"})
	}
	if hasProgram(env, "WSL_DISTRO_NAME") {
		list = append(list, []string{"clip.exe"})
	}
	return list
}

func hasProgram(env Lookup, name string) bool {
	v, ok := env(name)
	return ok && v != ""
}
