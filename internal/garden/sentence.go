package garden

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence is a part of a text as it is written, and whether it began a line.
type sentence struct {
	text    string
	newLine bool
}

// splitSentences parts a text at the ends of lines and behind the marks that end a
// sentence. A text with a block of code stays whole.
func splitSentences(text string) []sentence {
	if strings.Contains(text, "```") {
		return []sentence{{strings.TrimSpace(text), true}}
	}
	var list []sentence
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		for first := true; strings.TrimSpace(line) != ""; first = false {
			end := sentenceEnd(line)
			list = append(list, sentence{
				strings.TrimRightFunc(line[:end], unicode.IsSpace),
				first && len(list) > 0,
			})
			line = strings.TrimLeftFunc(line[end:], unicode.IsSpace)
		}
	}
	return list
}

// sentenceEnd returns where the first sentence of a line ends: behind a mark
// and before a blank, unless what follows begins in small letters or the mark
// belongs to a short form.
func sentenceEnd(line string) int {
	for i, r := range line {
		switch r {
		case '。', '！', '？':
			return i + utf8.RuneLen(r)
		case '.', '!', '?':
			rest := strings.TrimLeft(line[i+1:], `"')”’`)
			next := strings.TrimLeftFunc(rest, unicode.IsSpace)
			first, _ := utf8.DecodeRuneInString(next)
			if next != "" && len(next) < len(rest) && !unicode.IsLower(first) && !isShortForm(line[:i+1]) {
				return len(line) - len(rest)
			}
		}
	}
	return len(line)
}

// isShortForm says whether a text ends in a short form or is the number of an
// item in a list. Their mark ends no sentence.
func isShortForm(text string) bool {
	word := text[strings.LastIndexAny(text, " \t(")+1:]
	return isListed("short forms", strings.ToLower(word)) ||
		word != "." && word == strings.TrimSpace(text) && strings.Trim(word[:len(word)-1], "0123456789") == ""
}
