package distill

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// plainCommand returns a command without the shell that runs it, and without what an agent puts around it to
// see less of its output.
func plainCommand(command string) string {
	command = strings.TrimSpace(command)
	if m := shellCall().FindStringSubmatch(command); m != nil {
		command = m[1] + m[2]
	}
	for text := clean.Line(command); ; text = command {
		command = strings.TrimSpace(aroundCommand().ReplaceAllString(text, ""))
		if command == text {
			return text
		}
	}
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	shellCall     = compiled(`(?s)^(?:(?:/bin/)?(?:ba|z)?sh) -l?c (?:'([^']*)'|"([^"]*)")$`)
	aroundCommand = compiled(`^cd \./? (?:&& |; )|^cd \.; | 2>&1$| \|\| true$| ;$| &&$` +
		`|; echo (?:\$\?|"(?:exit: |EXIT: |exit=)\$\?")$| \| (?:tail|head|cat|less)(?: [^ |]+){0,2}$`)
)

// commandKey is what makes two commands the same.
func commandKey(command string) string {
	return maskNumber().ReplaceAllString(plainCommand(command), "]")
}

// maskNumber ends a mask that stands for the second secret of its kind, or a later one: another text has
// another number for it.
var maskNumber = compiled(`#\d+\]`)

// The exit codes of a process that somebody ended, or that never began.
const (
	notExecutable = 126
	notFound      = 127
	interrupted   = 130
	terminated    = 143
)

// isNoise tells a failed command that says nothing about the work: one that only looked, that somebody ended,
// that was mistyped or ours; a check, which tells how the code stood; and a merge, whose conflicts are no
// dead end.
func isNoise(c transcript.Command) bool {
	output := strings.ToLower(c.Output)
	return c.Exit == interrupted || c.Exit == terminated || isInterrupted(c.Output) || isOwn(c.Text) ||
		isCheck(c.Text) ||
		phrases.In("slips", output) || phrases.In("conflicts", output) ||
		len(deadend.Deeds(plainCommand(c.Text))) == 0
}

// isCheck tells a command that finds out whether the code is right: one that tests, builds, or reads it.
func isCheck(command string) bool {
	return slices.ContainsFunc(deadend.Deeds(plainCommand(command)), func(all []string) bool {
		return slices.ContainsFunc(all[:min(len(all), 3)], func(word string) bool {
			return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(word), func(c rune) bool {
				return c < 'a' || c > 'z'
			}), func(part string) bool { return phrases.Has("checks", part) })
		})
	})
}
