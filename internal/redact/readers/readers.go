// Package readers reads what layouts other than "name = value" give to names.
//
// A reader knows one layout: the cells of a table, the tuples of a statement,
// the elements of a document, the lines of a block, the answer to a question.
// It says which name stands for a value, and judges neither. Each reads a text
// once, from its beginning on, in time that grows with the text.
package readers

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// An Event says that a value is given to a name. Above is the name of what both belong to: a section, a row,
// an element. It may be empty.
type Event struct {
	Above, Name, Value lex.Span
	Quoted             bool // The value stands in quotes.
}

// Events gives what the readers find in text.
func Events(text string, give func(Event)) {
	if strings.IndexByte(text, '\n') >= 0 {
		readBlocks(text, give)
		readAnswers(text, give)
		Tables(text, give)
	}
	if strings.IndexByte(text, '<') >= 0 {
		readElements(text, give)
	}
	if strings.IndexByte(text, '(') >= 0 && lex.IndexFold(text, "insert into ") >= 0 {
		readInserts(text, give)
	}
}

// Bounds of what is read.
const (
	maxName  = 64
	minValue = 6
	maxValue = 2048
)

// lineAt returns the line that begins at text[at], without its end.
func lineAt(text string, at int) lex.Span {
	at = min(at, len(text))
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		return lex.Between(at, at+end)
	}
	return lex.Between(at, len(text))
}

// trimSet takes bytes of a set off both ends.
func trimSet(text string, s lex.Span, set string) lex.Span {
	for s.Start < s.End && isIn(set, text[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && isIn(set, text[s.End-1]) {
		s.End--
	}
	return s
}

// isIn says whether c is one of a few bytes, which costs less to see here than to call strings.IndexByte.
func isIn(set string, c byte) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}

const (
	blanks = " \t\r"
	quotes = "\"'`"
)

// bareValue returns s without blanks and the quotes around it, and whether there were quotes.
func bareValue(text string, s lex.Span) (lex.Span, bool) {
	s = trimSet(text, s, blanks)
	if s.End-s.Start >= 2 && strings.IndexByte(quotes, text[s.Start]) >= 0 && text[s.End-1] == text[s.Start] {
		return lex.Between(s.Start+1, s.End-1), true
	}
	return s, false
}

// isCandidate says whether a value can be a secret: one word that is more than letters of one case.
func isCandidate(value string) bool {
	if len(value) < minValue || len(value) > maxValue {
		return false
	}
	if lex.Run(value, 0, len(value), inCandidate) < len(value) {
		return false
	}
	n := lex.ClassesOf(value)
	return (n.Digit > 0 && n.Lower+n.Upper > 0 || n.Digit >= 12 || n.Lower > 2 && n.Upper > 1 ||
		n.Other > 1 && lex.Run(value, 0, len(value), lex.IsDotted) == len(value))
}

func inCandidate(c byte) bool { return c > ' ' && c < 0x7f && c != '"' && c != '|' && c != '<' }

// isName says whether s can be the name of something: a few words of letters.
func isName(s string) bool {
	if s == "" || len(s) > maxName || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return strings.Count(s, " ") <= 3 &&
		strings.IndexFunc(s, func(r rune) bool { return !isNaming(r) && r != ' ' }) < 0
}

func isNaming(r rune) bool {
	return r == '_' || r == '-' || r == '.' || 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' ||
		r >= 0x80
}
