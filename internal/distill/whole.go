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
	at := leastCut
	for at < mostCut && len(text) > at {
		at *= 2
	}
	if len(text) > at-utf8.UTFMax && len(text) <= at {
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
