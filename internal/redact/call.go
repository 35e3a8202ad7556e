package redact

import (
	"iter"
	"strings"
)

// maxArguments bounds what is read of the arguments of a call.
const maxArguments = 200

// findArgument finds the last string among the arguments that can be a
// password, or what follows the words of a statement.
func findArgument(text string, keyword span) (span, bool) {
	if text[keyword.end-1] == ' ' {
		g := readGlue(text, keyword.end)
		secret, ok := valueAt(text, g, chosen)
		return g.wholeValue(text, secret), ok
	}
	var last span
	limit := min(len(text), keyword.end+maxArguments)
	connects, until, n := words("connecting").ends(strings.ToLower(keyword.of(text))), ")\n", 0
	if connects {
		until = ")"
	}
	for argument := range argumentsIn(text[:limit], firstArgument(text, keyword), until) {
		value := argument.of(text)
		if n++; passwordArgument(value) || connects && n == 3 && (chosen.accepts(value) || isChosenWord(value)) {
			last = argument
		}
	}
	return last, last.end > 0
}

// firstArgument returns where the arguments begin: behind the keyword, or at
// the double quote in it or the quote at its end.
func firstArgument(text string, keyword span) int {
	if quote := strings.IndexByte(keyword.of(text), '"'); quote >= 0 {
		return keyword.start + quote
	}
	if text[keyword.end-1] == '\'' {
		return keyword.end - 1
	}
	return keyword.end
}

// passwordArgument says whether a string among arguments is a password.
func passwordArgument(value string) bool {
	if strings.HasSuffix(value, "=") || strings.Contains(value, ";") || callOrPath(value) || isNamed(value) ||
		isVersion(value) {
		return false
	}
	spoken := isIdentifier(value) && (isWordy(value) || classesOf(value).digit > 2)
	return chosen.accepts(value) && !spoken
}

// findKeyArgument finds the first string among the arguments that a machine
// made.
func findKeyArgument(text string, keyword span) (span, bool) {
	return eachArgument(text, keyword.end, func(value string) bool {
		if len(value) < 12 || strings.ContainsAny(value, " \t=;{}<>") && !strings.HasSuffix(value, "=") ||
			isUUID(value) || isNamed(value) {
			return false
		}
		return hasDigit(value) && isTokenValue(value) && !isAlgorithm(value) && !callOrPath(value)
	})
}

// eachArgument returns the first string among the arguments from text[at] on
// that judge accepts.
func eachArgument(text string, at int, judge func(string) bool) (span, bool) {
	for argument := range argumentsIn(text[:min(len(text), at+maxArguments)], at, "\n") {
		if judge(argument.of(text)) {
			return argument, true
		}
	}
	return span{}, false
}

// argumentsIn yields what stands in quotes from text[at] on, up to the first
// of some signs outside of them.
func argumentsIn(text string, at int, until string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for at < len(text) && strings.IndexByte(until, text[at]) < 0 {
			if !isQuote(text[at]) {
				at++
				continue
			}
			end := strings.IndexByte(text[at+1:], text[at])
			if end < 0 || !yield(span{at + 1, at + 1 + end}) {
				return
			}
			at += end + 2
		}
	}
}

// maxPiped bounds what is read of an option and its value.
const maxPiped = 256

// findOption finds a secret behind an option that is named for it, whatever
// the program is.
func findOption(text string, keyword span) (span, bool) {
	name := back(text, keyword.start, max(0, keyword.start-24), isOptionName)
	if byteAt(text, name) != '-' && keyword.start == name {
		return span{}, false
	}
	if before := byteBefore(text, name); text[name] != '-' ||
		name > 0 && !isSpace(before) && !isQuoteSign(before) && before != '[' {
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
	return optionSecret(text, withoutQuotes(text, words[0]))
}

func isOptionName(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' }

// namesPassword says whether the name of an option ends with a word for a
// password.
func namesPassword(name string) bool {
	name = strings.TrimLeft(name, "-")
	for _, word := range words("password-option").list() {
		if strings.HasSuffix(name, word) &&
			(len(name) == len(word) || !isLetter(name[len(name)-len(word)-1]) ||
				strings.HasSuffix(word, "pass")) {
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
