package redact

import "strings"

// maxArguments bounds what is read of the arguments of a call.
const maxArguments = 200

// findArgument finds the last string among the arguments that can be a
// password, or what follows the words of a statement.
func findArgument(text string, keyword span) (span, bool) {
	if text[keyword.end-1] == ' ' {
		g := readGlue(text, keyword.end)
		return valueAt(text, g, chosen)
	}
	var last span
	limit := min(len(text), keyword.end+maxArguments)
	for at := firstArgument(text, keyword); at < limit && text[at] != ')' && text[at] != '\n'; {
		if !isQuote(text[at]) {
			at++
			continue
		}
		end := strings.IndexByte(text[at+1:limit], text[at])
		if end < 0 {
			break
		}
		if argument := (span{at + 1, at + 1 + end}); passwordArgument(argument.of(text)) {
			last = argument
		}
		at += end + 2
	}
	return last, last.end > 0
}

// firstArgument returns where the arguments begin: behind the keyword, or at
// the double quote in it or the quote at its end.
func firstArgument(text string, keyword span) int {
	if quote := strings.IndexByte(keyword.of(text), '"'); quote >= 0 {
		return keyword.start + quote
	}
	if text[keyword.end-1] == '\'' {
		return keyword.end - 1
	}
	return keyword.end
}

// passwordArgument says whether a string among arguments is a password.
func passwordArgument(value string) bool {
	if strings.HasSuffix(value, "=") || strings.Contains(value, ";") || callOrPath(value) || isNamed(value) || version(value) {
		return false
	}
	spoken := identifier(value) && (isWordy(value) || classesOf(value).digit > 2)
	return chosen.accepts(value) && !spoken
}
