package garden

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/words"
)

// wordTable is lists of words by name.
//
//go:embed words.txt
var wordTable string

// wordLists are these lists.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var wordLists = sync.OnceValue(func() map[string]map[string]string { return words.Lists(wordTable) })

// isListed says whether a word stands in a list.
func isListed(list, word string) bool {
	_, ok := wordLists()[list][word]
	return ok && word != ""
}

// holdsListed says whether a phrase of a list stands among words.
func holdsListed(list string, words []token) bool {
	all := joinWords(words)
	for phrase := range wordLists()[list] {
		if phrase != "" && strings.Contains(all, " "+phrase+" ") {
			return true
		}
	}
	return false
}

// A wordReader reads the words of a text one by one: what stands between
// blanks, without the marks of a sentence at either end. Marks within a word
// stay, and so do signs that mean something: 1.5, don't, >=, C++, -f.
type wordReader struct{ rest string }

// next returns the next word as it is written, or "" at the end.
func (r *wordReader) next() string {
	for r.rest != "" {
		r.rest = strings.TrimLeftFunc(r.rest, isGap)
		end := strings.IndexFunc(r.rest, isGap)
		if end < 0 {
			end = len(r.rest)
		}
		word := strings.TrimFunc(r.rest[:end], isMark)
		r.rest = r.rest[end:]
		if word != "" && word != "-" {
			return word
		}
	}
	return ""
}

// wordsOf returns the words of s in small letters.
func wordsOf(s string) []string {
	var list []string
	r := wordReader{s}
	for word := r.next(); word != ""; word = r.next() {
		list = append(list, strings.ToLower(word))
	}
	return list
}

// fold returns s without what a writer may vary at will: case, white space and
// the marks of a sentence.
func fold(s string) string { return strings.Join(wordsOf(s), " ") }

// sameText says whether two texts are equal once folded. It stops at the first
// word that differs and keeps nothing, since it is asked for every record.
func sameText(a, b string) bool {
	x, y := wordReader{a}, wordReader{b}
	for some := false; ; some = true {
		v, w := x.next(), y.next()
		if !strings.EqualFold(v, w) {
			return false
		}
		if v == "" {
			return some || a == b && a != ""
		}
	}
}

// isGap says whether r stands between words.
func isGap(r rune) bool { return unicode.IsSpace(r) || r == '—' }

// isMark says whether r is a mark of a sentence when it stands at the end of a word.
func isMark(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '"', '\'', '(', ')', '[', ']', '{', '}', '`', '*', '…', '“', '”', '‘',
		'’', '„', '«', '»', '–',
		'。', '、', '，', '！', '？', '：', '；', '「', '」', '（', '）':
		return true
	default:
		return false
	}
}
