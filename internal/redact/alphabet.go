package redact

// Classes of bytes that tokens and paths are made of.

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLower(c byte) bool    { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool    { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool   { return isLower(fold(c)) }
func isAlnum(c byte) bool    { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool     { return isAlnum(c) || c == '_' }
func isURLSafe(c byte) bool  { return isWord(c) || c == '-' }
func isDotted(c byte) bool   { return isURLSafe(c) || c == '.' }
func isBase64(c byte) bool   { return isURLSafe(c) || c == '+' || c == '/' || c == '=' }
func isUpperNum(c byte) bool { return isUpper(c) || isDigit(c) }
func isLowerNum(c byte) bool { return isLower(c) || isDigit(c) }
func isBase32(c byte) bool   { return isUpper(c) || '2' <= c && c <= '7' }
func isBase58(c byte) bool   { return isAlnum(c) && c != '0' && c != 'O' && c != 'I' && c != 'l' }
func isHex(c byte) bool      { return isDigit(c) || ('a' <= fold(c) && fold(c) <= 'f') }
func isBlank(c byte) bool    { return c == ' ' || c == '\t' }
func isSpace(c byte) bool    { return isBlank(c) || c == '\n' || c == '\r' }
func isBeyond(c byte) bool   { return c >= 0x80 }

// run returns the end of the bytes of class in that begin at text[from], at
// most limit.
func run(text string, from, limit int, in func(byte) bool) int {
	for from < limit && in(text[from]) {
		from++
	}
	return from
}

// back returns the beginning of the bytes of class in that end at text[to],
// at least limit.
func back(text string, to, limit int, in func(byte) bool) int {
	for to > limit && in(text[to-1]) {
		to--
	}
	return to
}

// byteBefore returns the byte in front of text[at], or 0 at the beginning.
func byteBefore(text string, at int) byte {
	if at == 0 {
		return 0
	}
	return text[at-1]
}

// byteAt returns text[at], or 0 at the end.
func byteAt(text string, at int) byte {
	if at >= len(text) {
		return 0
	}
	return text[at]
}

// classes counts what a value is made of.
type classes struct{ lower, upper, digit, other int }

func classesOf(s string) classes {
	var n classes
	for i := range len(s) {
		switch c := s[i]; {
		case isLower(c):
			n.lower++
		case isUpper(c):
			n.upper++
		case isDigit(c):
			n.digit++
		default:
			n.other++
		}
	}
	return n
}
