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

// splitHook splits the command line of a hook into the program, without quotes, and the words behind "hook". A
// text whose quotes do not end has none.
func splitHook(command string) (program string, words []string, ok bool) {
	command = strings.TrimSpace(command)
	program, rest, ok := strings.Cut(command, " hook ")
	if command == "" || !strings.ContainsRune(`"'`, rune(command[0])) {
		return program, strings.Fields(rest), ok
	}
	var out strings.Builder
	for i := 1; i < len(command); i++ {
		switch c := command[i]; {
		case c == command[0]:
			rest, ok = strings.CutPrefix(command[i+1:], " hook ")
			return out.String(), strings.Fields(rest), ok
		case c == '\\' && command[0] == '"' && i+1 < len(command) &&
			strings.IndexByte("\\\"$`", command[i+1]) >= 0:
			i++
		}
		out.WriteByte(command[i])
	}
	return "", nil, false
}
