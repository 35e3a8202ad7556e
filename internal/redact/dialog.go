package redact

import "strings"

// findDialog finds a password that is sent in a protocol of words, or is given
// where the words around it leave no other reading.
func findDialog(text string, keyword span) (span, bool) {
	limit := min(len(text), keyword.end+maxPiped)
	switch word := keyword.of(text); {
	case word == "AUTH ":
		// Finds the password of the command AUTH of Redis, which stands at the beginning of a
		// line.
		if !startsLine(text, keyword.start) {
			return span{}, false
		}
		words := argumentsAt(text[:limit], keyword.end)
		if len(words) == 0 || len(words) > 2 {
			return span{}, false
		}
		secret := unquoted(text, words[len(words)-1])
		return secret, secretArgument(secret.of(text)) && strongArgument(secret.of(text)) && secret.end-secret.start >= minToken
	case hasFold(word, "user "):
		if !startsLine(text, keyword.start) || !containsFold(text[max(0, keyword.start-maxReaders):keyword.start], "ftp") {
			return span{}, false
		}
		words := argumentsAt(text[:limit], keyword.end)
		if len(words) != 2 {
			return span{}, false
		}
		secret := unquoted(text, words[1])
		return secret, secretArgument(secret.of(text)) && strongArgument(secret.of(text))
	case hasFold(word, "sshpass="):
		end, _ := argumentEnd(text, keyword.end, limit)
		secret := argumentFrom(text, span{keyword.end, end}, keyword.end)
		return secret, secretArgument(secret.of(text))
	case word[len(word)-1] == '"': // The fourth argument, of sbt.
		return findFourthArgument(text, keyword.end-1, limit)
	case word[len(word)-1] == '(':
		return findSecondArgument(text, keyword.end, limit)
	default:
		return span{}, false
	}
}

// startsLine says whether text[at] is the beginning of a line or stands behind
// a prompt.
func startsLine(text string, at int) bool {
	before := byteBefore(text, at)
	return before == 0 || before == '\n' || before == ' ' && at > 1 && text[at-2] == '>'
}

// findFourthArgument finds the last of four quoted arguments.
func findFourthArgument(text string, at, limit int) (span, bool) {
	var secret span
	for range 4 {
		end := -1
		if isQuoteSign(byteAt(text, at)) {
			end = closingQuote(text, at, limit)
		}
		if end < 0 {
			return span{}, false
		}
		secret = span{at + 1, end - 1}
		at = run(text, end, limit, func(c byte) bool { return isSpace(c) || c == ',' })
	}
	return secret, byteAt(text, at) == ')' && secretArgument(secret.of(text))
}

// findSecondArgument finds the second of two quoted arguments.
func findSecondArgument(text string, at, limit int) (span, bool) {
	first, _ := argumentEnd(text, at, limit)
	at = run(text, first, limit, func(c byte) bool { return isBlank(c) || c == ',' })
	if first == at || !isQuoteSign(byteAt(text, at)) {
		return span{}, false
	}
	end := closingQuote(text, at, limit)
	if end < 0 {
		return span{}, false
	}
	secret := span{at + 1, end - 1}
	return secret, secretArgument(strings.TrimSpace(secret.of(text)))
}
