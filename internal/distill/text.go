package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// The lengths of what a draft takes over, in characters.
const (
	mostGoal       = 600
	mostAsked      = 280 // of one request
	mostMatch      = 512 // bytes, as a packet has room
	mostCommand    = 300
	mostReason     = 300
	mostDecision   = 500
	mostConstraint = 240
	mostNext       = 600
)

// cutLine returns a text as one line, cut between words to a number of characters.
func cutLine(text string, most int) string {
	text = clean.Line(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	short := string([]rune(text)[:most-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)*2/3 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:") + "…"
}

// cleanLines returns the lines of a text that say something, cleaned.
func cleanLines(text string) []string {
	var all []string
	for l := range strings.Lines(text) {
		if l = clean.Line(l); l != "" {
			all = append(all, l)
		}
	}
	return all
}

// splitParagraphs parts a text at its empty lines. What stands in a fence of code is left out.
func splitParagraphs(text string) []string {
	var all []string
	var now strings.Builder
	end := func() {
		if p := strings.TrimSpace(now.String()); p != "" {
			all = append(all, p)
		}
		now.Reset()
	}
	fenced := false
	for l := range strings.Lines(text) {
		switch trimmed := strings.TrimSpace(l); {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
			end()
		case fenced:
		case trimmed == "":
			end()
		default:
			now.WriteString(l)
		}
	}
	end()
	return all
}

// splitSentences parts a text at the ends of its sentences and of its lines.
func splitSentences(text string) []string {
	var all []string
	for l := range strings.Lines(text) {
		start := 0
		for i, c := range l {
			if c != '.' && c != '!' && c != '?' {
				continue
			}
			if after, _ := utf8.DecodeRuneInString(l[i+1:]); unicode.IsSpace(after) {
				all = append(all, l[start:i+1])
				start = i + 1
			}
		}
		all = append(all, l[start:])
	}
	return all
}

// withoutMarks takes the marks of a heading or a list item from the beginning of a line.
func withoutMarks(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"- [ ] ", "- [x] ", "- ", "* ", "• "} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return withoutMarks(rest)
		}
	}
	if rest := strings.TrimLeft(text, "#"); rest != text && strings.HasPrefix(rest, " ") {
		return withoutMarks(rest)
	}
	digits := strings.TrimLeft(text, "0123456789")
	if digits != text && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return withoutMarks(digits[2:])
	}
	return strings.TrimSpace(strings.ReplaceAll(text, "**", ""))
}
