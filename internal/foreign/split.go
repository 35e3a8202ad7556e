package foreign

import (
	"strings"
	"unicode/utf8"
)

// A room is how much text a record has place for.
type room struct {
	runes int
	bytes int // as they are encoded in JSON
}

func (r room) fits(s string) bool {
	return utf8.RuneCountInString(s) <= r.runes && encodedLen(s) <= r.bytes
}

// encodedLen returns how many bytes the text takes in a record, without its
// quotation marks.
func encodedLen(s string) int {
	n := len(s)
	for i := range len(s) {
		switch s[i] {
		case '"', '\\', '\n', '\t':
			n++
		}
	}
	return n
}

// split returns text in parts, of which the first has one room and each other
// one another. It parts at paragraphs, else at lines, else at blanks, and
// within a word only where that word is too long. No character but blank space
// between parts is lost.
func split(text string, first, others room) []string {
	var parts []string
	for text != "" {
		r := others
		if parts == nil {
			r = first
		}
		part := text
		if !r.fits(text) {
			part = text[:cutAt(text, r)]
		}
		text = strings.TrimLeft(text[len(part):], " \t\n")
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// cutAt returns where to part a text that does not fit.
func cutAt(text string, r room) int {
	most := reach(text, r)
	for _, mark := range []string{"\n\n", "\n", ". ", " "} {
		// A part of some size is worth more than a better place.
		if i := strings.LastIndex(text[:most], mark); i > most/4 {
			return i + len(mark)
		}
	}
	return most
}

// reach returns how many bytes of the text fit, in whole characters and at
// least one.
func reach(text string, r room) int {
	runes, size := 0, 0
	for i, c := range text {
		runes++
		size += encodedLen(string(c))
		if i > 0 && (runes > r.runes || size > r.bytes) {
			return i
		}
	}
	return len(text)
}
