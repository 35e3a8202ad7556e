package distill

import (
	"slices"
	"strings"
)

// tellingLines returns what of a program's output says why it failed: the first and the last line that do,
// or one and what follows it, or else the last line.
func tellingLines(output string) string {
	all := slices.DeleteFunc(cleanLines(output), isEcho)
	var found []string
	for i, l := range all {
		if !isTelling(l) {
			continue
		}
		if found = append(found, l); len(found) == 1 && i+1 < len(all) &&
			!slices.ContainsFunc(all[i+1:], isTelling) {
			found = append(found, all[i+1])
		}
	}
	if len(found) == 0 && len(all) > 0 {
		found = all[len(all)-1:]
	}
	switch len(found) {
	case 0:
		return ""
	case 1:
		return cutLine(found[0], mostReason)
	}
	first, last := cutLine(found[0], mostReason/2), cutLine(found[len(found)-1], mostReason/2)
	if first == last {
		return first
	}
	return first + "; " + last
}

// isTelling tells a line that says that something is wrong.
func isTelling(text string) bool {
	return phrases.In("telling", strings.ToLower(text))
}

// isEcho tells a line that only repeats that there was a failure.
func isEcho(text string) bool {
	low := strings.ToLower(strings.TrimSpace(text))
	if strings.HasPrefix(low, "make: ***") {
		return strings.Contains(low, "] error ")
	}
	if phrases.Begins("echoes", low) || phrases.Has("bare failures", low) {
		return true
	}
	return strings.HasPrefix(text, "FAIL\t") ||
		strings.HasPrefix(text, "FAIL ") && strings.HasSuffix(low, "s") && strings.Count(text, " ") <= 2
}
