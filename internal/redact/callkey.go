package redact

import "strings"

// findKeyArgument finds the first string among the arguments that a machine
// made.
func findKeyArgument(text string, keyword span) (span, bool) {
	return eachArgument(text, keyword.end, func(value string) bool {
		if len(value) < 12 || strings.ContainsAny(value, " \t=;{}<>") && !strings.HasSuffix(value, "=") || isUUID(value) || isNamed(value) {
			return false
		}
		return hasDigit(value) && isTokenValue(value) && !algorithm(value) && !callOrPath(value)
	})
}

// eachArgument returns the first string among the arguments from text[at] on
// that judge accepts.
func eachArgument(text string, at int, judge func(string) bool) (span, bool) {
	limit := min(len(text), at+maxArguments)
	for at < limit && text[at] != '\n' {
		if !isQuote(text[at]) {
			at++
			continue
		}
		end := strings.IndexByte(text[at+1:limit], text[at])
		if end < 0 {
			break
		}
		value := span{at + 1, at + 1 + end}
		if judge(value.of(text)) {
			return value, true
		}
		at = value.end + 1
	}
	return span{}, false
}
