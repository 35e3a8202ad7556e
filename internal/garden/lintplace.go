package garden

import (
	"slices"
	"strings"
)

// movingDay returns the words of a text that mean another day to each reader,
// or "".
func movingDay(words []token) string {
	for i, t := range words {
		before, after := at(words, i-1), at(words, i+1)
		switch t.word {
		case "yesterday", "tomorrow", "tonight", "today":
			return t.word
		case "last", "next", "this":
			if isSpan(after) && !isFixed(before) && at(words, i+2) != "of" && !t.ends {
				return t.word + " " + after
			}
		case "ago":
			if unit := strings.TrimSuffix(before, "s"); isUnit(unit) &&
				!hasWord(words[max(0, i-5):i], "than", "over") {
				return before + " ago"
			}
		}
	}
	return ""
}

// at returns the word at a place, or "".
func at(words []token, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i].word
}

// hasWord says whether one of two words is among the tokens.
func hasWord(words []token, one, other string) bool {
	return slices.ContainsFunc(words, func(t token) bool { return t.word == one || t.word == other })
}

// isFixed says whether the word before "last week" makes it a span of time
// that does not move, as in "the last week of each month".
func isFixed(word string) bool { return isListed("fixed", word) }

func isUnit(word string) bool { return isListed("units", word) }

// isSpan says whether "last" and "next" before a word name a time.
func isSpan(word string) bool { return isListed("spans", word) }

// pointsNowhere says whether a text leans on something that only the writer saw.
func pointsNowhere(words []token) bool {
	for i, t := range words {
		if t.word != "as" || i+1 >= len(words) {
			continue
		}
		said := words[i+1]
		if isListed("said", said.word) && (said.ends || i+2 >= len(words) || isElsewhere(at(words, i+2))) {
			return true
		}
	}
	return holdsListed("nowhere", words)
}

func isElsewhere(word string) bool { return isListed("elsewhere", word) }

// hasMachinePath says whether a text names a place that one machine has.
func hasMachinePath(text string) bool {
	for i := range len(text) {
		if i > 0 && !strings.ContainsRune(" \t\n\"'`([{<>=:,;|", rune(text[i-1])) {
			continue
		}
		if isMachinePath(text[i:]) {
			return true
		}
	}
	return false
}

// isMachinePath says whether s begins with a path in somebody's home, or on a
// drive. Homes of images that many machines run and files that every home has
// are no one machine's.
func isMachinePath(s string) bool {
	s = strings.TrimPrefix(s, "file://")
	for _, home := range [...]string{"/home/", "/Users/", "/mnt/c/Users/"} {
		if rest, ok := strings.CutPrefix(s, home); ok {
			name, child, deep := strings.Cut(rest, "/")
			return deep && child != "" && startsName(child) && startsName(name) &&
				!strings.ContainsAny(name, " \t\n") && !isEverybody(name)
		}
	}
	if rest, ok := strings.CutPrefix(s, "~/"); ok {
		return startsName(rest) && rest[0] != '.' && rest[0] < 0x80 && !strings.HasPrefix(rest, "Library/")
	}
	return isDrive(s)
}

// isDrive says whether s begins with a path on a drive that is not the same
// everywhere.
func isDrive(s string) bool {
	if len(s) < 4 || lower(rune(s[0])) < 'a' || lower(rune(s[0])) > 'z' || s[1] != ':' ||
		s[2] != '\\' && s[2] != '/' || !startsName(s[3:]) {
		return false
	}
	if s[2] == '/' {
		return strings.HasPrefix(s[3:], "Users/")
	}
	return !slices.ContainsFunc([]string{
		"Windows", "Program Files", "ProgramData",
	}, func(common string) bool { return strings.HasPrefix(s[3:], common) })
}

// startsName says whether s begins as the name of a file does.
func startsName(s string) bool {
	return s != "" && (s[0] == '.' || s[0] == '_' || isDigit(rune(s[0])) ||
		lower(rune(s[0])) >= 'a' && lower(rune(s[0])) <= 'z' || s[0] >= 0x80)
}

// isEverybody says whether the name of a user is the same on many machines, or
// stands for any.
func isEverybody(name string) bool { return isListed("everybody", strings.ToLower(name)) }
