package garden

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/words"
)

// wordTable is lists of words by name.
//
//go:embed words.txt
var wordTable string

//nolint:gochecknoglobals // A table that nobody writes to.
var phrases = words.NewTable(wordTable)

// isListed says whether a word stands in a list.
func isListed(list, word string) bool {
	_, ok := phrases.Value(list, word)
	return ok
}

// holdsListed says whether a phrase of a list stands among words.
func holdsListed(list string, words []token) bool {
	said := make([]string, len(words))
	for i, t := range words {
		said[i] = t.word
	}
	all := " " + strings.Join(said, " ") + " "
	return slices.ContainsFunc(phrases.List(list), func(phrase string) bool {
		return strings.Contains(all, " "+phrase+" ")
	})
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

// Fold returns a text without what a writer may vary at will: case, white space and the marks of a sentence.
func Fold(s string) string {
	return strings.Join(slices.Collect(eachWord(strings.ToLower(s))), " ")
}

// sameText says whether two texts say something, and the same once folded.
func sameText(a, b string) bool {
	folded := Fold(a)
	return a != "" && (a == b || folded != "" && folded == Fold(b))
}

// isMark says whether r is a mark of a sentence when it stands at the end of a word.
func isMark(r rune) bool {
	return strings.ContainsRune(".,;:!?\"'()[]{}`*…“”‘’„«»–。、，！？：；「」（）", r)
}

// A token is a word of a text as a reader hears it: in small letters, without
// marks, and with its place in the sentence.
type token struct {
	word   string
	begins bool // a line or a sentence
	clause bool // behind a comma
	colon  bool // one follows
	ends   bool // a sentence or a clause
}

// coded stands for what a text only names: code and what is in quotation marks.
const coded = "`"

// tokensOf parts a text into tokens.
func tokensOf(text string) []token {
	var list []token
	for line := range strings.SplitSeq(withoutCode(text), "\n") {
		begins, clause := true, false
		for field := range strings.FieldsSeq(line) {
			word := strings.ToLower(strings.TrimFunc(field, isMark))
			if field == coded || strings.TrimFunc(field, func(r rune) bool { return r != '`' && isMark(r) }) == coded {
				word = coded
			}
			end := field[len(strings.TrimRight(field, ".!?:;,)*…\"'”")):]
			switch {
			case word != "" && strings.Trim(word, "-–—>#") != "":
				list = append(list, token{
					word: word, begins: begins, clause: clause,
					colon: strings.Contains(end, ":"), ends: strings.ContainsAny(end, ".!?:;,"),
				})
				begins, clause = strings.ContainsAny(end, ".!?:;"), strings.Contains(end, ",")
			case strings.ContainsAny(field, "–—"):
				clause = true
			}
		}
	}
	return list
}

// withoutCode puts coded in the place of code and of short quotations.
func withoutCode(text string) string {
	if !strings.ContainsAny(text, "`\"“") {
		return text // Most texts have none, for which nothing is compiled.
	}
	return codeSpan().ReplaceAllStringFunc(text, func(span string) string {
		if utf8.RuneCountInString(span) == 1 { // It is never closed.
			return " "
		}
		return coded
	})
}

//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var codeSpan = words.Compiled("(?s:```.*?```)|`[^`\n]{0,80}`|\"[^\"\n]{0,80}\"|“[^”\n]{0,80}”|[`\"“]")

// A sentence is a part of a text as it is written, and whether it began a line.
type sentence struct {
	text    string
	newLine bool
}

// splitSentences parts a text at the ends of lines and behind the marks that end a
// sentence. A text with a block of code stays whole.
func splitSentences(text string) []sentence {
	if strings.Contains(text, "```") {
		return []sentence{{strings.TrimSpace(text), true}}
	}
	var list []sentence
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		for first := true; strings.TrimSpace(line) != ""; first = false {
			end := len(line)
			if at := sentenceEnd().FindStringIndex(line); at != nil {
				end = at[1]
			}
			said := strings.TrimRightFunc(line[:end], unicode.IsSpace)
			list = append(list, sentence{said, first && len(list) > 0})
			line = strings.TrimLeftFunc(line[end:], unicode.IsSpace)
		}
	}
	return list
}

// sentenceEnd finds the marks that end a sentence, before a blank.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var sentenceEnd = words.Compiled("[^.!?\\s][.!?][\"')”’`]*\\s|[。！？]")
