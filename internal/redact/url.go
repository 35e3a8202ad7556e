package redact

import (
	"strings"
)

// maxUserinfo bounds what is read as the user and password of a URL.
const maxUserinfo = 8192

// findUserinfo finds the password between the scheme and the host, or a
// token that stands in the place of the user.
func findUserinfo(text string, keyword span) (span, bool) {
	if !isAlnum(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	begin := keyword.end
	at := userinfoEnd(text, begin)
	if at < 0 {
		return span{}, false
	}
	user, password, both := strings.Cut(text[begin:at], ":")
	secret := span{begin + len(user) + 1, at}
	switch {
	case !both:
		return span{begin, at}, tokenUser(text, keyword.start, user)
	case password == "" || urlFiller(password):
		// The token may stand in front of a filler such as x-oauth-basic.
		n := classesOf(user)
		return span{begin, begin + len(user)}, len(user) >= 20 && n.digit > 0 && !isPlaceholder(user)
	default:
		return secret, len(password) > 1 && (password != user || strongArgument(password))
	}
}

// tokenUser says whether what stands in the place of a user is a token. Some
// schemes know no user, so that a short one counts.
func tokenUser(text string, scheme int, user string) bool {
	n := classesOf(user)
	if len(user) >= 20 {
		return n.digit > 0 && n.lower+n.upper > 0 && !isPlaceholder(user)
	}
	return words("token-scheme").has(
		strings.ToLower(text[back(text, scheme, max(0, scheme-12), isAlnum):scheme])) &&
		len(user) >= minToken && isTokenValue(user)
}

// userinfoEnd returns where the sign "@" stands that ends the userinfo which
// begins at from, or -1. A password may hold a slash or another "@".
func userinfoEnd(text string, from int) int {
	at, slash := -1, -1
	limit := min(len(text), from+maxUserinfo)
	end := run(text, from, limit, inURL)
	for i := from; i < end; i++ {
		switch text[i] {
		case '@':
			at = i
		case '/', '?', '#':
			if slash < 0 {
				slash = i
			}
			if at >= 0 || !openPassword(text[from:i]) {
				return at
			}
		}
	}
	if slash >= 0 && at >= 0 && strings.ContainsAny(text[from:at], "?") {
		return -1
	}
	return at
}

// inURL says whether c can stand in a URL that was written without quoting.
func inURL(c byte) bool { return c > ' ' && c != '"' && c != '<' && c != '>' && c != '\'' && c != '`' }

// openPassword says whether s, which stands before the first slash of a URL,
// has a colon that no port number follows.
func openPassword(s string) bool {
	_, port, ok := strings.Cut(s, ":")
	return ok && run(port, 0, len(port), isDigit) < len(port)
}

// urlFiller says whether a password in a URL stands for none. Unlike a value
// of an assignment, a short word is a real password here.
func urlFiller(password string) bool {
	if words("url-filler").has(strings.ToLower(password)) || len(password) >= 4 && countDistinct(password) == 1 ||
		password[len(password)-1] == ']' || password[0] == '{' && password[len(password)-1] == '}' {
		return true
	}
	return isReference(password) || fillerWord(password) || plainWord(strings.ToLower(password))
}

// Bounds of a parameter.
const (
	maxParameter = 40 // Of its name.
	minKey       = 16
	minCode      = 20
)

// findParameterValue finds the value of a parameter that is named for a secret.
func findParameterValue(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-maxParameter), isDotted)
	if c := byteBefore(text, start); c != '?' && c != '&' && c != '#' &&
		(c != ';' || !strings.HasSuffix(text[:start], "&amp;")) {
		return span{}, false
	}
	at := keyword.end
	end := run(text, at, min(len(text), at+judged), isParameter)
	value := strings.TrimRight(text[at:end], ".,:;)]}")
	name := strings.ToLower(strings.TrimRight(text[start:keyword.end], "="))
	if !secretParameter(name, value) {
		return span{}, false
	}
	if end == at+judged {
		return span{at, run(text, end, len(text), isParameter)}, true
	}
	return span{at, at + len(value)}, true
}

func isParameter(c byte) bool {
	return c > ' ' && c < 0x7f && c != '&' && c != '#' && !isQuoteSign(c) && c != '<' && c != '>' &&
		c != '\\' && c != '"'
}

// secretParameter says whether a parameter holds a secret: whether its name is
// that of one and its value looks like one.
func secretParameter(name, value string) bool {
	switch {
	case len(value) < 4 || strings.Contains(strings.TrimRight(value, "="), "=") || isVariableRef(value) ||
		words("harmless-parameter").begins(name):
		return false
	case strings.HasSuffix(name, "password"), strings.HasSuffix(name, "passwd"),
		strings.HasSuffix(name, "pwd"), strings.HasSuffix(name, "pass"),
		strings.HasSuffix(name, "passphrase"):
		return secretArgument(value) && strongArgument(value)
	case name == "code" || name == "ticket" || name == "assertion":
		return len(value) >= minCode && isTokenValue(value) && !isUUID(value)
	case name == "key" && isUUID(value):
		return true
	case name == "key" || name == "session" || name == "sid" || name == "auth":
		return len(value) >= minKey && isTokenValue(value) && !isUUID(value) && !isULID(value)
	default:
		return len(value) >= minKey && isTokenValue(value) ||
			len(value) >= 10 && isTokenValue(value) && classesOf(value).digit >= 2
	}
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
	if !ok || len(password) < 6 || user == "" || !isAlnum(user[0]) ||
		run(user, 0, len(user), isDotted) < len(user) || words("not-a-user").has(strings.ToLower(user)) {
		return span{}, false
	}
	if c := byteBefore(text, start); c == '/' || c == '@' || c == '\\' {
		return span{}, false
	}
	n := classesOf(password)
	if !secretArgument(password) || isIdentifier(password) || n.digit == 0 || n.lower+n.upper == 0 ||
		strings.ContainsAny(password, "/:") || isVersion(password) {
		return span{}, false
	}
	secret := span{keyword.start - len(password), keyword.start}
	host, exact := hostAt(text, keyword.start+1)
	return secret, host && (exact || call || countMarks(password) > 0 || n.upper > 0 && n.lower > 0 && n.digit > 1)
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
