package garden

import (
	_ "embed"
	"iter"
	"slices"
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
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var wordLists = sync.OnceValue(func() map[string]func() map[string]string { return words.Lists(wordTable) })

// isListed says whether a word stands in a list.
func isListed(list, word string) bool {
	_, ok := wordLists()[list]()[word]
	return ok && word != ""
}

// holdsListed says whether a phrase of a list stands among words.
func holdsListed(list string, words []token) bool {
	said := make([]string, len(words))
	for i, t := range words {
		said[i] = t.word
	}
	all := " " + strings.Join(said, " ") + " "
	for phrase := range wordLists()[list]() {
		if phrase != "" && strings.Contains(all, " "+phrase+" ") {
			return true
		}
	}
	return false
}

// eachWord yields the words of a text: what stands between blanks, without the marks of a sentence at either
// end. Marks within a word stay, and so do signs that mean something: 1.5, don't, >=, C++, -f.
func eachWord(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || r == '—' }) {
			if word := strings.TrimFunc(field, isMark); word != "" && word != "-" && !yield(word) {
				return
			}
		}
	}
}

// foldText returns s without what a writer may vary at will: case, white space and the marks of a sentence.
func foldText(s string) string {
	return strings.Join(slices.Collect(eachWord(strings.ToLower(s))), " ")
}

// sameText says whether two texts say something, and the same once folded.
func sameText(a, b string) bool {
	folded := foldText(a)
	return a != "" && (a == b || folded != "" && folded == foldText(b))
}

// isMark says whether r is a mark of a sentence when it stands at the end of a word.
func isMark(r rune) bool {
	return strings.ContainsRune(".,;:!?\"'()[]{}`*…“”‘’„«»–。、，！？：；「」（）", r)
}
