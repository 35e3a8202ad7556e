package redact

import "strings"

// minPairs is the least number of pairs of digits that are taken as a dump.
const minPairs = 12

// spaced returns what pairs or fours of hexadecimal digits with blanks, colons or commas
// between them stand for, as in a dump of bytes. It continues at next.
func spaced(text string, at int) (f form, next int) {
	var bytes []byte
	start, end := at, at
	for {
		pair := end
		if len(bytes) > 0 {
			pair = run(text, end, min(len(text), end+3), isPairGap)
			if pair == end {
				break
			}
		}
		if strings.HasPrefix(text[pair:], "0x") || strings.HasPrefix(text[pair:], `\x`) {
			pair += 2
		}
		digits := run(text, pair, min(len(text), pair+5), isHex) - pair
		if digits != 2 && digits != 4 || isAlnum(byteAt(text, pair+digits)) {
			break
		}
		for i := pair; i < pair+digits; i += 2 {
			bytes = append(bytes, nibble(text[i])<<4|nibble(text[i+1]))
		}
		end = pair + digits
	}
	if len(bytes) < minPairs || !readable(bytes) {
		return form{}, max(end, at+1)
	}
	return form{text: string(bytes), whole: span{start, end}, nested: true}, end
}

func isPairGap(c byte) bool { return isSpace(c) || c == ':' || c == ',' }

func nibble(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return fold(c) - 'a' + 10
}
