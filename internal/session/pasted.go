package session

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/words"
)

// splitPasted separates what a person asks in a prompt from what was pasted into it: what is fenced, quoted
// or indented, and of any other paragraph all from its first line that does not read like a sentence. The
// first line of all is asked, unless it is marked so.
func splitPasted(prompt string) (asked, pasted string) {
	var ask, paste strings.Builder
	fenced, began, within := false, false, false
	for line := range strings.Lines(prompt) {
		text := strings.TrimSpace(line)
		fence := strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
		within = text != "" && !fence && (within || marked().MatchString(line) || began && isNoise(text))
		if fence || fenced || within {
			paste.WriteString(line)
		} else {
			ask.WriteString(line)
		}
		fenced, began = fenced != fence, began || text != ""
	}
	return strings.TrimSpace(ask.String()), strings.TrimSpace(paste.String())
}

// marked finds a line that is quoted, indented, or what was typed at a terminal.
var marked = words.Compiled(`^(?:>|    |\t|\$ )`)

// noisiest is of how many characters of a sentence one may be a digit or a sign of programs.
const noisiest = 8

// isNoise tells a line of a log, a trace or a program from one that somebody wrote to be read.
func isNoise(text string) bool {
	signs := 0
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsSpace(c) && !strings.ContainsRune(`,.?!'’"-`, c) {
			signs++
		}
	}
	return !strings.HasSuffix(text, "?") && noisiest*signs > utf8.RuneCountInString(text)
}

// tellingWords are the words of what was pasted. What begins with a digit is a number, a time or an
// address, and says nothing.
func tellingWords(text string) string {
	all := strings.FieldsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_./-", c)
	})
	return strings.Join(slices.DeleteFunc(all, func(word string) bool {
		return word[0] >= '0' && word[0] <= '9'
	}), " ")
}
