package clean

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxEscape bounds the escape sequence that is taken out whole. What is left
// of a longer one is harmless without its beginning.
const maxEscape = 4096

// escapeLen returns the length of the escape sequence that s begins with, or
// 0. Its letters would otherwise stay behind as litter.
func escapeLen(s string) int {
	var kind byte
	switch {
	case len(s) >= 2 && s[0] == 0x1b:
		kind = s[1]
	case len(s) >= 2 && s[0] == 0xC2 && 0x80 <= s[1] && s[1] <= 0x9F:
		kind = s[1] - 0x40 // The same in one character of C1.
	default:
		return 0
	}
	body := 2
	switch kind {
	case '[':
		return body + controlLen(s[body:])
	case ']', 'P', 'X', '^', '_':
		return body + stringLen(s[body:])
	}
	if s[0] != 0x1b || kind < 0x20 || kind > 0x7e {
		return 0
	}
	for body < len(s) && 0x20 <= s[body-1] && s[body-1] <= 0x2f && 0x20 <= s[body] && s[body] <= 0x7e {
		body++ // The choice of a character set, say, has a letter more.
	}
	return body
}

// controlLen returns the length of the parameters and the final byte of a
// control sequence.
func controlLen(s string) int {
	for i := range min(len(s), maxEscape) {
		switch c := s[i]; {
		case 0x40 <= c && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x3f:
			return i
		}
	}
	return min(len(s), maxEscape)
}

// stringLen returns the length of a command string with its terminator. One
// that is not terminated takes nothing, lest it swallow the text behind it.
func stringLen(s string) int {
	s = s[:min(len(s), maxEscape)]
	for i := range len(s) {
		switch {
		case s[i] == 0x07:
			return i + 1
		case s[i] == '\n':
			return 0
		case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		}
	}
	return 0
}

// IsForbidden says whether r must not be printed.
func IsForbidden(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r < 0x20, 0x7F <= r && r <= 0x9F: // C0, DEL, C1.
		return true
	case r < 0xAD:
		return false
	case 0xE000 <= r && r <= 0xF8FF, r >= 0xE0000: // Private use; tags, selectors, more private use.
		return true
	case 0xFDD0 <= r && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // Noncharacters.
		return true
	}
	return isInvisible(r)
}

// isInvisible says whether r has no shape of its own or moves its neighbours.
func isInvisible(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0x180E, r == 0xFEFF:
		return true
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0: // Hangul fillers.
		return true
	case r == 0x17B4, r == 0x17B5, r == 0x2800: // Khmer vowels inherent, empty Braille.
		return true
	case 0x180B <= r && r <= 0x180F, 0xFE00 <= r && r <= 0xFE0F: // Variation selectors.
		return true
	case 0x200B <= r && r <= 0x200F: // Zero width, marks of direction.
		return true
	case 0x2028 <= r && r <= 0x202E,
		0x2060 <= r && r <= 0x206F: // Separators, direction, invisible operators.
		return true
	case 0xFFF0 <= r && r <= 0xFFFB: // Interlinear annotation, and reserved.
		return true
	case 0x1BCA0 <= r && r <= 0x1BCA3, 0x1D173 <= r && r <= 0x1D17A: // Shorthand, music.
		return true
	case 0x0600 <= r && r <= 0x0605, 0x0890 <= r && r <= 0x0891, r == 0x06DD, r == 0x070F,
		r == 0x08E2: // Arabic and Syriac formats.
		return true
	case r == 0x110BD, r == 0x110CD, 0x13430 <= r && r <= 0x1343F: // Kaithi and Egyptian formats.
		return true
	default:
		return false
	}
}

// hostMarkers are the names of the tags in which hosts and models wrap what is theirs: reminders, results of
// tools, turns of a talk. A name that ends in a hyphen, an underscore or a colon stands for all that begin
// so. All are in lower case.
func hostMarkers() []string {
	return []string{
		"ltm-", "antml:", "system-", "system_", "system>", "user-prompt-", "user_prompt>", "assistant>",
		"human>",
		"function_", "function-", "tool_", "tool-", "task-notification", "command-", "local-command-",
		"bash-", "thinking>",
		"new-diagnostics", "persisted-", "budget:", "sys>",
	}
}

// withoutMarkers takes from everything that looks like a marker of a host or a model its bracket, so that no
// record can end the place in which a session reads it, or begin one that is not its own.
func withoutMarkers(s string) string {
	if !strings.ContainsAny(s, "<＜") {
		return s
	}
	var out strings.Builder
	for i, r := range s {
		if (r == '<' || r == '＜') && isMarker(s[i+utf8.RuneLen(r):]) {
			r = '‹'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// isMarker tells whether what follows a bracket is the rest of a marker. Blanks and slashes before the name
// do not count.
func isMarker(rest string) bool {
	rest = strings.TrimLeftFunc(rest, func(r rune) bool {
		return isBlank(r) || strings.ContainsRune("/／<＜\\", r)
	})
	const longest = 32
	name := strings.ToLower(rest[:min(len(rest), longest)])
	if strings.HasPrefix(name, "|") || strings.HasPrefix(name, "｜") { // <|im_start|> and its like.
		return true
	}
	return slices.ContainsFunc(hostMarkers(), func(marker string) bool {
		return strings.HasPrefix(name, marker)
	})
}

// mostCombining is how many combining marks stand on one letter. Scripts that stack them need four.
const mostCombining = 5

func isCombining(r rune) bool { return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) }
