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
		before := at(words, i-1)
		if isListed("demands", t.word) || t.word == "not" && (before == "do" || before == "may") {
			return true
		}
		begins := t.begins || t.clause || isLeadIn(before)
		if begins && (isOrder(t.word) || isBase(t.word) && isObject(at(words, i+1))) {
			return true
		}
	}
	return false
}

// isLeadIn says whether an order may follow a word.
func isLeadIn(word string) bool { return isListed("lead-ins", word) }

// isOrder says whether a word at the begin of a sentence is an order.
func isOrder(word string) bool { return isListed("orders", word) }

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

// isObject says whether a word begins what an order is about.
func isObject(word string) bool { return isListed("objects", word) }

// isFiller says whether a word says nothing of its own.
func isFiller(word string) bool { return isListed("fillers", word) }

// isVagueWord says whether a word of a next step says only that there is one.
func isVagueWord(word string) bool { return isListed("vague", word) }
