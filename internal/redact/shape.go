package redact

import (
	"slices"
	"strings"
)

// judged is how much of a long token is looked at to decide what it is.
const judged = 200

// A shape describes tokens that have a prefix of their own.
type shape struct {
	prefixes []string // required, in their exact case
	body     func(byte) bool
	min      int    // The least length of the body.
	layout   layout // In place of body and min, for a body of several parts.
	lead     int    // How many bytes of the body stand in front of the prefix.
	exact    bool   // The body has min bytes and no more.
	alone    bool   // No letter or digit stands in front, or with mixed no other digit of base64.
	digit    bool   // The body has a digit.
	mixed    bool   // The body is jumbled.
	part     byte   // The body has this byte inside.
}

func (s *shape) findShape(text string, keyword span) (span, bool) {
	if !s.beginsToken(text, keyword) {
		return span{}, false
	}
	start, ok := s.tokenStart(text, keyword)
	if !ok {
		return span{}, false
	}
	limit := min(len(text), keyword.end+judged)
	end, ok := s.tokenEnd(text, keyword.end, limit)
	if !ok || !s.isPlausible(text[start:keyword.start], text[keyword.end:end]) {
		return span{}, false
	}
	if end == limit && s.layout == "" {
		end += len(strings.TrimRight(text[end:run(text, end, len(text), s.body)], "."))
	}
	return span{start, end}, true
}

// beginsToken says whether the keyword is a prefix in its exact case and may
// begin a token where it stands.
func (s *shape) beginsToken(text string, keyword span) bool {
	before := byteBefore(text, keyword.start)
	if s.alone && (isAlnum(before) || s.mixed && before != '=' && isBase64(before)) {
		return false
	}
	// A run of capitals and digits that merely holds the prefix is no token.
	if s.exact && s.lead == 0 && s.body(before) && !s.alone {
		return false
	}
	return slices.ContainsFunc(s.prefixes, func(prefix string) bool { return keyword.of(text) == prefix })
}

// tokenStart returns where the token begins.
func (s *shape) tokenStart(text string, keyword span) (int, bool) {
	if s.lead == 0 {
		return keyword.start, true
	}
	start := back(text, keyword.start, max(0, keyword.start-s.lead-1), s.body)
	return start, keyword.start-start == s.lead
}

// tokenEnd returns where the token ends that has its body at text[at].
func (s *shape) tokenEnd(text string, at, limit int) (int, bool) {
	if s.layout != "" {
		end, ok := s.layout.matchAt(text, at)
		return at + len(strings.TrimRight(text[at:max(at, end)], ".")), ok
	}
	end := run(text, at, limit, s.body)
	if end < limit || limit == len(text) {
		end = at + len(strings.TrimRight(text[at:end], "."))
	}
	return end, end-at >= s.min && (!s.exact || end-at == s.min)
}

// isPlausible judges the parts of a token that are not its prefix.
func (s *shape) isPlausible(lead, body string) bool {
	if s.lead > 0 {
		body = lead + body
	}
	switch {
	case s.digit && classesOf(body).digit == 0, s.mixed && !isJumbled(body):
		return false
	case s.part != 0 && strings.IndexByte(body, s.part) < 0:
		return false
	}
	return (hasDigit(body) || !isIdentifier(body)) && !isPlaceholder(body)
}

// isJumbled says whether a body looks made by chance: with letters of both
// cases and digits, or with many digits and letters past f.
func isJumbled(body string) bool {
	const many = 4
	n := classesOf(body)
	switch {
	case n.digit == 0 || isIdentifier(body):
		return false
	case n.upper > 0 && n.lower > 0:
		return true
	default:
		return n.digit >= many && n.upper+n.lower >= many && run(body, 0, len(body), isHex) < len(body)
	}
}

// A layout describes a text of several parts. A letter stands for a class of
// bytes and the number behind it for how many of them there are: "x8" is eight
// hexadecimal digits, "x8,12" eight to twelve, and "x8+" eight or more. A part
// takes as many bytes as it may, and no byte of its class may follow it. Signs
// stand for themselves, and U for the five groups of a UUID.
type layout string

// maxPart bounds a part without an end of its own.
const maxPart = 256

const uuidLayout layout = "x8-x4-x4-x4-x12"

