package redact

import "strings"

// Bounds of how far from a secret the command stands that reads it.
const (
	maxPiped   = 256
	maxReaders = 160
)

// findPiped finds a secret that one command writes for another to read.
func findPiped(text string, keyword span) (span, bool) {
	if isWord(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	switch fold(text[keyword.start]) {
	case '<':
		if byteBefore(text, keyword.start) == '<' || byteAt(text, keyword.end) == '<' {
			return span{}, false
		}
		at := run(text, keyword.end, min(len(text), keyword.end+8), isBlank)
		end, _ := argumentEnd(text, at, min(len(text), at+maxPiped))
		secret := unquoted(text, span{at, end})
		if secret.end-secret.start < 4 {
			return span{}, false
		}
		before := text[max(0, keyword.start-maxReaders):keyword.start]
		return readSecret(text, secret, before[strings.LastIndexByte(before, '\n')+1:])
	case 's':
		return findSent(text, keyword)
	case 'c':
		return findConverted(text, keyword)
	default:
		// Finds the word that echo or printf writes to a command that reads a secret.
		limit := min(len(text), keyword.end+maxPiped)
		at := run(text, keyword.end, limit, isBlank)
		for { // Options of echo and the format of printf.
			end, _ := argumentEnd(text, at, limit)
			word := unquoted(text, span{at, end}).of(text)
			if word == "" || word[0] != '-' && word[0] != '%' {
				break
			}
			at = run(text, end, limit, isBlank)
		}
		end, _ := argumentEnd(text, at, limit)
		pipe := run(text, end, limit, isBlank)
		if byteAt(text, pipe) != '|' || byteAt(text, pipe+1) == '|' {
			return span{}, false
		}
		rest := text[pipe:min(len(text), pipe+maxReaders)]
		if line := strings.IndexByte(rest, '\n'); line >= 0 {
			rest = rest[:line]
		}
		return readSecret(text, unquoted(text, span{at, end}), rest)
	}
}

// readSecret judges what a command reads.
func readSecret(text string, secret span, reader string) (span, bool) {
	s := strings.TrimSuffix(secret.of(text), `\n`)
	switch {
	case containsFold(reader, "chpasswd"):
		user, _, ok := strings.Cut(s, ":")
		if !ok {
			return span{}, false
		}
		secret.start += len(user) + 1
		s = s[len(user)+1:]
	case !secretArgument(s) || !readsSecret(reader):
		return span{}, false
	}
	return span{secret.start, secret.start + len(s)}, secretArgument(s)
}

// readsSecret says whether a command reads a password or token from its
// standard input.
func readsSecret(command string) bool {
	return secretReaders.withinFold(command) || containsFold(command, "stdin") && containsFold(command, "pass")
}

// findSent finds what a script sends when it was asked for a password.
func findSent(text string, keyword span) (span, bool) {
	at := keyword.end
	if strings.HasPrefix(text[at:], "-- ") {
		at += 3
	}
	if !isQuoteSign(byteAt(text, at)) {
		return span{}, false
	}
	end := closingQuote(text, at, min(len(text), at+maxPiped))
	if end < 0 {
		return span{}, false
	}
	secret := span{at + 1, end - 1}
	for _, tail := range [...]string{`\r`, `\n`} {
		for strings.HasSuffix(secret.of(text), tail) {
			secret.end -= len(tail)
		}
	}
	before := text[max(0, keyword.start-maxReaders/2):keyword.start]
	behind := text[end:min(len(text), end+maxReaders/4)]
	asked := containsFold(behind, "password") || containsFold(before, "assword") || containsFold(before, "assphrase") || containsFold(before, "token")
	return secret, asked && secretArgument(secret.of(text)) && !strings.Contains(secret.of(text), " ")
}

// findConverted finds a quoted word that is piped into the command of
// PowerShell that makes a secret of it.
func findConverted(text string, keyword span) (span, bool) {
	at := back(text, keyword.start, max(0, keyword.start-8), isBlank)
	if at == 0 || text[at-1] != '|' {
		return span{}, false
	}
	at = back(text, at-1, max(0, at-8), isBlank)
	if at == 0 || !isQuoteSign(text[at-1]) {
		return span{}, false
	}
	from := max(0, at-1-maxPiped)
	open := strings.LastIndexByte(text[from:at-1], text[at-1])
	if open < 0 {
		return span{}, false
	}
	secret := span{from + open + 1, at - 1}
	return secret, !strings.Contains(secret.of(text), "\n") && secretArgument(secret.of(text))
}

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
	for _, word := range passwordOptions.list() {
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
	return value, !optionSources.begins(s) && secretArgument(s) && strongArgument(s)
}

// findLiteral finds the value of a literal of a secret of Kubernetes.
func findLiteral(text string, keyword span) (span, bool) {
	at := run(text, keyword.end, min(len(text), keyword.end+2), func(c byte) bool { return isBlank(c) || c == '=' })
	at = run(text, at, min(len(text), at+1), isQuoteSign)
	name := run(text, at, min(len(text), at+128), isDotted)
	if at == keyword.end || name == at || byteAt(text, name) != '=' {
		return span{}, false
	}
	stop, _ := argumentEnd(text, name+1, min(len(text), name+4*maxPiped))
	secret := argumentFrom(text, span{name + 1, stop}, name+1)
	if !secretArgument(secret.of(text)) || harmlessLiterals.ends(strings.ToLower(text[at:name])) {
		return span{}, false
	}
	before := text[max(0, keyword.start-2*maxPiped):keyword.start]
	return secret, containsFold(before, " secret ")
}

// findDialog finds a password that is sent in a protocol of words, or is given
// where the words around it leave no other reading.
func findDialog(text string, keyword span) (span, bool) {
	limit := min(len(text), keyword.end+maxPiped)
	switch word := keyword.of(text); {
	case word == "AUTH ":
		// Finds the password of the command AUTH of Redis, which stands at the beginning of a
		// line.
		if !startsLine(text, keyword.start) {
			return span{}, false
		}
		words := argumentsAt(text[:limit], keyword.end)
		if len(words) == 0 || len(words) > 2 {
			return span{}, false
		}
		secret := unquoted(text, words[len(words)-1])
		return secret, secretArgument(secret.of(text)) && strongArgument(secret.of(text)) && secret.end-secret.start >= minToken
	case hasFold(word, "user "):
		if !startsLine(text, keyword.start) || !containsFold(text[max(0, keyword.start-maxReaders):keyword.start], "ftp") {
			return span{}, false
		}
		words := argumentsAt(text[:limit], keyword.end)
		if len(words) != 2 {
			return span{}, false
		}
		secret := unquoted(text, words[1])
		return secret, secretArgument(secret.of(text)) && strongArgument(secret.of(text))
	case hasFold(word, "sshpass="):
		end, _ := argumentEnd(text, keyword.end, limit)
		secret := argumentFrom(text, span{keyword.end, end}, keyword.end)
		return secret, secretArgument(secret.of(text))
	case word[len(word)-1] == '"': // The fourth argument, of sbt.
		return findFourthArgument(text, keyword.end-1, limit)
	case word[len(word)-1] == '(':
		return findSecondArgument(text, keyword.end, limit)
	default:
		return span{}, false
	}
}

// startsLine says whether text[at] is the beginning of a line or stands behind
// a prompt.
func startsLine(text string, at int) bool {
	before := byteBefore(text, at)
	return before == 0 || before == '\n' || before == ' ' && at > 1 && text[at-2] == '>'
}

// findFourthArgument finds the last of four quoted arguments.
func findFourthArgument(text string, at, limit int) (span, bool) {
	var secret span
	for range 4 {
		end := -1
		if isQuoteSign(byteAt(text, at)) {
			end = closingQuote(text, at, limit)
		}
		if end < 0 {
			return span{}, false
		}
		secret = span{at + 1, end - 1}
		at = run(text, end, limit, func(c byte) bool { return isSpace(c) || c == ',' })
	}
	return secret, byteAt(text, at) == ')' && secretArgument(secret.of(text))
}

// findSecondArgument finds the second of two quoted arguments.
func findSecondArgument(text string, at, limit int) (span, bool) {
	first, _ := argumentEnd(text, at, limit)
	at = run(text, first, limit, func(c byte) bool { return isBlank(c) || c == ',' })
	if first == at || !isQuoteSign(byteAt(text, at)) {
		return span{}, false
	}
	end := closingQuote(text, at, limit)
	if end < 0 {
		return span{}, false
	}
	secret := span{at + 1, end - 1}
	return secret, secretArgument(strings.TrimSpace(secret.of(text)))
}
