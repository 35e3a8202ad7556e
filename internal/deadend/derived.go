package deadend

import (
	"slices"
	"strings"
)

// commandIn finds the command in what an attempt says was tried: between backticks or quotation marks, or
// from a program or an option in the text up to the first word of prose. Where there is none, the text itself
// may be one.
func commandIn(text string) (command string, named bool) {
	text = text[:min(len(text), maxRule)]
	var found []string
	for _, mark := range []string{"`", `"`, "'"} {
		for i, quoted := range strings.Split(text, mark) {
			if words := strings.Fields(quoted); i%2 == 1 && len(words) > 0 &&
				(isTool(words[0]) || mark == "`" && isScript(words)) {
				found = append(found, quoted)
			}
		}
	}
	words := strings.Fields(strings.NewReplacer("`", " ", `"`, " ").Replace(text))
	for i, word := range words {
		isOption := len(word) > 1 && word[0] == '-' && strings.Trim(word, "-—–") != ""
		start := i
		switch {
		case isTool(word):
		case isOption && i > 0 && !isProse(words[i-1]):
			for start--; start > 0 && !isTool(words[start]) && !isProse(words[start-1]); {
				start--
			}
		default:
			continue
		}
		for start > 0 && isAssignment(words[start-1]) {
			start--
		}
		end := i + 1
		for end < len(words) && !isProse(words[end-1]) &&
			!isIn("prose", strings.Trim(words[end], ",.;:()")) {
			end++
		}
		found = append(found,
			strings.TrimSpace(strings.Join(words[start:end-1], " ")+" "+withoutEnd(words[end-1])))
	}
	if i := slices.IndexFunc(found, tellsEnough); i >= 0 {
		return found[i], true
	}
	if len(words) < 2 {
		return "", false
	}
	return text, false
}

// NamesCommand says whether an attempt in words names the command that was tried.
func NamesCommand(text string) bool {
	_, named := commandIn(text)
	return named
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

// isScript says whether words between backticks are a command of a program that no table knows: it has an
// option, or is a file.
func isScript(words []string) bool {
	return strings.HasPrefix(words[0], "./") ||
		len(words) > 2 && !slices.ContainsFunc(words, func(w string) bool {
			return isIn("prose", w) || strings.ToLower(w) != w
		}) ||
		slices.ContainsFunc(words[1:], func(w string) bool { return len(w) > 1 && w[0] == '-' }) &&
			strings.ToLower(words[0]) == words[0]
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

// isTool says whether a word is the name of such a program.
func isTool(word string) bool {
	return isIn("tools", word) || isIn("tools", baseName(word)) && strings.Contains(word, "/")
}
