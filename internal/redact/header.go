package redact

import (
	"encoding/base64"
	"strings"
)

func findCredentials(text string, keyword span) (span, bool) {
	switch fold(text[keyword.start+1]) {
	case 'u':
		if namesType(text, keyword.start) {
			return span{}, false
		}
		at, ok := headerGlue(text, keyword.end)
		if !ok {
			return span{}, false
		}
		return findAuthorization(text, at)
	case 'a':
		return findBasic(text, keyword.end)
	default:
		// Finds a token behind the word alone. A short one needs a sign that the word is not one
		// of a sentence.
		least := 16
		if text[keyword.start] == 'B' || isQuoteSign(byteBefore(text, keyword.start)) ||
			byteBefore(text, keyword.start) == ':' {
			least = minToken
		}
		at := keyword.end
		if open := run(text, at, min(len(text), at+5), func(c byte) bool {
			return strings.IndexByte("${'\"+ ", c) >= 0
		}); isQuoteSign(byteBefore(text, open)) {
			at = open // A literal that is put into a text.
		}
		return findOpaque(text, at, least)
	}
}

// namesType says whether the word that goes on at text[at] is a type in a namespace: AWS::IAM::Key.
func namesType(text string, at int) bool {
	return strings.HasSuffix(text[:back(text, at, max(0, at-maxName), isWord)], "::")
}

// minToken is the least length of a token that stands where nothing else can.
const minToken = 8

func isQuoteOrBlank(c byte) bool { return isBlank(c) || c == '"' || c == '\'' || c == '`' || c == '\\' }

// headerGlue steps over what stands between the name of a header and its
// value: a colon, or what languages and formats write for it.
func headerGlue(text string, at int) (int, bool) {
	limit := min(len(text), at+40)
	sign := false
	for at < limit {
		c := text[at]
		switch {
		case c == ':' || c == '=' || c == '>' || c == ',' && isQuoteSign(byteBefore(text, at)):
			sign = true
		case c == '\n' || c == '\r':
			if !hasFold(text[run(text, at, limit, func(c byte) bool { return isSpace(c) || c == '"' }):],
				"value") {
				return at, false
			}
		case hasFold(text[at:], "value") && !isWord(byteAt(text, at+len("value"))) &&
			!isWord(byteBefore(text, at)):
			at += len("value") - 1
		case !isQuoteOrBlank(c) && strings.IndexByte("])}(", c) < 0:
			return at, sign
		}
		at++
	}
	return at, sign
}

// findAuthorization finds the secret in the value of a header that begins at
// text[at].
func findAuthorization(text string, at int) (span, bool) {
	end := run(text, at, min(len(text), at+24), isURLSafe)
	if byteAt(text, end) != ' ' {
		return findOpaque(text, skipName(text, at), minToken)
	}
	scheme := strings.ToLower(text[at:end])
	at = end + 1
	switch {
	case scheme == "basic":
		if secret, ok := findBasic(text, at); ok {
			return secret, true
		}
		return findOpaque(text, at, 32)
	case scheme == "digest":
		return findParameter(text, at, "response=")
	case strings.HasPrefix(scheme, "aws4-"), strings.HasPrefix(scheme, "goog4-"):
		return findParameter(text, at, "signature=")
	case scheme == "hawk":
		return findParameter(text, at, "mac=")
	case scheme == "oauth":
		if secret, ok := findParameter(text, at, "oauth_signature="); ok {
			return secret, true
		}
	case scheme == "aws", strings.HasPrefix(scheme, "sharedkey"):
		account := run(text, at, min(len(text), at+64), isDotted)
		if byteAt(text, account) == ':' {
			return findOpaque(text, account+1, minToken)
		}
	case scheme == "sharedaccesssignature":
		return findParameter(text, at, "sig=")
	}
	return findOpaque(text, skipName(text, at), minToken)
}

// skipName steps over the name of a parameter, such as token="…".
func skipName(text string, at int) int {
	end := run(text, at, min(len(text), at+16), isWord)
	if byteAt(text, end) != '=' || byteAt(text, end+1) == '=' ||
		!isOpaque(byteAt(text, end+1)) && !isQuoteSign(byteAt(text, end+1)) {
		return at
	}
	return run(text, end+1, min(len(text), end+3), func(c byte) bool { return isQuoteSign(c) || c == '\\' })
}

// findParameter finds the value of a parameter of a header.
func findParameter(text string, at int, name string) (span, bool) {
	const longest = 1024
	rest := text[at:min(len(text), at+longest)]
	if line := strings.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	for from := 0; from+len(name) <= len(rest); from++ {
		if hasFold(rest[from:], name) && !isWord(byteBefore(rest, from)) {
			start := run(rest, from+len(name), len(rest), func(c byte) bool {
				return isQuoteSign(c) || c == '\\'
			})
			return findOpaque(text, at+start, 16)
		}
	}
	return span{}, false
}

