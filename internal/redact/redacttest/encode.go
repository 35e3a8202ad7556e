package redacttest

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf16"
)

// encodings are the marks that write their text in another form.
var encodings = map[string]func(string) string{
	"b64":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"b64raw": func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"b64url": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"b64b64": twice,
	"hexof":  func(s string) string { return hex.EncodeToString([]byte(s)) },
	"spaced": func(s string) string { return fmt.Sprintf("% x", s) },
	"pct":    func(s string) string { return eachByte(s, "%%%02X") },
	"qp":     func(s string) string { return eachByte(s, "=%02X") },
	"x":      func(s string) string { return eachByte(s, `\x%02x`) },
	"html":   entities,
	"u":      escapes,
	"wide":   wide,
}

// twice returns the base64 of the base64 of s.
func twice(s string) string {
	once := base64.StdEncoding.EncodeToString([]byte(s))
	return base64.StdEncoding.EncodeToString([]byte(once))
}

// eachByte writes each byte of s with the format.
func eachByte(s, format string) string {
	var out strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&out, format, s[i])
	}
	return out.String()
}

// entities writes each character as a decimal entity of HTML.
func entities(s string) string {
	var out strings.Builder
	for _, r := range s {
		fmt.Fprintf(&out, "&#%d;", r)
	}
	return out.String()
}

// escapes writes each character as escapes of JSON.
func escapes(s string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&out, `\u%04x`, unit)
	}
	return out.String()
}

// wide writes the visible characters of ASCII in their full-width form.
func wide(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r > ' ' && r <= '~':
			return r + 0xFEE0
		case r == ' ':
			return '\u3000'
		default:
			return r
		}
	}, s)
}
