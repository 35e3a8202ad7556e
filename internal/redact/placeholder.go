package redact

import "strings"

// fewDistinct is how many different characters a value may have and still be
// taken for a filler such as "xxxx-xxxx".
const fewDistinct = 3

// placeholder says whether a value stands for a secret and is none. It reads
// a bounded part of the value.
func placeholder(value string) bool {
	value = value[:min(len(value), 256)]
	if end := strings.IndexByte(value, ']'); strings.HasPrefix(value, labelOpen) && end >= 0 && end+1 < len(value) {
		return placeholder(value[end+1:])
	}
	if n := len(value) - 1; n > 1 && value[0] == '{' && value[n] == '}' && identifier(value[1:n]) {
		return true
	}
	return distinct(value) <= fewDistinct || counted(value) || isReference(value) || isMarked(value) || fillerWord(value)
}

// counted says whether most of a value counts up, as "abcdef123456" does.
func counted(value string) bool {
	ups := 0
	for i := 1; i < len(value); i++ {
		if value[i] == value[i-1]+1 || value[i] == '0' && value[i-1] == '9' {
			ups++
		}
	}
	return len(value) >= 8 && len(value) <= 40 && ups*10 >= len(value)*7
}

// isMarked says whether a value is a word between two equal signs, as templates
// have them: "%db.password%", "@token@", "__KEY__".
func isMarked(value string) bool {
	if len(value) < 3 || strings.IndexByte("%@~_*#", value[0]) < 0 || value[0] != value[len(value)-1] {
		return false
	}
	inner := strings.Trim(value, value[:1])
	return run(inner, 0, len(inner), isDotted) == len(inner) && identifier(inner)
}

// fillerWord says whether value has a part that writers use in place of a
// secret.
func fillerWord(value string) bool {
	if open := strings.IndexByte(value, '<'); open >= 0 && (open == 0 || strings.IndexByte(value[open:], '>') > 0) {
		return true
	}
	for i := range len(value) {
		if strings.IndexByte(fillerInitials, fold(value[i])) < 0 {
			continue
		}
		if fillers.beginsFold(value[i:]) {
			return true
		}
	}
	return false
}

// fillerInitials are the bytes that filler words begin with.
const fillerInitials = "eprcydx*itg-_.nfsm1\xe2"

// isReference says whether value names where a secret is kept, or is the
// label of one that was masked.
func isReference(value string) bool {
	if strings.HasPrefix(value, labelOpen) {
		end := strings.IndexByte(value, ']')
		return end < 0 || end+1 == len(value) || isReference(value[end+1:]) || classesOf(value[end+1:]).digit == 0
	}
	for _, open := range references.list() {
		if strings.HasPrefix(value, open) {
			return open != "${" || !hasDigit(value[strings.LastIndexByte(value, '}')+1:])
		}
	}
	if len(value) > 1 && (value[0] == '$' || value[0] == '%') {
		name := strings.TrimSuffix(value[1:], "%")
		end := run(name, 0, len(name), isWord)
		n := classesOf(name)
		return end == len(name) && (n.lower == 0 || (n.upper == 0 && n.digit == 0))
	}
	return false
}

// distinct counts the different bytes of value, letters without case, up to
// one more than fewDistinct.
func distinct(value string) int {
	var seen [fewDistinct + 1]byte
	n := 0
next:
	for i := range len(value) {
		c := fold(value[i])
		for _, known := range seen[:n] {
			if c == known {
				continue next
			}
		}
		seen[n] = c
		if n++; n > fewDistinct {
			return n
		}
	}
	return n
}

// wordy says whether a value with separators consists of plain words: it has
// no digit and no capital inside.
func wordy(value string) bool {
	n := classesOf(value)
	return n.digit == 0 && n.upper == 0 && strings.ContainsAny(value, "-_.")
}
