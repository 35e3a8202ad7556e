package redact

import "strings"

// minHash is the least length of the last part of a hash.
const minHash = 22

// findHash finds a hash that begins with the name of its kind.
func findHash(text string, keyword span) (span, bool) {
	if c := byteBefore(text, keyword.start); isWord(c) || c == '$' {
		return span{}, false
	}
	colons := strings.Contains(keyword.of(text), ":")
	end := run(text, keyword.end, min(len(text), keyword.end+2*judged), func(c byte) bool { return isHashPart(c) || colons && c == ':' })
	hash := strings.TrimRight(text[keyword.start:end], ".:,*")
	last := hash[min(len(hash), keyword.end-keyword.start):]
	if at := strings.LastIndexAny(last, "$:"); at >= 0 {
		last = last[at+1:]
	}
	n := classesOf(last)
	ok := len(last) >= minHash && n.lower+n.upper > 0 && n.digit > 0 && distinct(last) > fewDistinct && !identifier(last)
	return span{keyword.start, keyword.start + len(hash)}, ok
}

func isHashPart(c byte) bool { return isBase64(c) || c == '$' || c == '.' || c == ',' }
