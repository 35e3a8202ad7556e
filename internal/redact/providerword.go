package redact

import (
	"strings"
)

// findService finds the value that stands with the name of a service. Names
// that are words or parts of words are read with more care.
func findService(text string, keyword span) (span, bool) {
	name := strings.ToLower(keyword.of(text))
	switch word := wordServices.has(name); {
	case !word && !shortServices.has(name):
		return findProvided(text, keyword)
	case !standsAlone(text, keyword):
		return span{}, false
	case word:
		return findWordProvided(text, keyword)
	default:
		return findProvided(text, keyword)
	}
}

// findWordProvided finds the value that is given to a name which is a word of
// prose, too, where a word for a secret stands beside it.
func findWordProvided(text string, keyword span) (span, bool) {
	if !besideSecret(text, keyword) {
		return span{}, false
	}
	return valueNear(text, keyword, provided(text, keyword))
}

// standsAlone says whether a keyword is a word by itself, as programs part
// words: by a sign, by a capital, or by a word for a secret that follows.
func standsAlone(text string, keyword span) bool {
	before, first := byteBefore(text, keyword.start), text[keyword.start]
	if isLetter(before) && (!isLower(before) || !isUpper(first)) {
		return false
	}
	after := byteAt(text, keyword.end)
	if !isLetter(after) || isUpper(after) && isLower(text[keyword.end-1]) {
		return true
	}
	return secretsBehind.beginsFold(text[keyword.end:])
}

// besideSecret says whether a word for a secret stands in the same line,
// shortly before or behind a name.
func besideSecret(text string, name span) bool {
	const reach = 32
	before := text[max(0, name.start-reach):name.start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	behind := text[name.end:min(len(text), name.end+reach)]
	return secretsBeside.withinFold(before) || secretsBeside.withinFold(behind)
}
