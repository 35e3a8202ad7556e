package setup

import (
	"strings"
	"unicode"
)

// quoteProgram writes the path of a program as shells take it, and as it is where no shell reads anything
// into it.
func quoteProgram(program string) string {
	if !strings.ContainsFunc(program, isShellSign) {
		return program
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(program) + `"`
}

// quotedPowerShell is a call of a program as PowerShell takes it.
func quotedPowerShell(program string) string {
	if !strings.ContainsFunc(program, isShellSign) {
		return program
	}
	return "& '" + strings.ReplaceAll(program, "'", "''") + "'"
}

// isShellSign tells whether a shell may read something into a character.
func isShellSign(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("/._-+:@,", c)
}

// splitHook splits the command line of a hook into the program, without quotes, and the words behind "hook".
func splitHook(command string) (program string, words []string, ok bool) {
	command = strings.TrimSpace(command)
	program, rest, ok := strings.Cut(command, " hook ")
	if command != "" && strings.ContainsRune(`"'`, rune(command[0])) {
		program, rest = cutQuoted(command)
		rest, ok = strings.CutPrefix(rest, " hook ")
	}
	return program, strings.Fields(rest), ok
}

// cutQuoted reads the quoted word with which a text begins, and returns what follows. A text whose quotes do
// not end has none.
func cutQuoted(text string) (word, rest string) {
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return out.String(), text[i+1:]
		case c == '\\' && text[0] == '"' && i+1 < len(text) && strings.IndexByte("\\\"$`", text[i+1]) >= 0:
			i++
		}
		out.WriteByte(text[i])
	}
	return "", text
}
