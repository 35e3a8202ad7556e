package packet

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

func (f form) String() string {
	switch f {
	case formLine:
		return "a single line"
	case formSlug:
		return "lower-case letters, digits and hyphens, a hyphen never first"
	case formTime:
		return "a time like 2026-01-31T09:30:00Z"
	case formID:
		return "a ULID in upper case"
	case formCommit:
		return "40 or 64 lower-case hexadecimal digits"
	case formDigest:
		return `"sha256:" and 64 lower-case hexadecimal digits`
	case formPath:
		return "a path below the top of the repository, with forward slashes"
	case formTopic:
		return "lower-case words with slashes between them, like warehouse/snowflake"
	default:
		return "a text"
	}
}

// matchesForm tells whether the text has the form. Lengths are checked elsewhere.
func matchesForm(text string, f form) bool {
	switch f {
	case formLine:
		return !strings.ContainsAny(text, "\n\t")
	case formSlug:
		return isSlug(text)
	case formTime:
		_, ok := parseTime(text)
		return ok
	case formID:
		return isID(text)
	case formCommit:
		return (len(text) == 40 || len(text) == 64) && isHex(text)
	case formDigest:
		digits, ok := strings.CutPrefix(text, "sha256:")
		return ok && len(digits) == 64 && isHex(digits)
	case formPath:
		return isBelow(text)
	case formTopic:
		for segment := range strings.SplitSeq(text, "/") {
			inner := strings.Trim(segment, "-_")
			if inner != segment || !isSlug(strings.ReplaceAll(segment, "_", "-")) {
				return false
			}
		}
		return true
	default:
		return true
	}
}

func isSlug(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case c == '-' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// isBelow tells whether the path can only name something below the directory
// that it is taken from, on every system.
func isBelow(path string) bool {
	if path == "" || path[0] == '/' || path[0] == '~' || strings.ContainsAny(path, "\\\n\t") {
		return false
	}
	drive := len(path) > 1 && path[1] == ':' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
	return !drive && !slices.Contains(strings.Split(path, "/"), "..")
}

// parseTime reads RFC 3339 as it is written there. The time package is more
// lenient: it lets pass a comma before the fraction, an hour of one digit and
// offsets of more than a day.
func parseTime(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || s[len("2006-01-02T15")] != ':' || strings.Contains(s, ",") {
		return time.Time{}, false
	}
	if hours, minutes, ok := strings.Cut(s[len(s)-len("07:00"):], ":"); ok && s[len(s)-1] != 'Z' {
		return t, hours <= "23" && minutes <= "59"
	}
	return t, true
}

// wholeNumber reads a number that is written as digits alone.
func wholeNumber(literal string) (int, bool) {
	n, err := strconv.ParseUint(literal, 10, 31)
	return int(n), err == nil
}

// A controlRule says which of the control characters are refused.
type controlRule string

// The rules hold the control characters that they let pass.
const (
	anyControl       controlRule = ""
	anyControlInText controlRule = "\n\t"
)

// findControl returns the first control character (Unicode category Cc) of s that
// the rule does not let pass, or -1. It takes s for valid UTF-8, where the
// controls of the second block are the byte C2 and one below A0.
func findControl(s string, pass controlRule) rune {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' && strings.IndexByte(string(pass), c) < 0, c == 0x7F:
			return rune(c)
		case c == 0xC2 && i+1 < len(s) && s[i+1] < 0xA0:
			return rune(s[i+1])
		}
	}
	return -1
}
