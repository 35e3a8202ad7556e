package redact

import (
	"strings"
)

// Bounds of a cookie.
const (
	minCookie  = 16
	maxCookies = 512 // How far before a cookie the name of its header may stand.
)

// findCookie finds the value of a cookie that stands for a login.
func findCookie(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-48), isCookieName)
	end := run(text, keyword.end, min(len(text), keyword.end+48), isCookieName)
	if at := strings.IndexAny(text[keyword.start:end], "=\"'\t"); at >= 0 {
		end = keyword.start + at
	}
	name := strings.ToLower(text[start:end])
	if !sessionName(name) {
		return span{}, false
	}
	at, ok := cookieValue(text, end)
	if !ok {
		return span{}, false
	}
	limit := min(len(text), at+judged)
	stop := run(text, at, limit, isCookieValue)
	value := strings.TrimRight(text[at:stop], ".:")
	if len(value) < minCookie || !isTokenValue(value) {
		return span{}, false
	}
	known := sessionParts.within(name) && byteAt(text, end) == '=' && !isUUID(value)
	if !known && !inCookies(text, start) {
		return span{}, false
	}
	if stop == limit {
		return span{at, run(text, limit, len(text), isCookieValue)}, true
	}
	return span{at, at + len(value)}, true
}

func isCookieName(c byte) bool { return isDotted(c) }

func isCookieValue(c byte) bool {
	return c > ' ' && c < 0x7f && c != ';' && c != ',' && !isQuoteSign(c) && c != '\\' && c != '<' && c != '>' && c != ')' && c != '}' && c != '&' && c != '?'
}

// cookieValue returns where the value of a cookie begins whose name ends at
// text[at].
func cookieValue(text string, at int) (int, bool) {
	switch byteAt(text, at) {
	case '=':
		return run(text, at+1, min(len(text), at+2), isQuoteSign), true
	case '\t':
		return at + 1, true
	default:
		return headerGlue(text, at)
	}
}

// sessionName says whether a cookie of that name stands for a login.
func sessionName(name string) bool {
	return sessionEnds.ends(name) || strings.Contains(name, "aspnetcore.") || strings.Contains(name, "logged_in_") ||
		strings.HasPrefix(name, "aspsessionid") || strings.HasPrefix(name, "jsessionid")
}

// inCookies says whether the text around text[at] speaks of cookies.
func inCookies(text string, at int) bool {
	line := text[max(0, at-maxCookies):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	behind := text[at:min(len(text), at+maxCookies)]
	return containsFold(line, "cookie") || containsFold(behind, "httponly") || containsFold(behind, "samesite") || strings.HasSuffix(strings.TrimRight(line, `"'`), "-b ") ||
		strings.Contains(line, "TRUE\t") || strings.Contains(line, "FALSE\t")
}
