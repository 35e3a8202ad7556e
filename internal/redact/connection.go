package redact

import "strings"

// maxConnection is how far from a password the other parts of its connection
// may stand.
const maxConnection = 240

// findConnection finds a password beside the other parts of a connection.
func findConnection(text string, keyword span) (span, bool) {
	before := byteBefore(text, back(text, keyword.start, max(0, keyword.start-2), isBlank))
	if before != 0 && strings.IndexByte(";,\"'`?&\n {(:", before) < 0 && !isBlank(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	secret, ok := connectionValue(text, run(text, keyword.end, min(len(text), keyword.end+2), isBlank))
	if value := secret.of(text); !ok || !secretArgument(value) || isPair(value) || isCode(value) || strings.HasSuffix(value, "(") {
		return span{}, false
	}
	around := text[max(0, keyword.start-maxConnection):keyword.start]
	behind := text[secret.end:min(len(text), secret.end+maxConnection)]
	if line := strings.IndexByte(behind, '\n'); line >= 0 {
		behind = behind[:line]
	}
	if fold(text[keyword.start]) == 's' {
		return secret, containsFold(around, "endpoint=")
	}
	return secret, namesConnection(around) || namesConnection(behind)
}

// namesConnection says whether text holds parts of a connection: names of them
// with a sign of assignment, or the title of a section of a file.
func namesConnection(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '=':
			if words("connection-part").ends(strings.ToLower(strings.TrimSpace(text[back(text, i, max(0, i-20), isPartName):i]))) {
				return true
			}
		case '[':
			if hasFold(text[i:], "[client") || hasFold(text[i:], "[mysql") || hasFold(text[i:], "[pypi]") || hasFold(text[i:], "[distutils") {
				return true
			}
		case 'j', '.':
			if hasFold(text[i:], "jdbc:") || hasFold(text[i:], ".redis.") {
				return true
			}
		}
	}
	return false
}

func isPartName(c byte) bool { return isLetter(c) || c == ' ' || c == '_' }

// connectionValue returns the value at text[at]: in quotes or braces, or up to
// the sign that parts it from the next one.
func connectionValue(text string, at int) (span, bool) {
	limit := min(len(text), at+maxValue)
	closing := ""
	switch c := byteAt(text, at); {
	case c == '{' && byteAt(text, at+1) != '{':
		return bracedValue(text, at+1, limit)
	case isQuoteSign(c):
		closing = string(c)
	case c == '\\' && isQuoteSign(byteAt(text, at+1)):
		closing = text[at : at+2]
	}
	if closing != "" {
		at += len(closing)
		end := strings.Index(text[at:max(at, limit)], closing)
		return span{at, at + max(0, end)}, end > 0 && !strings.Contains(text[at:at+end], "\n")
	}
	end := run(text, at, limit, func(c byte) bool {
		return !isSpace(c) && c != ';' && c != ',' && c != '&' && !isQuoteSign(c) && c != '<'
	})
	return span{at, at + len(strings.TrimRight(text[at:end], `.)]}\`))}, end > at
}

// bracedValue returns the value up to the brace that closes it. A brace that
// stands twice is part of the value.
func bracedValue(text string, at, limit int) (span, bool) {
	for end := at; end < limit && text[end] != '\n'; end++ {
		if text[end] != '}' {
			continue
		}
		if byteAt(text, end+1) != '}' {
			return span{at, end}, end > at
		}
		end++
	}
	return span{}, false
}

// findHostCredential finds the password in "user:password@host" without a
// scheme.
func findHostCredential(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-96), isUserinfo)
	user, password, ok := strings.Cut(text[start:keyword.start], ":")
	call := strings.HasPrefix(user, "sip") && strings.Contains(password, ":")
	if call {
		user, password, ok = strings.Cut(password, ":")
	}
	if !ok || len(password) < 6 || user == "" || !isAlnum(user[0]) || run(user, 0, len(user), isDotted) < len(user) || words("not-a-user").has(strings.ToLower(user)) {
		return span{}, false
	}
	if c := byteBefore(text, start); c == '/' || c == '@' || c == '\\' {
		return span{}, false
	}
	n := classesOf(password)
	if !secretArgument(password) || identifier(password) || n.digit == 0 || n.lower+n.upper == 0 || strings.ContainsAny(password, "/:") || version(password) {
		return span{}, false
	}
	secret := span{keyword.start - len(password), keyword.start}
	host, exact := hostAt(text, keyword.start+1)
	return secret, host && (exact || call || marks(password) > 0 || n.upper > 0 && n.lower > 0 && n.digit > 1)
}

func isUserinfo(c byte) bool {
	return c > ' ' && c < 0x7f && !isQuoteSign(c) && strings.IndexByte("@<>()[]{},;=|\\", c) < 0
}

// hostAt says whether a host with a dot in its name stands at text[at], and
// whether a port or a protocol makes it one for sure.
func hostAt(text string, at int) (host, exact bool) {
	end := run(text, at, min(len(text), at+96), isDotted)
	name := strings.TrimRight(text[at:end], ".")
	switch byteAt(text, end) {
	case ':':
		port := run(text, end+1, min(len(text), end+7), isDigit)
		exact = port-end > 2 && !isWord(byteAt(text, port))
	case '(':
		exact = name == "tcp" || name == "unix" || name == "tcp4" || name == "tcp6"
	}
	dot := strings.LastIndexByte(name, '.')
	return exact || dot > 0 && len(name)-dot > 2 && !isDigit(name[dot+1]), exact
}
