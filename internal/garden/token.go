package garden

import (
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/words"
)

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
	return codeSpan().ReplaceAllStringFunc(text, func(span string) string {
		if utf8.RuneCountInString(span) == 1 { // It is never closed.
			return " "
		}
		return coded
	})
}

//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var codeSpan = words.Compiled("(?s:```.*?```)|`[^`\n]{0,80}`|\"[^\"\n]{0,80}\"|“[^”\n]{0,80}”|[`\"“]")
