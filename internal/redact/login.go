package redact

import "strings"

// findPair finds "name / password" and "name/password" behind a usual name,
// where the password cannot be a path or a number.
func findPair(text string, keyword span) (span, bool) {
	if isToken(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	name := run(text, keyword.start, min(len(text), keyword.start+maxName), isURLSafe)
	at := run(text, name, min(len(text), name+1), isBlank)
	if c := byteAt(text, at); c != '/' && c != ':' || at > name && c == ':' {
		return span{}, false
	}
	at = run(text, at+1, min(len(text), at+2), isBlank)
	end := run(text, at, min(len(text), at+maxValue), func(c byte) bool { return !isSpace(c) })
	word := bareWord(text, span{at, end})
	value := word.of(text)
	n := classesOf(value)
	mixed := n.digit > 0 && n.lower > 0 && (n.upper > 0 && !identifier(value) || marks(value) > 0)
	return withMarks(text, word), mixed && len(value) >= 6 && chosen.tells(value, linkedTo) && strings.IndexByte(value, '/') < 0 && strings.IndexByte(value, '=') < 0
}

// findLogin finds "name / password" and "name:password".
func findLogin(text string, keyword span) (span, bool) {
	start := run(text, keyword.end, min(len(text), keyword.end+4), func(c byte) bool { return isQuoteOrBlank(c) || c == ':' })
	name := run(text, start, min(len(text), start+maxName), func(c byte) bool { return isDotted(c) || c == '@' || c == '\\' })
	if name == start {
		return span{}, false
	}
	at := run(text, name, min(len(text), name+4), isQuoteOrBlank)
	switch c := byteAt(text, at); {
	case c == '/' || c == '|' || c == ',':
	case c == ':' && at == name:
	default:
		return span{}, false
	}
	at = run(text, at+1, min(len(text), at+6), isQuoteOrBlank)
	end := run(text, at, min(len(text), at+maxValue), func(c byte) bool { return !isSpace(c) })
	word := bareWord(text, span{at, end})
	value := word.of(text)
	ok := chosen.tells(value, linkedTo) && classesOf(value).digit < len(value) && strings.IndexByte(value, '/') < 0
	return withMarks(text, word), ok
}
