package sign

import "strings"

// matchList tells whether a list of patterns, set apart by commas, takes a name. A pattern behind ! that takes the name
// decides against it, wherever it stands.
func matchList(list, name string) bool {
	matched := false
	for pattern := range strings.SplitSeq(list, ",") {
		pattern, negated := strings.CutPrefix(pattern, "!")
		if !match(pattern, name) {
			continue
		}
		if negated {
			return false
		}
		matched = true
	}
	return matched && list != ""
}

// match tells whether a pattern takes the whole of a name: * is any bytes, ? is one byte. It goes back to the last star
// only, so that its time is at most the product of both lengths.
func match(pattern, name string) bool {
	star, from := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// firstName returns a name that a list of patterns takes: the first of its own patterns that the whole list takes.
func firstName(list string) (string, bool) {
	for pattern := range strings.SplitSeq(list, ",") {
		if pattern != "" && !strings.HasPrefix(pattern, "!") && matchList(list, pattern) {
			return pattern, true
		}
	}
	return "", false
}
