package deadend

import (
	"slices"
	"strings"
)

// commandIn finds the command in what an attempt says was tried: what stands around an option, between
// words of prose. Where there is none, the text itself may be one.
func commandIn(text string) (command string, named bool) {
	text = text[:min(len(text), maxRule)]
	words := strings.Fields(strings.NewReplacer("`", " ", `"`, " ").Replace(text))
	for i, word := range words {
		isOption := len(word) > 1 && word[0] == '-' && strings.Trim(word, "-—–") != ""
		if !isOption || i == 0 || isProse(words[i-1]) {
			continue
		}
		start, end := i-1, i+1
		for start > 0 && !isProse(words[start-1]) {
			start--
		}
		for end < len(words) && !isProse(words[end-1]) &&
			!isIn("prose", strings.Trim(words[end], ",.;:()")) {
			end++
		}
		found := strings.TrimSpace(strings.Join(words[start:end-1], " ") + " " + withoutEnd(words[end-1]))
		if tellsEnough(found) {
			return found, true
		}
	}
	if len(words) < 2 {
		return "", false
	}
	return text, false
}

// NamesCommand says whether an attempt in words names the command that was tried.
func NamesCommand(text string) bool {
	_, named := commandIn(text)
	return named || len(quotedIn(text)) > 0
}

// quotedIn are the texts between backticks that are more than a name, and more than what is run every day.
func quotedIn(text string) (all []string) {
	for i, quoted := range strings.Split(text[:min(len(text), maxRule)], "`") {
		if i%2 == 1 && (strings.HasSuffix(quoted, ")") ||
			strings.ContainsAny(strings.TrimSpace(quoted), " (=") && tellsEnough(quoted)) {
			all = append(all, quoted)
		}
	}
	return all
}

// isProse says whether a command ends at or before a word.
func isProse(word string) bool {
	return isIn("prose", strings.Trim(word, ",.;:()")) || withoutEnd(word) != word
}

// withoutEnd is a word without the signs that end a sentence behind it.
func withoutEnd(word string) string {
	if word = strings.TrimRight(word, ",;:()"); !strings.HasSuffix(word, "...") {
		word = strings.TrimSuffix(word, ".")
	}
	return word
}

// tellsEnough says whether a command alone tells what was tried.
func tellsEnough(command string) bool {
	words := strings.Fields(command)
	return len(words) > 0 && strings.HasPrefix(words[0], "./") ||
		slices.ContainsFunc(words[min(1, len(words)):], func(w string) bool { return !isIn("everyday", w) })
}
