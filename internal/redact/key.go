package redact

import (
	"strings"
)

// maxPuTTY bounds what is read of a key file of PuTTY.
const maxPuTTY = 16 << 10

// findPuTTY takes the file from its first line to the line of its MAC.
func findPuTTY(text string, keyword span) (span, bool) {
	if !isDigit(byteAt(text, keyword.end)) {
		return span{}, false
	}
	file := text[keyword.start:min(len(text), keyword.start+maxPuTTY)]
	if !strings.Contains(file, "Private-Lines:") {
		return span{}, false
	}
	for _, closing := range [...]string{"Private-MAC:", "Private-Hash:"} {
		if at := strings.Index(file, closing); at >= 0 {
			end := run(text, keyword.start+at+len(closing), len(text), isBlank)
			return span{keyword.start, run(text, end, len(text), isHex)}, true
		}
	}
	return span{keyword.start, keyword.start + len(file)}, true
}

// findKeyBody takes lines of base64 that begin as a private key does.
func findKeyBody(text string, keyword span) (span, bool) {
	start, ok := keyBodyStart(text, keyword)
	if !ok {
		return span{}, false
	}
	end := run(text, keyword.end, min(len(text), keyword.end+judged), isBase64)
	if end-start < 40 || placeholder(text[keyword.end:end]) {
		return span{}, false
	}
	return span{start, base64Lines(text, run(text, end, len(text), isBase64))}, true
}

// keyBodyStart says where the base64 begins that keyword is a part of, and
// whether its case and structure are those of a private key.
func keyBodyStart(text string, keyword span) (int, bool) {
	word := keyword.of(text)
	switch {
	case len(word) <= 8 && word[0] == 'M':
		return keyword.start, derBase64(text, keyword.start)
	case word == "KwYBBAHaRw8BAQdA": // An ECC key of OpenPGP begins 12 letters before.
		start := keyword.start - 12
		return start, start >= 0 && (text[start] == 'l' || text[start] == 'x' && text[start+1] == 'V') && !isBase64(byteBefore(text, start))
	case strings.HasPrefix(word, "lQ"):
		return keyword.start, !isBase64(byteBefore(text, keyword.start)) && run(text, keyword.start, min(len(text), keyword.start+100), isBase64)-keyword.start >= 60
	}
	return keyword.start, keyBodies.has(word)
}

// base64Lines returns the end of the lines of base64 that follow text[end].
func base64Lines(text string, end int) int {
	for {
		next := run(text, end, min(len(text), end+8), isSpace)
		if next == end || !strings.ContainsAny(text[end:next], "\r\n") {
			return end
		}
		after := run(text, next, len(text), isBase64)
		long := after-next >= 40
		last := after-next >= 4 && (after == len(text) || isSpace(text[after])) && strings.HasSuffix(text[next:after], "=")
		if !long && !last {
			return end
		}
		end = after
	}
}

func findPublicKey(text string, keyword span) (span, bool) {
	begin := run(text, keyword.end, min(len(text), keyword.end+8), isDigit)
	begin = run(text, begin, min(len(text), begin+8), isBlank)
	if !strings.HasPrefix(text[begin:], "AAAA") {
		return span{}, false
	}
	end := run(text, begin, len(text), isBase64)
	return span{keyword.start, end}, end-begin >= 24
}
