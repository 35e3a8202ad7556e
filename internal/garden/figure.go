package garden

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A figure is a number or a version in a text, and a word beside it, which says
// what it is the number of.
type figure struct{ of, value string }

const (
	longFigure   = 40 // bytes of a word that may be a number or name one
	sameQuestion = .5 // from this similarity on, a yes and a no answer the same question
)

// findConflict tells what two cards with close texts state differently, or "". It
// looks at numbers and versions of the same thing, where neither text has all
// that the other has, and at texts of which one says yes and the other no.
func findConflict(a, b *leaf) string {
	likeness := a.textAtLeast(b, alikeText)
	if likeness == 0 {
		return ""
	}
	for _, f := range a.figures {
		mine, theirs := valuesOf(a.figures, f.of), valuesOf(b.figures, f.of)
		if len(theirs) > 0 && !containsAll(mine, theirs) && !containsAll(theirs, mine) {
			return fmt.Sprintf("%s: %s or %s", f.of, strings.Join(mine, ", "), strings.Join(theirs, ", "))
		}
	}
	if a.denies != b.denies && likeness >= sameQuestion {
		return "one says not, the other does not"
	}
	return ""
}

// valuesOf returns the numbers of a thing, in order.
func valuesOf(figures []figure, of string) []string {
	var list []string
	for _, f := range figures {
		if f.of == of && !slices.Contains(list, f.value) {
			list = append(list, f.value)
		}
	}
	slices.Sort(list)
	return list
}

// containsAll says whether all of the one list stand in the other.
func containsAll(some, all []string) bool {
	return !slices.ContainsFunc(some, func(v string) bool { return !slices.Contains(all, v) })
}

// figuresOf returns the numbers of a text with the words beside them, and
// whether the text denies something.
func figuresOf(s string) (figures []figure, denies bool) {
	before := "" // the last word that may name a number
	open := ""   // the last number, where the next word may name it too
	add := func(of, value string) {
		if of != "" && value != "" && len(of) <= longFigure {
			figures = append(figures, figure{of, value})
		}
	}
	for word := range eachWord(strings.ToLower(s)) {
		denies = denies || isListed("denials", word)
		for piece := range strings.FieldsFuncSeq(word, func(c rune) bool { return c == '=' || c == ':' }) {
			name, value, unit := splitFigure(piece)
			switch {
			case value != "":
				before = cmp.Or(name, before)
				add(before, value)
				add(unit, value)
				if open = value; unit != "" {
					open = ""
				}
			case !isListed("ties", piece):
				add(piece, open)
				before, open = piece, ""
			}
		}
	}
	return figures, denies
}

// splitFigure takes a word with a number apart: "go1.26" is a name and a
// value, "50ms" a value and a unit. Of any other word the value is empty.
func splitFigure(word string) (name, value, unit string) {
	if len(word) > longFigure || strings.HasPrefix(word, "#") {
		return "", "", "" // Too long, or the number of an issue.
	}
	from := strings.IndexFunc(word, isDigit)
	if from < 0 {
		return "", "", ""
	}
	name, rest := word[:from], word[from:]
	to := strings.IndexFunc(rest, func(r rune) bool {
		return !isDigit(r) && !strings.ContainsRune(".,_-", r)
	})
	if to < 0 {
		to = len(rest)
	}
	value, unit = strings.TrimRight(rest[:to], ".,_-"), rest[to:]
	switch {
	case name == "-":
		name, value = "", "-"+value
	case name == "v" || name == "~" || name == "^" || strings.Trim(name, "<>=") == "":
		name = ""
	case strings.ContainsFunc(strings.TrimRight(name, "-@v"), func(r rune) bool { return !unicode.IsLetter(r) }):
		return "", "", ""
	}
	if utf8.RuneCountInString(unit) > 4 || strings.ContainsFunc(unit, isDigit) {
		return "", "", "" // Rather a name or a digest.
	}
	return strings.TrimRight(name, "-@v"), value, unit
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
