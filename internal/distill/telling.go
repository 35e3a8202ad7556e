package distill

import (
	"slices"
	"strings"
)

// tellingLines returns what of a program's output says why it failed: the first and the last line that do,
// or one and what follows it, or else the last line.
func tellingLines(output string) string {
	all := slices.DeleteFunc(cleanLines(output), isEcho)
	if len(all) == 0 {
		return ""
	}
	first, last := slices.IndexFunc(all, isTelling), len(all)-1
	if first < 0 {
		return cutLine(all[last], mostReason)
	}
	for last > first && !isTelling(all[last]) {
		last--
	}
	if last == first {
		last = min(first+1, len(all)-1)
	}
	if all[first] == all[last] {
		return cutLine(all[first], mostReason)
	}
	return cutLine(all[first], mostReason/2) + "; " + cutLine(all[last], mostReason/2)
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
