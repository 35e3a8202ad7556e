package redact

import (
	"strings"
)

// A dialled is a number as it is written, with signs between its groups.
type dialled struct {
	span
	digits string
	groups int
}

// dial reads a number of at most 15 digits at text[at].
func dial(text string, at int) dialled {
	const most, longest = 15, 32
	d := dialled{span: span{at, at}, groups: 1}
	var digits [most]byte
	n, gap := 0, 0
	for i := at; i < min(len(text), at+longest); i++ {
		switch c := text[i]; {
		case isDigit(c):
			if n == most {
				return dialled{}
			}
			if gap > 0 && n > 0 {
				d.groups++
			}
			digits[n], gap, d.end = c, 0, i+1
			n++
		case gap < 2 && strings.IndexByte(" -.()/", c) >= 0, gap == 2 && strings.IndexByte("()", c) >= 0:
			gap++
		default:
			i = len(text)
		}
	}
	d.digits = string(digits[:n])
	return d
}

// isOpen says whether the number is cut from something longer, or stands for
// any number.
func (d dialled) isOpen(text string) bool {
	after := byteAt(text, d.end)
	more := (after == '.' || after == ',' || after == ':' || after == '-') && isDigit(byteAt(text, d.end+1))
	if isWord(after) || after == '%' || more {
		return true
	}
	return fillerNumbers.within(d.digits)
}

// findInternational finds a number with the code of its country.
func findInternational(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isWord(before) || before == '+' || before == '.' || before == ')' || before == ']' || isBeyond(before) && before != 0xA0 {
		return span{}, false
	}
	d := dial(text, keyword.start+1)
	if len(d.digits) < 9 || d.isOpen(text) || !isCountry(d.digits) {
		return span{}, false
	}
	return span{keyword.start, d.end}, d.groups > 1 || len(d.digits) > 9
}

// isCountry says whether digits begin with the code of a country and are as
// many as it has, as far as that is the same for all of its numbers.
func isCountry(digits string) bool {
	switch {
	case digits[0] == '1':
		return len(digits) == 11 && isAmerican(digits[1:])
	case digits[0] == '7':
		return len(digits) == 11 && strings.IndexByte("34689", digits[1]) >= 0
	case strings.HasPrefix(digits, "33"), strings.HasPrefix(digits, "34"), strings.HasPrefix(digits, "41"):
		return len(digits) == 11
	case strings.HasPrefix(digits, "86"), strings.HasPrefix(digits, "55"):
		return len(digits) >= 12 && len(digits) <= 13
	case strings.HasPrefix(digits, "83"), strings.HasPrefix(digits, "89"), strings.HasPrefix(digits, "28"):
		return false // Nobody has these.
	default:
		return len(digits) <= 14
	}
}

// isAmerican says whether ten digits are a number of North America.
func isAmerican(digits string) bool {
	return len(digits) == 10 && digits[0] >= '2' && digits[3] >= '2' && digits[1:3] != "11" && digits[4:6] != "11"
}

// findNational finds a number without the code of its country close behind a
// word for telephone.
func findNational(text string, keyword span) (span, bool) {
	const reach = 16
	if isLetter(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	at := keyword.end
	for _, more := range [...]string{"efon", "efono", "éfono", "ephone", "s", " number", " no", " nr", "number"} {
		if hasFold(text[at:], more) && !isLetter(byteAt(text, at+len(more))) {
			at += len(more)
			break
		}
	}
	if isLetter(byteAt(text, at)) {
		return span{}, false
	}
	at = run(text, at, min(len(text), at+reach), func(c byte) bool { return isBlank(c) || strings.IndexByte(".:=\"'#", c) >= 0 })
	if c := byteAt(text, at); !isDigit(c) && c != '(' {
		return span{}, false
	}
	d := dial(text, at)
	if d.isOpen(text) || d.groups < 2 {
		return span{}, false
	}
	trunk := len(d.digits) >= 9 && len(d.digits) <= 12 && d.digits[0] == '0'
	return d.span, trunk || len(d.digits) == 10 && isAmerican(d.digits) || len(d.digits) == 11 && d.digits[0] == '1' && isAmerican(d.digits[1:])
}
