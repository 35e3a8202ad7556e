package garden

import (
	"slices"
	"strings"
)

// hasReason says whether a text gives a reason or tells what follows.
func hasReason(words []token) bool {
	for _, t := range words {
		if t.clause && (t.word == "so" || t.word == "as" || t.word == "or" || t.word == "else") {
			return true
		}
	}
	return holdsListed("reasons", words)
}

// isEnglish says whether a text has words that only English has in such number
// that what is asked of English can be asked of it.
func isEnglish(words []token) bool {
	return slices.ContainsFunc(words, func(t token) bool { return isListed("english", t.word) })
}

// hasOrder says whether a text tells somebody to do something.
func hasOrder(words []token) bool {
	for i, t := range words {
		before := wordAt(words, i-1)
		if isListed("demands", t.word) || t.word == "not" && (before == "do" || before == "may") {
			return true
		}
		begins := t.begins || t.clause || isListed("lead-ins", before)
		if begins && (isListed("orders", t.word) || isBase(t.word) && isListed("objects", wordAt(words, i+1))) {
			return true
		}
	}
	return false
}

// isBase says whether a word could be a verb that orders: it has none of the
// endings of other forms, and is none of the small words.
func isBase(word string) bool {
	for _, end := range [...]string{"s", "ed", "ing", "ly", "ion"} {
		if strings.HasSuffix(word, end) {
			return false
		}
	}
	return word != "" && !isListed("small", word)
}
