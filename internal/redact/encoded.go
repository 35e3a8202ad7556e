package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Bounds of what is decoded from one text.
const (
	minEncoded  = 24
	maxSegments = 64
	maxDecoded  = 32 << 10
)

// encoded returns what the segments of base64 and hexadecimal digits in text
// decode to, where that is readable. A finding stands for its whole segment.
func encoded(text string) []form {
	var all []form
	total := 0
	for i := 0; i < len(text) && len(all) < maxSegments && total < maxDecoded; {
		s := span{i, run(text, i, len(text), isEncoded)}
		i = s.end + 1
		if s.end-s.start < minEncoded {
			continue
		}
		plain, ok := decodeSegment(text[s.start:min(s.end, s.start+maxDecoded)])
		if !ok {
			continue
		}
		s.end = run(text, s.end, min(len(text), s.end+2), func(c byte) bool { return c == '=' })
		all = append(all, form{text: plain, whole: s, derived: true})
		total += len(plain)
	}
	return all
}

func isEncoded(c byte) bool { return isBase64(c) && c != '=' }

// decodeSegment decodes base64 of any dialect, or hexadecimal digits, to
// readable text.
func decodeSegment(s string) (string, bool) {
	if run(s, 0, len(s), isHex) == len(s) {
		plain, err := hex.DecodeString(s[:len(s)&^1])
		return string(plain), err == nil && readable(plain)
	}
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(s)%4 == 1 { // No byte ends there: a letter too many.
		s = s[:len(s)-1]
	}
	// The beginning decides for most words, which are no base64.
	head, err := encoding.DecodeString(s[:minEncoded/8*4])
	if err != nil || !readable(head) {
		return "", false
	}
	plain, err := encoding.DecodeString(s)
	return string(plain), err == nil && readable(plain)
}

// readable says whether nearly all of b is printable ASCII or longer UTF-8.
func readable(b []byte) bool {
	odd := 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if (r < ' ' && r != '\n' && r != '\r' && r != '\t') || r == 0x7f || (r == utf8.RuneError && size == 1) {
			odd++
		}
		i += size
	}
	return odd*32 <= len(b)
}
