// Package lex cuts texts into spans, and says of what classes of bytes they are.
//
// Whatever it reads has a limit that the caller gives. It judges nothing.
package lex

import (
	"strings"
	"unicode/utf8"
)

// IsReadable says whether nearly all of b is printable ASCII or longer UTF-8.
func IsReadable(b []byte) bool {
	odd := 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if (r < ' ' && r != '\n' && r != '\r' && r != '\t') || r == 0x7f ||
			(r == utf8.RuneError && size == 1) {
			odd++
		}
		i += size
	}
	return odd*32 <= len(b)
}

func IsUpperHex(c byte) bool { return IsDigit(c) || 'A' <= c && c <= 'F' }

// Folded has the lower case of each byte.
const Folded = "" +
	"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" +
	"\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f" +
	"\x40\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7a\x5b\x5c\x5d\x5e\x5f" +
	"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7a\x7b\x7c\x7d\x7e\x7f" +
	"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f" +
	"\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf" +
	"\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf" +
	"\xe0\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xee\xef\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff"

func IsQuoteOrBlank(c byte) bool { return IsBlank(c) || c == '"' || c == '\'' || c == '`' || c == '\\' }

// Fold returns the lower case of an ASCII letter and other bytes unchanged.
func Fold(c byte) byte { return Folded[c] }

// HasFold says whether text begins with keyword, which is in lower case.
func HasFold(text, keyword string) bool {
	if len(text) < len(keyword) {
		return false
	}
	for i := range len(keyword) {
		if Fold(text[i]) != keyword[i] {
			return false
		}
	}
	return true
}

// IndexFold returns where keyword, which is in lower case, first stands in text, or -1.
func IndexFold(text, keyword string) int {
	for i := 0; i+len(keyword) <= len(text); i++ {
		if Folded[text[i]] == keyword[0] && HasFold(text[i:], keyword) {
			return i
		}
	}
	return -1
}

// LettersAndDigits returns the letters and digits of a value that is written in groups.
func LettersAndDigits(value string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && IsAlnum(byte(r)) {
			return r
		}
		return -1
	}, value)
}

// A span is a range of bytes.
type Span struct{ Start, End int }

func (s Span) Of(text string) string { return text[s.Start:s.End] }

// classOf are what the letters of a layout stand for.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var classOf = [...]func(byte) bool{
	'a': IsAlnum, 'b': IsBase64, 'c': IsBase58, 'd': IsDigit, 'k': IsBase32, 'l': isLowerNum, 'p': IsDotted,
	's': isSecretKey, 'u': IsUpperNum, 'v': IsWord, 'w': IsURLSafe, 'x': IsHex, 0xff: nil,
}

// ClassOf returns what a letter of a layout stands for, or nil for a sign.
func ClassOf(letter byte) func(byte) bool { return classOf[letter] }

func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

func IsLower(c byte) bool { return 'a' <= c && c <= 'z' }

func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func IsLetter(c byte) bool { return IsLower(Fold(c)) }

func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

func IsWord(c byte) bool { return IsAlnum(c) || c == '_' }

func IsURLSafe(c byte) bool { return IsWord(c) || c == '-' }

func IsDotted(c byte) bool { return IsURLSafe(c) || c == '.' }

func IsBase64(c byte) bool { return IsURLSafe(c) || c == '+' || c == '/' || c == '=' }

func IsUpperNum(c byte) bool { return IsUpper(c) || IsDigit(c) }

func isLowerNum(c byte) bool { return IsLower(c) || IsDigit(c) }

func IsBase32(c byte) bool { return IsUpper(c) || '2' <= c && c <= '7' }

func IsBase58(c byte) bool { return IsAlnum(c) && c != '0' && c != 'O' && c != 'I' && c != 'l' }

func isSecretKey(c byte) bool { return IsAlnum(c) || c == '+' || c == '/' }

func IsHex(c byte) bool { return IsDigit(c) || ('a' <= Fold(c) && Fold(c) <= 'f') }

func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

func IsSpace(c byte) bool { return IsBlank(c) || c == '\n' || c == '\r' }

func IsBeyond(c byte) bool { return c >= 0x80 }

// Run returns the end of the bytes of class in that begin at text[from], at
// most limit.
func Run(text string, from, limit int, in func(byte) bool) int {
	for from < limit && in(text[from]) {
		from++
	}
	return from
}

// Back returns the beginning of the bytes of class in that end at text[to],
// at least limit.
func Back(text string, to, limit int, in func(byte) bool) int {
	for to > limit && in(text[to-1]) {
		to--
	}
	return to
}

// ByteBefore returns the byte in front of text[at], or 0 at the beginning.
func ByteBefore(text string, at int) byte {
	if at == 0 {
		return 0
	}
	return text[at-1]
}

// ByteAt returns text[at], or 0 at the end.
func ByteAt(text string, at int) byte {
	if at >= len(text) {
		return 0
	}
	return text[at]
}

// classes counts what a value is made of.
type classes struct{ Lower, Upper, Digit, Other int }

func ClassesOf(s string) classes {
	var n classes
	for i := range len(s) {
		switch c := s[i]; {
		case IsLower(c):
			n.Lower++
		case IsUpper(c):
			n.Upper++
		case IsDigit(c):
			n.Digit++
		default:
			n.Other++
		}
	}
	return n
}

// ClassNamed returns the class of a letter of a layout and the signs behind it, or with "!" in front every
// other byte.
func ClassNamed(name string) func(byte) bool {
	if rest, ok := strings.CutPrefix(name, "!"); ok {
		in := ClassNamed(rest)
		return func(c byte) bool { return !in(c) }
	}
	class, signs := ClassOf(name[0]), name[1:]
	switch {
	case class == nil:
		return func(c byte) bool { return strings.IndexByte(name, c) >= 0 }
	case signs == "":
		return class
	default:
		return func(c byte) bool { return class(c) || strings.IndexByte(signs, c) >= 0 }
	}
}

func IsASCII(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func IsToken(c byte) bool {
	return IsBase64(c) || c == '.' || c == '~' || c == ':' || c == '%' || c == '|'
}

func HasDigit(s string) bool {
	return Run(s, 0, len(s), func(c byte) bool { return !IsDigit(c) }) < len(s)
}

// HasLetter says whether value has a letter.
func HasLetter(value string) bool {
	return Run(value, 0, len(value), func(c byte) bool { return !IsLetter(c) }) < len(value)
}

// IsNaming says whether c may stand in the name of something.
func IsNaming(c byte) bool { return IsAlnum(c) || isJoiner(c) }

func isJoiner(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '[' || c == ']' || c == '+'
}

// FewDistinct is how many different characters a value may have and still be
// taken for a filler such as "xxxx-xxxx".
const FewDistinct = 3

// CountDistinct counts the different bytes of value, letters without case, up to
// one more than fewDistinct.
func CountDistinct(value string) int {
	var seen [256]bool
	n := 0
	for i := 0; i < len(value) && n <= FewDistinct; i++ {
		if c := Fold(value[i]); !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

func HexValue(c byte) byte {
	if IsDigit(c) {
		return c - '0'
	}
	return Fold(c) - 'a' + 10
}

// Between returns the span from one byte to another.
func Between(start, end int) Span { return Span{start, end} }
