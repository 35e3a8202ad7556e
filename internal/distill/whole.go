package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// Whole returns a session without the words that a reader of transcripts cut through, since no rule knows a
// secret by a part of it. Readers cut texts at round numbers of bytes.
func Whole(s transcript.Session) transcript.Session { return changeTexts(s, withoutCutWords) }

// The numbers of bytes at which texts are cut.
const (
	leastCut = 1 << 10
	mostCut  = 64 << 10
)

// withoutCutWords returns a text without a first and a last word that may be parts, and without the rest of
// a key whose beginning is gone.
func withoutCutWords(text string) string {
	if isCut(len(text)) {
		first, last := strings.IndexFunc(text, unicode.IsSpace), strings.LastIndexFunc(text, unicode.IsSpace)
		if first < 0 {
			return ""
		}
		text = text[first : last+1]
	}
	begin, end := strings.Index(text, "-----BEGIN "), strings.Index(text, "-----END ")
	if end >= 0 && (begin < 0 || begin > end) {
		_, text, _ = strings.Cut(text[end:], "\n")
	}
	return strings.TrimSpace(text)
}

// isCut tells whether a text of so many bytes may have been cut: within a character of a power of two.
func isCut(size int) bool {
	for at := leastCut; at <= mostCut; at *= 2 {
		if size > at-utf8.UTFMax && size <= at {
			return true
		}
	}
	return false
}
