package redact

import (
	"slices"
	"strings"
	"sync"
)

// newProvidedFinder returns a finder for the names of all services. Which of
// them are words or parts of words is read when one is first seen.
func newProvidedFinder() finder {
	special := sync.OnceValue(func() map[string]finder {
		finders := map[string]finder{}
		for name := range strings.FieldsSeq(shortProviders) {
			finders[name] = findProvided
		}
		for name := range strings.FieldsSeq(wordProviders) {
			finders[name] = findWordProvided
		}
		return finders
	})
	return func(text string, keyword span) (span, bool) {
		find, ok := special()[strings.ToLower(keyword.of(text))]
		switch {
		case !ok:
			return findProvided(text, keyword)
		case !standsAlone(text, keyword):
			return span{}, false
		default:
			return find(text, keyword)
		}
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
	return slices.ContainsFunc([]string{
		"key", "token", "api", "secret", "auth", "pass",
	}, func(word string) bool { return hasFold(text[keyword.end:], word) })
}

// besideSecret says whether a word for a secret stands in the same line,
// shortly before or behind a name.
func besideSecret(text string, name span) bool {
	const reach = 32
	before := text[max(0, name.start-reach):name.start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	behind := text[name.end:min(len(text), name.end+reach)]
	return slices.ContainsFunc([]string{"key", "token", "secret"}, func(word string) bool {
		return containsFold(before, word) || containsFold(behind, word)
	})
}
