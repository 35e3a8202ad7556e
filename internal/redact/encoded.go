package redact

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Bounds of what is decoded from one text.
const (
	minEncoded = 24
	maxEncoded = maxChunk + overlap
	maxStarts  = 8 // places inside a segment at which the encoding may begin
)

// encoded returns what the segments of base64 and hexadecimal digits in text
// decode to, where that is readable. A finding stands for its whole segment.
func encoded(text string) []form {
	var all []form
	for i := 0; i < len(text); {
		s := span{i, run(text, i, len(text), isEncoded)}
		if n := s.end - s.start; n == 2 || n == 4 {
			if f, next := spaced(text, i); next > s.end {
				if f.text != "" {
					all = append(all, f)
				}
				i = next
				continue
			}
		}
		i = s.end + 1
		if s.end-s.start < minEncoded {
			continue
		}
		plain, ok := decodeInside(text[s.start:min(s.end, s.start+maxEncoded)])
		if !ok {
			continue
		}
		s.end = run(text, s.end, min(len(text), s.end+2), func(c byte) bool { return c == '=' })
		all = append(all, form{text: plain, whole: s, nested: true})
	}
	return all
}

func isEncoded(c byte) bool { return isBase64(c) && c != '=' }

// decodeInside decodes a segment from its beginning, or from behind one of the
// signs that are digits of base64 and also part words, or behind 0x.
func decodeInside(s string) (string, bool) {
	starts := []int{0}
	for i := 0; i+1 < len(s) && len(starts) < maxStarts; i++ {
		if strings.IndexByte("-_/+", s[i]) >= 0 || s[i] == 'x' && i > 0 && s[i-1] == '0' {
			starts = append(starts, i+1)
		}
	}
	for _, from := range starts {
		if len(s)-from < minEncoded {
			break
		}
		if plain, ok := decodeSegment(s[from:]); ok {
			return plain, true
		}
	}
	return "", false
}

// decodeSegment decodes base64 of any dialect, or hexadecimal digits, to
// readable text.
func decodeSegment(s string) (string, bool) {
	if run(s, 0, len(s), isHex) == len(s) {
		plain, err := hex.DecodeString(s[:len(s)&^1])
		return narrow(plain), err == nil && readable([]byte(narrow(plain)))
	}
	if len(s) >= 2*minEncoded/3 && run(s, 0, len(s), isBase32) == len(s) {
		plain, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s[:len(s)&^7])
		if err == nil && readable(plain) {
			return string(plain), true
		}
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
	if err != nil || !readable([]byte(narrow(head))) {
		return "", false
	}
	plain, err := encoding.DecodeString(s)
	return narrow(plain), err == nil && readable([]byte(narrow(plain)))
}

// narrow returns text of two bytes a character as text of one, where each second
// byte is zero.
func narrow(wide []byte) string {
	if len(wide) < 4 || wide[1] != 0 || wide[3] != 0 {
		return string(wide)
	}
	narrowed := make([]byte, 0, len(wide)/2)
	for i := 0; i < len(wide); i += 2 {
		if i+1 < len(wide) && wide[i+1] != 0 {
			return string(wide)
		}
		narrowed = append(narrowed, wide[i])
	}
	return string(narrowed)
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
