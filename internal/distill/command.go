package distill

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// plain returns a command without what an agent puts around it to see less of its output.
func plain(command string) string {
	text := clean.Line(unwrapped(command))
	for {
		short := text
		for _, here := range []string{"cd . && ", "cd ./ && ", "cd .; "} {
			short = strings.TrimPrefix(short, here)
		}
		for _, end := range []string{" 2>&1", " || true", " ;", " &&", `; echo "exit: $?"`, `; echo "EXIT: $?"`, "; echo $?", `; echo "exit=$?"`} {
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

// unwrapped takes a command out of the call of a shell that runs it.
func unwrapped(command string) string {
	command = strings.TrimSpace(command)
	for _, shell := range []string{"bash -lc ", "bash -c ", "sh -c ", "zsh -lc ", "zsh -c ", "/bin/bash -lc ", "/bin/bash -c ", "/bin/sh -c ", "/bin/zsh -lc "} {
		inner, ok := strings.CutPrefix(command, shell)
		if !ok || len(inner) < 2 {
			continue
		}
		quote := inner[0]
		if (quote == '\'' || quote == '"') && inner[len(inner)-1] == quote && strings.IndexByte(inner[1:len(inner)-1], quote) < 0 {
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
	return len(all) > 0 && len(all) <= 3 && (all[0] == "tail" || all[0] == "head" || all[0] == "cat" || all[0] == "less")
}

// key is what makes two commands the same.
func key(command string) string { return plain(command) }

// The exit codes of a process that somebody ended.
const (
	interrupted = 130
	terminated  = 143
)

// isNoise tells a failed command that says nothing about the work: one that only looked, that somebody ended, or that was ours.
func isNoise(c transcript.Command) bool {
	if c.Exit == interrupted || c.Exit == terminated || isInterrupted(c.Output) || isOwn(c.Text) {
		return true
	}
	parts := simpleCommands(plain(c.Text))
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p []string) bool { return !onlyLooks(p) })
}

// simpleCommands parts a command line into the words of its simple commands, roughly: it is a matter of taste, not of safety.
func simpleCommands(text string) [][]string {
	var all [][]string
	for _, part := range strings.FieldsFunc(strings.NewReplacer("&&", "\x00", "||", "\x00", ";", "\x00", "|", "\x00").Replace(text), func(c rune) bool { return c == 0 }) {
		words := strings.Fields(part)
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:] // A variable that is set for the command.
		}
		if len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

// isCheck tells a command that finds out whether the code is right: one that tests, builds, or reads it.
func isCheck(command string) bool {
	return slices.ContainsFunc(simpleCommands(plain(command)), func(all []string) bool {
		return slices.ContainsFunc(all[:min(len(all), 3)], func(word string) bool {
			return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(word), func(c rune) bool { return c < 'a' || c > 'z' }), checks)
		})
	})
}

// checks tells a word by which programs and targets that check something are called.
func checks(word string) bool {
	switch word {
	case "test", "tests", "lint", "vet", "check", "build", "compile", "typecheck", "verify", "pytest", "tsc", "mypy", "pyright", "ruff", "flake",
		"eslint", "jest", "vitest", "mocha", "playwright", "golangci", "staticcheck", "tox", "nox", "rspec", "ctest", "clippy", "javac", "phpunit", "ninja":
		return true
	}
	return false
}

// onlyLooks tells a command that only looks for something, and whose failure says that it is not there.
func onlyLooks(words []string) bool {
	switch words[0] {
	case "grep", "rg", "egrep", "fgrep", "ag", "ack", "test", "[", "[[", "diff", "cmp", "which", "type", "pgrep", "pidof", "ls", "cat", "head", "tail", "stat",
		"find", "fd", "file", "wc", "readlink", "realpath", "tree", "less", "cd", "pwd", "echo", "printf", "true", "false", "sort", "uniq", "cut", "tr",
		"awk", "nl", "bat", "jq", "xargs", "command", "hash", "sleep", "date", "env", "basename", "dirname":
		return true
	case "sed":
		return slices.Contains(words, "-n")
	case "git":
		return len(words) > 1 && gitOnlyLooks(words[1:])
	}
	return false
}

// gitOnlyLooks tells a command of git that answers with its exit code, or only prints.
func gitOnlyLooks(words []string) bool {
	switch words[0] {
	case "grep", "show-ref", "rev-parse", "diff", "log", "show", "status", "ls-files", "cat-file", "check-ignore", "blame", "ls-tree", "describe", "branch":
		return true
	case "merge-base":
		return slices.Contains(words, "--is-ancestor")
	case "config":
		return slices.Contains(words, "--get") || len(words) == 2
	}
	return false
}
