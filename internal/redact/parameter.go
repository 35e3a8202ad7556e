package redact

import (
	"strings"
)

// Bounds of a parameter.
const (
	maxParameter = 40 // Of its name.
	minKey       = 16
	minCode      = 20
)

// findParameterValue finds the value of a parameter that is named for a secret.
func findParameterValue(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-maxParameter), isDotted)
	if c := byteBefore(text, start); c != '?' && c != '&' && c != '#' && (c != ';' || !strings.HasSuffix(text[:start], "&amp;")) {
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
	return c > ' ' && c < 0x7f && c != '&' && c != '#' && !isQuoteSign(c) && c != '<' && c != '>' && c != '\\' && c != '"'
}

// secretParameter says whether a parameter holds a secret: whether its name is
// that of one and its value looks like one.
func secretParameter(name, value string) bool {
	switch {
	case len(value) < 4 || strings.Contains(strings.TrimRight(value, "="), "=") || variable(value) || harmlessParameters.begins(name):
		return false
	case strings.HasSuffix(name, "password"), strings.HasSuffix(name, "passwd"), strings.HasSuffix(name, "pwd"), strings.HasSuffix(name, "pass"),
		strings.HasSuffix(name, "passphrase"):
		return secretArgument(value) && strongArgument(value)
	case name == "code" || name == "ticket" || name == "assertion":
		return len(value) >= minCode && isTokenValue(value) && !isUUID(value)
	case name == "key" || name == "session" || name == "sid" || name == "auth":
		return len(value) >= minKey && isTokenValue(value) && !isUUID(value) && !isULID(value)
	default:
		return len(value) >= minKey && isTokenValue(value) || len(value) >= 10 && isTokenValue(value) && classesOf(value).digit >= 2
	}
}
