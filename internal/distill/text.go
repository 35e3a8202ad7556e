package distill

import (
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The lengths of what a draft takes over, in characters.
const (
	mostGoal       = 600
	mostAsked      = 280 // of one request, from where on no paragraph joins it
	mostRequest    = 400 // of the goal, before what came of it
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

// cutSentences returns the whole sentences with which a text begins, as far as so many characters hold them.
func cutSentences(text string, most int) string {
	text = clean.Line(text)
	short := string([]rune(text)[:min(most, utf8.RuneCountInString(text))])
	if ends := sentenceEnd().FindAllStringIndex(short+" ", -1); len(ends) > 0 && short != text {
		return short[:ends[len(ends)-1][0]+1]
	}
	return cutLine(text, most)
}

// closeSentence returns a text with a mark at its end, where it has none.
func closeSentence(text, mark string) string {
	if strings.ContainsAny(text[len(text)-1:], ".!?:;…") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + mark
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
	for _, p := range emptyLines().Split(fencedCode().ReplaceAllString(text, "\n\n"), -1) {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return all
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	emptyLines  = words.Compiled(`\n\s*\n`)
	fencedCode  = words.Compiled("(?ms)^\\s*(?:```|~~~).*?(?:^\\s*(?:```|~~~)[^\n]*$|\\z)")
	sentenceEnd = words.Compiled(`([.!?])(\s)`)
	lineMarks   = words.Compiled(`^(?:(?:- \[[ x]\]|[-*•]|#+|\d+[.)])\s+)+`)
)

// splitSentences parts a text at the ends of its sentences and of its lines.
func splitSentences(text string) []string {
	return slices.Collect(strings.Lines(sentenceEnd().ReplaceAllString(text, "$1\n$2")))
}

// sentencesOf returns the sentences of all paragraphs, without the marks of lists and of bold type.
func sentencesOf(text string) (all []string) {
	for _, para := range splitParagraphs(text) {
		for _, sentence := range splitSentences(para) {
			all = append(all, withoutMarks(sentence))
		}
	}
	return all
}

// withoutMarks takes the marks of a heading or a list item from the beginning of a line.
func withoutMarks(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(lineMarks().ReplaceAllString(strings.TrimSpace(text), ""),
		"**", ""))
}

// phraseTable is lists of words and phrases. Rules about sentences are English.
//
//go:embed words.txt
var phraseTable string

//nolint:gochecknoglobals // A table that nobody writes to.
var phrases = words.NewTable(phraseTable)

// containsAny tells whether a text holds one of some marks.
func containsAny(text string, marks []string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
}

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
