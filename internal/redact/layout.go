package redact

import "strings"

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

// match returns where a text of this layout ends that begins at text[at].
func (l layout) match(text string, at int) (int, bool) {
	for i := 0; i < len(l); {
		if l[i] == 'U' {
			end, ok := uuidLayout.match(text, at)
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
