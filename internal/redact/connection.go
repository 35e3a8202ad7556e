package redact

import "strings"

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
