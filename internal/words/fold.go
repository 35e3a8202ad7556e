package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latin is the plain letters for U+00C0 to U+024F, one for each; a space stands where the letter
// has no plain one, or two.
const latin = "aaaaaa ceeeeiiii nooooo ouuuuy  aaaaaa ceeeeiiii nooooo ouuuuy " +
	"yaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkk" +
	" llllll  llnnnnnn   oooooo  rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz                              " +
	"   oo             u" +
	"u                            aaiioouuuuuuuuuu aaaa    ggkkoooo  j   gg  nnaa    " +
	"aaaaeeeeiiiioooorrrruuuusstt  hh      aaeeooooooooyy                            "

// Fold returns a text in lower case and without diacritics, as far as that is one letter for another.
func Fold(text string) string {
	if !strings.ContainsFunc(text, func(c rune) bool { return c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' }) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case c >= 0xC0 && int(c) < 0xC0+len(latin) && latin[c-0xC0] != ' ':
			b.WriteByte(latin[c-0xC0])
		case c == 'ß':
			b.WriteString("ss")
		case unicode.Is(unicode.Mn, c): // A diacritic that stands for itself.
		default:
			b.WriteRune(unicode.ToLower(c))
		}
	}
	return b.String()
}

// class is what a character is to a word.
type class int

const (
	classNone  class = iota // classNone stands between words.
	classLower              // classLower is any letter that is not a capital.
	classUpper
	classDigit
	classJoin  // classJoin stands within names and paths.
	classIdeal // classIdeal is a character of a script that is written without spaces.
)

// classOf says what a character is.
func classOf(c rune) class {
	switch {
	case c >= 'a' && c <= 'z':
		return classLower
	case c >= 'A' && c <= 'Z':
		return classUpper
	case c >= '0' && c <= '9':
		return classDigit
	case c < utf8.RuneSelf:
		switch c {
		case '_', '-', '.', '/', '\\', ':', '@', '#', '+', '\'':
			return classJoin
		default:
			return classNone
		}
	case c == utf8.RuneError:
		return classNone
	case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return classIdeal
	case unicode.IsUpper(c):
		return classUpper
	case unicode.IsLetter(c), unicode.Is(unicode.Mn, c), unicode.Is(unicode.Mc, c):
		return classLower
	case unicode.IsDigit(c):
		return classDigit
	case c == '’':
		return classJoin
	default:
		return classNone
	}
}