// findOpaque finds a token of at least so many characters that is no word.
func findOpaque(text string, at, least int) (span, bool) {
	at = run(text, at, min(len(text), at+4), isBlank)
	if command := "$(echo "; strings.HasPrefix(text[at:], command) {
		at += len(command)
	}
	limit := min(len(text), at+judged)
	end := run(text, at, limit, isOpaque)
	token := strings.TrimRight(text[at:end], ".,:|")
	cutShort := strings.HasPrefix(text[end:], "…") || strings.HasSuffix(text[at:end], "...")
	if len(token) < least || !isTokenValue(token) || cutShort {
		return span{}, false
	}
	if end == limit {
		return span{at, run(text, end, len(text), isOpaque)}, true
	}
	return span{at, at + len(token)}, true
}

func isCredential(c byte) bool { return isBase64(c) || c == '.' || c == '~' || c == ':' }
func isOpaque(c byte) bool     { return isCredential(c) || c == '|' || c == '%' }

// isTokenValue says whether a machine made a token, as far as its beginning
// shows.
func isTokenValue(token string) bool {
	const head = 64
	token = token[:min(len(token), head)]
	n := classesOf(token)
	switch {
	case n.digit > 0 && n.lower+n.upper == 0 && len(token) < 20:
		return false
	case n.digit == 0 && (n.lower == 0 || n.upper == 0 || len(token) < 20):
		return isLetterJumble(token)
	default:
		return !isIdentifier(token) &&
			!words("sample-token").has(
				strings.Trim(strings.ToLower(strings.TrimRight(token, "0123456789")), "-_.")) &&
			!isVariableRef(token) && !isPlaceholder(token)
	}
}

// findBasic finds base64 that decodes to a user and a password.
func findBasic(text string, at int) (span, bool) {
	at = run(text, at, min(len(text), at+4), isBlank)
	end := run(text, at, min(len(text), at+4*judged), isBase64)
	password, ok := basicPassword(text[at:end])
	return span{at, end}, ok && !urlFiller(password) && !isVariableRef(password)
}

// basicPassword returns the password of credentials in base64.
func basicPassword(encoded string) (string, bool) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(encoded, "-_") {
		encoding = base64.RawURLEncoding
	}
	decoded, err := encoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil || !isReadable(decoded) {
		return "", false
	}
	_, password, ok := strings.Cut(string(decoded), ":")
	return password, ok && password != ""
}

// findHeaderSecret finds the value of a header whose name ends as that of a
// secret does.
func findHeaderSecret(text string, keyword span) (span, bool) {
	if before := byteBefore(text, keyword.start); isWord(before) ||
		fold(text[keyword.start]) == 'x' && before == '-' {
		return span{}, false
	}
	start := back(text, keyword.start, max(0, keyword.start-16), isURLSafe)
	end := run(text, keyword.end, min(len(text), keyword.end+48), isURLSafe)
	if name := strings.ToLower(text[start:end]); namesType(text, start) || words("harmless-header").ends(name) ||
		!words("secret-header").ends(name) {
		return span{}, false
	}
	at, ok := headerGlue(text, end)
	if !ok {
		return span{}, false
	}
	return findOpaque(text, at, minToken)
}

// Bounds of a cookie.
const (
	minCookie  = 16
	maxCookies = 512 // How far before a cookie the name of its header may stand.
)

// findCookie finds the value of a cookie that stands for a login.
func findCookie(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-48), isDotted)
	end := run(text, keyword.end, min(len(text), keyword.end+48), isDotted)
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
	known := words("session-part").within(name) && byteAt(text, end) == '=' && !isUUID(value)
	if !known && !inCookies(text, start) {
		return span{}, false
	}
	if stop == limit {
		return span{at, run(text, limit, len(text), isCookieValue)}, true
	}
	return span{at, at + len(value)}, true
}

func isCookieValue(c byte) bool {
	return c > ' ' && c < 0x7f && c != ';' && c != ',' && !isQuoteSign(c) && c != '\\' && c != '<' &&
		c != '>' && c != ')' && c != '}' && c != '&' && c != '?'
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
	return words("session-end").ends(name) || strings.Contains(name, "aspnetcore.") ||
		strings.Contains(name, "logged_in_") ||
		strings.HasPrefix(name, "aspsessionid") || strings.HasPrefix(name, "jsessionid")
}

// inCookies says whether the text around text[at] speaks of cookies.
func inCookies(text string, at int) bool {
	line := text[max(0, at-maxCookies):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	behind := text[at:min(len(text), at+maxCookies)]
	return containsFold(line, "cookie") || containsFold(behind, "httponly") ||
		containsFold(behind, "samesite") || strings.HasSuffix(strings.TrimRight(line, `"'`), "-b ") ||
		strings.Contains(line, "TRUE\t") || strings.Contains(line, "FALSE\t")
}
