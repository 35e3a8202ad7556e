package redact

import (
	"encoding/base64"
	"strings"
)

// headerRules are credentials in headers of HTTP requests.
func headerRules() []Rule {
	return []Rule{{
		ID: "authorization-header", Severity: Block,
		Why:      "looks like the credentials of an HTTP request",
		Advice:   "revoke them, and write the request without the header",
		keywords: []string{"bearer ", "basic ", "authorization"},
		find:     findCredentials, member: headerMember,
	}}
}

func findCredentials(text string, keyword span) (span, bool) {
	switch word := keyword.of(text); fold(word[1]) {
	case 'u':
		return findHeader(text, keyword)
	case 'a':
		return findBasic(text, keyword.end)
	default:
		return findOpaque(text, keyword.end)
	}
}

// findHeader finds the last word of a header such as "Authorization: token x".
func findHeader(text string, keyword span) (span, bool) {
	at := run(text, keyword.end, min(len(text), keyword.end+4), isQuoteOrBlank)
	if c := byteAt(text, at); c != ':' && c != '=' {
		return span{}, false
	}
	at = run(text, at+1, min(len(text), at+6), isQuoteOrBlank)
	word := run(text, at, min(len(text), at+16), isLetter)
	if byteAt(text, word) != ' ' {
		return findOpaque(text, at)
	}
	if strings.EqualFold(text[at:word], "basic") {
		return findBasic(text, word+1)
	}
	return findOpaque(text, word+1)
}

func isQuoteOrBlank(c byte) bool { return isBlank(c) || c == '"' || c == '\'' || c == '`' || c == '\\' }

// findOpaque finds a token of at least 16 characters that is no word.
func findOpaque(text string, at int) (span, bool) {
	at = run(text, at, min(len(text), at+4), isBlank)
	limit := min(len(text), at+judged)
	end := run(text, at, limit, isCredential)
	token := strings.TrimRight(text[at:end], ".,:")
	n := classesOf(token)
	if len(token) < 16 || n.digit == 0 || n.lower+n.upper == 0 || placeholder(token) || identifier(token) {
		return span{}, false
	}
	if end == limit {
		return span{at, run(text, end, len(text), isCredential)}, true
	}
	return span{at, at + len(token)}, true
}

func isCredential(c byte) bool { return isBase64(c) || c == '.' || c == '~' || c == ':' }

// findBasic finds base64 that decodes to a user and a password.
func findBasic(text string, at int) (span, bool) {
	at = run(text, at, min(len(text), at+4), isBlank)
	end := run(text, at, min(len(text), at+4*judged), isBase64)
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text[at:end], "="))
	if err != nil || !readable(decoded) {
		return span{}, false
	}
	_, password, ok := strings.Cut(string(decoded), ":")
	if !ok || password == "" || urlFiller(password) {
		return span{}, false
	}
	return span{at, end}, true
}

// headerMember judges the value of a member that is named as a header.
func headerMember(name, value string) (span, bool) {
	if !strings.HasSuffix(strings.ToLower(name), "authorization") {
		return span{}, false
	}
	scheme := run(value, 0, min(len(value), 16), isLetter)
	if byteAt(value, scheme) != ' ' {
		return findOpaque(value, 0)
	}
	if strings.EqualFold(value[:scheme], "basic") {
		return findBasic(value, scheme)
	}
	return findOpaque(value, scheme)
}
