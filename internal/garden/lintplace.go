package garden

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/words"
)

// movingDay returns the words of a text that mean another day to each reader,
// or "".
func movingDay(words []token) string {
	for i, t := range words {
		before, after := wordAt(words, i-1), wordAt(words, i+1)
		switch t.word {
		case "yesterday", "tomorrow", "tonight", "today":
			return t.word
		case "last", "next", "this":
			if isListed("spans", after) && !isListed("fixed", before) && wordAt(words, i+2) != "of" && !t.ends {
				return t.word + " " + after
			}
		case "ago":
			if unit := strings.TrimSuffix(before, "s"); isListed("units", unit) &&
				!slices.ContainsFunc(words[max(0, i-5):i], func(t token) bool {
					return t.word == "than" || t.word == "over"
				}) {
				return before + " ago"
			}
		}
	}
	return ""
}

// wordAt returns the word at a place, or "".
func wordAt(words []token, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i].word
}

// pointsNowhere says whether a text leans on something that only the writer saw.
func pointsNowhere(words []token) bool {
	for i, t := range words {
		if t.word != "as" || i+1 >= len(words) {
			continue
		}
		said := words[i+1]
		if isListed("said", said.word) &&
			(said.ends || i+2 >= len(words) || isListed("elsewhere", wordAt(words, i+2))) {
			return true
		}
	}
	return holdsListed("nowhere", words)
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	machinePath = words.Compiled("(?:^|[\\s\"'`([{<>=:,;|])(?:file://)?(?:" +
		`(?:/home|/Users|/mnt/c/Users)/([\pL\d._][^/\s]*)/[\pL\d._]|~/([A-Za-z0-9_][\w./-]*)|` +
		`[A-Za-z]:(/Users/|\\[\pL\d._][^\\/\n]*))`)
	everyDrive = words.Compiled(`^\\(?:Windows|Program Files|ProgramData)`)
)
