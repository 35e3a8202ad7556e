package redact

import "strings"

// findSocial finds "ddd-dd-dddd" by the two digits in its middle.
func findSocial(text string, keyword span) (span, bool) {
	if byteBefore(text, keyword.start) != '-' || byteAt(text, keyword.end) != '-' {
		return span{}, false
	}
	found := span{keyword.start - 4, keyword.end + 5}
	if found.start < 0 || found.end > len(text) {
		return span{}, false
	}
	before, after := byteBefore(text, found.start), byteAt(text, found.end)
	if isWord(before) || isWord(after) || before == '-' || after == '-' || before == '.' || before == '/' {
		return span{}, false
	}
	area, serial := text[found.start:keyword.start-1], text[keyword.end+1:found.end]
	digits := run(area, 0, 3, isDigit) == 3 && run(serial, 0, 4, isDigit) == 4
	return found, digits && area != "000" && area != "666" && area[0] != '9' && serial != "0000" && !sampleSocials.has(strings.ReplaceAll(found.of(text), "-", ""))
}

// findCivil finds a number close behind the name of its register.
func findCivil(text string, keyword span) (span, bool) {
	const reach, fewest, most = 16, 7, 15
	if isWord(byteBefore(text, keyword.start)) || isWord(byteAt(text, keyword.end)) {
		return span{}, false
	}
	at := keyword.end
	for _, more := range [...]string{" number", " no", " nr", " n°", "s"} {
		if hasFold(text[at:], more) {
			at += len(more)
			break
		}
	}
	at = run(text, at, min(len(text), at+reach), func(c byte) bool { return isBlank(c) || strings.IndexByte(".:=\"'#", c) >= 0 })
	end, digits, signs := at, 0, 0
	for i := at; i < min(len(text), at+2*most); i++ {
		c := text[i]
		switch {
		case isDigit(c):
			digits++
			signs, end = 0, i+1
		case isUpper(c):
			signs, end = 0, i+1
		case signs == 0 && strings.IndexByte(" .-/", c) >= 0:
			signs++
		default:
			i = len(text)
		}
	}
	value := text[at:end]
	return span{at, end}, digits >= fewest && digits <= most && !isWord(byteAt(text, end)) &&
		!strings.Contains(value, "1234567") && !strings.Contains(value, "0000000") && !sampleSocials.has(strings.ReplaceAll(value, "-", ""))
}
