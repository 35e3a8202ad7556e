package redact

import "strings"

// minPairs is the least number of pairs of digits that are taken as a dump.
const minPairs = 12

// spaced returns what pairs of hexadecimal digits with blanks, colons or commas
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
		if pair+2 > len(text) || !isHex(text[pair]) || !isHex(text[pair+1]) || isAlnum(byteAt(text, pair+2)) {
			break
		}
		bytes = append(bytes, nibble(text[pair])<<4|nibble(text[pair+1]))
		end = pair + 2
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
