package redact

import "strings"

// maxShownName bounds the name that a finding shows.
const maxShownName = 40

// namedIn returns the name that a secret is given to in its text: the word in front of "=" or ":" before it,
// or of a flag. It is "" where none stands there that is a name.
func namedIn(text string, start int) string {
	end := back(text, start, max(0, start-8), func(c byte) bool {
		return isQuoteOrBlank(c) || strings.IndexByte("=:>(\\", c) >= 0
	})
	from := back(text, end, max(0, end-maxShownName), func(c byte) bool {
		return isWord(c) || c == '-' || c == '.'
	})
	name := text[from:end]
	if strings.ContainsAny(text[end:start], "=:>(") || strings.HasPrefix(name, "-") {
		return publicName(strings.Trim(name, "-."))
	}
	return ""
}

// findPlaceholder finds a value that is given to the name of a secret and would be one if no word in it stood
// for any.
func findPlaceholder(text string, keyword span) (span, bool) {
	value := span{
		back(text, keyword.start, max(0, keyword.start-maxName), isDotted),
		run(text, keyword.end, min(len(text), keyword.end+maxName), isDotted),
	}
	name, v := namedIn(text, value.start), value.of(text)
	return value, len(v) >= 12 && classesOf(v).digit > 1 && placeholder(v) &&
		kindOfName(name, span{0, len(name)}) > keyed
}

// publicName returns a name that a finding may show, or "". It has no more digits than names have: what
// stands in front of a secret may be another one.
func publicName(name string) string {
	digits, letters := 0, 0
	for i := range len(name) {
		switch c := name[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c != '_' && c != '-' && c != '.':
			return ""
		}
	}
	if digits > 2 || letters < 2 || len(name) >= maxShownName || placeholder(name) {
		return ""
	}
	return name
}
