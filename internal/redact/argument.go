package redact

import "strings"

// Bounds of what is read of a command line.
const (
	maxWords   = 32
	maxCommand = 768
)

// argumentsAt returns the words of a command line from text[at] on: what
// blanks part outside quotes, up to the end of the command. The words keep
// their quotes. Commas part the words of a list of strings.
func argumentsAt(text string, at int) []span {
	limit := min(len(text), at+maxCommand)
	var words []span
	for len(words) < maxWords {
		at = skipBlanks(text, at, limit)
		if at >= limit || isCommandEnd(text[at]) {
			break
		}
		end, more := argumentEnd(text, at, limit)
		if end > at {
			words = append(words, span{at, end})
		}
		if !more {
			break
		}
		at = end
	}
	return words
}

func isCommandEnd(c byte) bool { return c == '\n' || c == '\r' || c == ';' || c == '|' || c == ']' }

// skipBlanks steps over blanks, commas behind a quote, and the sign that
// continues a command on the next line.
func skipBlanks(text string, at, limit int) int {
	for at < limit {
		c := text[at]
		continued := (c == '\\' || c == '`' || c == '^') && at+1 < limit && (text[at+1] == '\n' || text[at+1] == '\r')
		switch {
		case isBlank(c):
			at++
		case c == ',' && isQuoteSign(byteBefore(text, at)):
			at++
		case continued:
			at = run(text, at+1, limit, isSpace)
		default:
			return at
		}
	}
	return at
}

func isQuoteSign(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// argumentEnd returns where the word at text[at] ends, and whether more words
// can follow. A quote that nothing closes ends the command: it closes the
// text in which the command stands.
func argumentEnd(text string, at, limit int) (int, bool) {
	for at < limit {
		c := text[at]
		switch {
		case isQuoteSign(c):
			end := closingQuote(text, at, limit)
			if end < 0 {
				return at, false
			}
			at = end
			if byteAt(text, at) == ',' {
				return at, true
			}
		case isSpace(c) || c == ';' || c == '|':
			return at, true
		case c == ')': // The end of what stands in a call or in another command.
			return at, false
		case c == '\\' && at+1 < limit && isQuoteSign(text[at+1]):
			end := strings.Index(text[at+2:limit], text[at:at+2])
			if end < 0 {
				return at, false
			}
			at += 2 + end + 2
		case c == '\\' && at+1 < limit && (text[at+1] == '\n' || text[at+1] == '\r'):
			return at, true
		case c == '$' && at+1 < limit && text[at+1] == '(':
			end := strings.IndexByte(text[at:limit], ')')
			if end < 0 {
				return at, false
			}
			at += end + 1
		default:
			at++
		}
	}
	return at, limit == len(text)
}

// closingQuote returns the place behind the quote that closes the one at
// text[at] in the same line, or -1.
func closingQuote(text string, at, limit int) int {
	for i := at + 1; i < limit && text[i] != '\n'; i++ {
		if text[i] == text[at] && (text[i] == '\'' || text[i-1] != '\\') {
			return i + 1
		}
	}
	return -1
}

// unquoted returns word without the quotes around it.
func unquoted(text string, word span) span {
	return argumentFrom(text, word, word.start)
}

// argumentFrom returns the value that begins at text[at] inside a word: what
// stands in quotes there, or else up to the next quote.
func argumentFrom(text string, word span, at int) span {
	if at >= word.end {
		return span{at, at}
	}
	open := at
	if text[open] == '\\' && open+1 < word.end {
		open++
	}
	if isQuoteSign(text[open]) {
		end := open + 1
		for end < word.end && text[end] != text[open] {
			end++
		}
		if end > open+1 && text[end-1] == '\\' && open > at {
			end--
		}
		return span{open + 1, end}
	}
	end := at
	for end < word.end && !isQuoteSign(text[end]) {
		end++
	}
	if end < word.end || isQuoteSign(byteBefore(text, at)) {
		return span{at, end}
	}
	return span{at, at + len(strings.TrimRight(text[at:end], ".,:)]}\\"))}
}

// secretArgument says whether value can be a secret in a command line, and is
// no variable, no filler, no file and no other option.
func secretArgument(value string) bool {
	if len(value) < 4 || len(value) > 4096 || variable(value) {
		return false
	}
	switch value[0] {
	case '-', '@', '~', '*':
		return false
	case '/', '.':
		if strings.ContainsAny(value[1:], "/.") {
			return false // A file.
		}
	}
	n := classesOf(value)
	if n.lower == 0 && n.digit == 0 && n.upper+strings.Count(value, "_")+strings.Count(value, "-") == len(value) {
		return false // A name such as PASSWORD.
	}
	return !plainWord(strings.ToLower(value)) && !placeholder(value)
}

// variable says whether value is replaced by something else when the command
// runs.
func variable(value string) bool {
	value = value[:min(len(value), maxValue)]
	if variableSigns.within(value) {
		return true
	}
	if value[0] == '$' || value[0] == '%' || value[0] == '!' {
		end := run(value, 1, len(value), isWord)
		rest := value[end:]
		named := end > 1 && isNameOfVariable(value[1:end])
		return named && (rest == "" || rest[0] == '%' || rest[0] == '!' || rest[0] == '.' || rest[0] == '[' || rest[0] == ':')
	}
	return false
}

// isNameOfVariable says whether name is of capitals or of small letters, with
// few digits.
func isNameOfVariable(name string) bool {
	n := classesOf(name)
	return !isDigit(name[0]) && n.digit <= 2 && (n.upper == 0 || n.lower == 0 || identifier(name))
}

// plainWord says whether a word in lower case is what manuals write for a
// secret, or is known to everybody.
func plainWord(word string) bool { return plainWords.has(strings.Trim(word, "_-.")) }

// strongArgument says whether value is more than a word: it has a digit, a
// sign, or capitals inside.
func strongArgument(value string) bool {
	n := classesOf(value)
	return n.digit > 0 && n.lower+n.upper > 0 && !version(value) || n.digit > 0 && len(value) >= 8 && !version(value) || marks(value) > 0 ||
		n.upper > 0 && n.lower > 0 && !identifier(value)
}

// strongWord says whether value can be a secret in a command line and is more
// than a word.
func strongWord(value string) bool {
	return secretArgument(value) && strongArgument(value) && !identifier(value)
}

// inProse says whether the word before text[at] is one of a sentence: two
// more words of small letters follow it.
func inProse(text string, at int) bool {
	for range 2 {
		if byteAt(text, at) != ' ' {
			return false
		}
		end := run(text, at+1, min(len(text), at+20), isLower)
		if end == at+1 || end < len(text) && !isSpace(text[end]) && text[end] != '.' && text[end] != ',' {
			return false
		}
		at = end
	}
	return true
}
