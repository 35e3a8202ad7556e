package redact

import "strings"

// maxPiped bounds what is read of an option and its value.
const maxPiped = 256

// findOption finds a secret behind an option that is named for it, whatever
// the program is.
func findOption(text string, keyword span) (span, bool) {
	name := back(text, keyword.start, max(0, keyword.start-24), isOptionName)
	if byteAt(text, name) != '-' && keyword.start == name {
		return span{}, false
	}
	if before := byteBefore(text, name); text[name] != '-' || name > 0 && !isSpace(before) && !isQuoteSign(before) && before != '[' {
		return span{}, false
	}
	end := run(text, keyword.end, min(len(text), keyword.end+16), isOptionName)
	if byteBefore(text, end) == ' ' {
		end--
	}
	if !namesPassword(strings.ToLower(text[name:end])) {
		return span{}, false
	}
	limit := min(len(text), end+maxPiped)
	if c := byteAt(text, end); c == '=' || c == ':' {
		stop, _ := argumentEnd(text, end+1, limit)
		return optionSecret(text, argumentFrom(text, span{end + 1, stop}, end+1))
	}
	words := argumentsAt(text, run(text, end, min(len(text), end+1), isQuoteSign))
	if len(words) == 0 || words[0].start == end {
		return span{}, false
	}
	return optionSecret(text, unquoted(text, words[0]))
}

func isOptionName(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' }

// namesPassword says whether the name of an option ends with a word for a
// password.
func namesPassword(name string) bool {
	name = strings.TrimLeft(name, "-")
	for _, word := range words("password-option").list() {
		if strings.HasSuffix(name, word) && (len(name) == len(word) || !isLetter(name[len(name)-len(word)-1]) || strings.HasSuffix(word, "pass")) {
			return name != "bypass" && name != "compass" && !strings.HasPrefix(name, "no-")
		}
	}
	return false
}

func optionSecret(text string, value span) (span, bool) {
	if strings.HasPrefix(value.of(text), "pass:") {
		value.start += len("pass:")
	}
	s := value.of(text)
	return value, !words("option-source").begins(s) && secretArgument(s) && strongArgument(s)
}
