package clean

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