// classOf returns what a letter of a layout stands for, or nil for a sign.
func classOf(letter byte) func(byte) bool {
	switch letter {
	case 'a':
		return isAlnum
	case 'b':
		return isBase64
	case 'c':
		return isBase58
	case 'd':
		return isDigit
	case 'k':
		return isBase32
	case 'l':
		return isLowerNum
	case 'p':
		return isDotted
	case 's':
		return isSecretKey
	case 'u':
		return isUpperNum
	case 'v':
		return isWord
	case 'w':
		return isURLSafe
	case 'x':
		return isHex
	default:
		return nil
	}
}

// matchAt returns where a text of this layout ends that begins at text[at].
func (l layout) matchAt(text string, at int) (int, bool) {
	for i := 0; i < len(l); {
		if l[i] == 'U' {
			end, ok := uuidLayout.matchAt(text, at)
			if !ok {
				return 0, false
			}
			at, i = end, i+1
			continue
		}
		class := classOf(l[i])
		if class == nil {
			if byteAt(text, at) != l[i] {
				return 0, false
			}
			at, i = at+1, i+1
			continue
		}
		least, most, next := l.count(i + 1)
		end := run(text, at, min(len(text), at+most+1), class)
		if most == maxPart && next == len(l) {
			end = run(text, end, len(text), class)
		} else if end-at > most {
			return 0, false
		}
		if end-at < least {
			return 0, false
		}
		at, i = end, next
	}
	return at, true
}

// count reads how many bytes a part has, and returns where the next begins.
func (l layout) count(at int) (least, most, next int) {
	least, at = l.number(at)
	switch {
	case strings.HasPrefix(string(l[at:]), "+"):
		return least, maxPart, at + 1
	case strings.HasPrefix(string(l[at:]), ","):
		most, at = l.number(at + 1)
		return least, most, at
	default:
		return least, least, at
	}
}

func (l layout) number(at int) (value, next int) {
	for at < len(l) && isDigit(l[at]) {
		value = value*10 + int(l[at]-'0')
		at++
	}
	return value, at
}

// Classes of bytes that tokens and paths are made of.

func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isLower(c byte) bool     { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool     { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool    { return isLower(fold(c)) }
func isAlnum(c byte) bool     { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool      { return isAlnum(c) || c == '_' }
func isURLSafe(c byte) bool   { return isWord(c) || c == '-' }
func isDotted(c byte) bool    { return isURLSafe(c) || c == '.' }
func isBase64(c byte) bool    { return isURLSafe(c) || c == '+' || c == '/' || c == '=' }
func isUpperNum(c byte) bool  { return isUpper(c) || isDigit(c) }
func isLowerNum(c byte) bool  { return isLower(c) || isDigit(c) }
func isBase32(c byte) bool    { return isUpper(c) || '2' <= c && c <= '7' }
func isBase58(c byte) bool    { return isAlnum(c) && c != '0' && c != 'O' && c != 'I' && c != 'l' }
func isSecretKey(c byte) bool { return isAlnum(c) || c == '+' || c == '/' }
func isHex(c byte) bool       { return isDigit(c) || ('a' <= fold(c) && fold(c) <= 'f') }
func isBlank(c byte) bool     { return c == ' ' || c == '\t' }
func isSpace(c byte) bool     { return isBlank(c) || c == '\n' || c == '\r' }
func isBeyond(c byte) bool    { return c >= 0x80 }

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

// minHash is the least length of the last part of a hash.
const minHash = 22

// findHash finds a hash that begins with the name of its kind.
func findHash(text string, keyword span) (span, bool) {
	if c := byteBefore(text, keyword.start); isWord(c) || c == '$' {
		return span{}, false
	}
	colons := strings.Contains(keyword.of(text), ":")
	end := run(text, keyword.end, min(len(text), keyword.end+2*judged), func(c byte) bool {
		return isHashPart(c) || colons && c == ':'
	})
	hash := strings.TrimRight(text[keyword.start:end], ".:,*")
	last := hash[min(len(hash), keyword.end-keyword.start):]
	if at := strings.LastIndexAny(last, "$:"); at >= 0 {
		last = last[at+1:]
	}
	n := classesOf(last)
	ok := len(last) >= minHash && n.lower+n.upper > 0 && n.digit > 0 && countDistinct(last) > fewDistinct &&
		!isIdentifier(last)
	return span{keyword.start, keyword.start + len(hash)}, ok
}

func isHashPart(c byte) bool { return isBase64(c) || c == '$' || c == '.' || c == ',' }
