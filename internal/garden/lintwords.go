package garden

import (
	"slices"
	"strings"
)

// hasReason says whether a text gives a reason or tells what follows.
func hasReason(words []token) bool {
	return holdsListed("reasons", words) || slices.ContainsFunc(words, func(t token) bool {
		return t.clause && slices.Contains([]string{"so", "as", "or", "else"}, t.word)
	})
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
	return word != "" && !isListed("small", word) &&
		!slices.ContainsFunc([]string{"s", "ed", "ing", "ly", "ion"}, func(end string) bool {
			return strings.HasSuffix(word, end)
		})
}
