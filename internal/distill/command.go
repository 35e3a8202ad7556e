package distill

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// plainCommand returns a command without what an agent puts around it to see less of its output.
func plainCommand(command string) string {
	text := clean.Line(unwrapShell(command))
	for {
		short := text
		for _, here := range []string{"cd . && ", "cd ./ && ", "cd .; "} {
			short = strings.TrimPrefix(short, here)
		}
		for _, end := range []string{
			" 2>&1", " || true", " ;", " &&", `; echo "exit: $?"`,
			`; echo "EXIT: $?"`, "; echo $?", `; echo "exit=$?"`,
		} {
			short = strings.TrimSuffix(short, end)
		}
		if before, last, ok := cutLast(short, " | "); ok && isPager(last) {
			short = before
		}
		if short = strings.TrimSpace(short); short == text {
			return text
		}
		text = short
	}
}

// unwrapShell takes a command out of the call of a shell that runs it.
func unwrapShell(command string) string {
	command = strings.TrimSpace(command)
	for _, shell := range []string{
		"bash -lc ", "bash -c ", "sh -c ", "zsh -lc ", "zsh -c ", "/bin/bash -lc ",
		"/bin/bash -c ", "/bin/sh -c ", "/bin/zsh -lc ",
	} {
		inner, ok := strings.CutPrefix(command, shell)
		if !ok || len(inner) < 2 {
			continue
		}
		quote := inner[0]
		if (quote == '\'' || quote == '"') && inner[len(inner)-1] == quote &&
			strings.IndexByte(inner[1:len(inner)-1], quote) < 0 {
			return inner[1 : len(inner)-1]
		}
	}
	return command
}

func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

// isPager tells the part of a pipe that only shows less.
func isPager(command string) bool {
	all := strings.Fields(command)
	return len(all) > 0 && len(all) <= 3 &&
		(all[0] == "tail" || all[0] == "head" || all[0] == "cat" || all[0] == "less")
}

// commandKey is what makes two commands the same.
func commandKey(command string) string {
	return maskNumber.ReplaceAllString(plainCommand(command), "]")
}

// maskNumber ends a mask that stands for the second secret of its kind, or a later one: another text has
// another number for it.
var maskNumber = regexp.MustCompile(`#\d+\]`)

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
		holdsListed("slips", output) || holdsListed("conflicts", output) ||
		len(deadend.Deeds(plainCommand(c.Text))) == 0
}

// isCheck tells a command that finds out whether the code is right: one that tests, builds, or reads it.
func isCheck(command string) bool {
	return slices.ContainsFunc(deadend.Deeds(plainCommand(command)), func(all []string) bool {
		return slices.ContainsFunc(all[:min(len(all), 3)], func(word string) bool {
			return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(word), func(c rune) bool {
				return c < 'a' || c > 'z'
			}), func(part string) bool { return isListed("checks", part) })
		})
	})
}
