package redact

import (
	"strings"
)

// hardwareSize is the length of six bytes in hexadecimal with a sign between.
const hardwareSize = 17

// findHardware finds six bytes a few words after the word that names them.
func findHardware(text string, keyword span) (span, bool) {
	const reach = 32
	if isLetter(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	limit := min(len(text)-hardwareSize, keyword.end+reach)
	for at := keyword.end; at <= limit; at++ {
		sign := text[at+2]
		if sign != ':' && sign != '-' || isWord(text[at-1]) || text[at-1] == sign {
			continue
		}
		found := span{at, at + hardwareSize}
		if isHardware(found.of(text), sign) && !isWord(byteAt(text, found.end)) && byteAt(text, found.end) != sign {
			return found, true
		}
	}
	return span{}, false
}

// isHardware says whether address is six bytes with sign between, and none
// that documents use or software makes up.
func isHardware(address string, sign byte) bool {
	for i := range len(address) {
		if c := address[i]; i%3 == 2 && c != sign || i%3 != 2 && !isHex(c) {
			return false
		}
	}
	bare := strings.ToLower(strings.ReplaceAll(address, string(sign), ""))
	return !madeHardware.begins(bare)
}
