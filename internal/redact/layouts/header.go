package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

func findCredentials(text string, keyword lex.Span) (lex.Span, bool) {
	switch lex.Fold(text[keyword.Start+1]) {
	case 'u':
		if namesType(text, keyword.Start) {
			return lex.Span{}, false
		}
		at, ok := headerGlue(text, keyword.End)
		if !ok {
			return lex.Span{}, false
		}
		return findAuthorization(text, at)
	case 'a':
		return findBasic(text, keyword.End)
	default:
		// Finds a token behind the word alone. A short one needs a sign that the word is not one
		// of a sentence.
		least := 16
		if text[keyword.Start] == 'B' || lex.IsQuote(lex.ByteBefore(text, keyword.Start)) ||
			lex.ByteBefore(text, keyword.Start) == ':' {
			least = minToken
		}
		at := keyword.End
		if open := lex.Run(text, at, min(len(text), at+5), func(c byte) bool {
			return strings.IndexByte("${'\"+ ", c) >= 0
		}); lex.IsQuote(lex.ByteBefore(text, open)) {
			at = open // A literal that is put into a text.
		}
		return findOpaque(text, at, least)
	}
}

// namesType says whether the word that goes on at text[at] is a type in a namespace: AWS::IAM::Key.
func namesType(text string, at int) bool {
	return strings.HasSuffix(text[:lex.Back(text, at, max(0, at-judge.MaxName), lex.IsWord)], "::")
}

// minToken is the least length of a token that stands where nothing else can.
const minToken = 8

// headerGlue steps over what stands between the name of a header and its
// value: a colon, or what languages and formats write for it.
func headerGlue(text string, at int) (int, bool) {
	limit := min(len(text), at+40)
	sign := false
	for at < limit {
		c := text[at]
		switch {
		case c == ':' || c == '=' || c == '>' || c == ',' && lex.IsQuote(lex.ByteBefore(text, at)):
			sign = true
		case c == '\n' || c == '\r':
			if !lex.HasFold(text[lex.Run(text, at, limit,
				func(c byte) bool { return lex.IsSpace(c) || c == '"' }):],
				"value") {
				return at, false
			}
		case lex.HasFold(text[at:], "value") && !lex.IsWord(lex.ByteAt(text, at+len("value"))) &&
			!lex.IsWord(lex.ByteBefore(text, at)):
			at += len("value") - 1
		case !lex.IsQuoteOrBlank(c) && strings.IndexByte("])}(", c) < 0:
			return at, sign
		}
		at++
	}
	return at, sign
}

// findAuthorization finds the secret in the value of a header that begins at
// text[at].
func findAuthorization(text string, at int) (lex.Span, bool) {
	end := lex.Run(text, at, min(len(text), at+24), lex.IsURLSafe)
	if lex.ByteAt(text, end) != ' ' {
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
		account := lex.Run(text, at, min(len(text), at+64), lex.IsDotted)
		if lex.ByteAt(text, account) == ':' {
			return findOpaque(text, account+1, minToken)
		}
	case scheme == "sharedaccesssignature":
		return findParameter(text, at, "sig=")
	}
	return findOpaque(text, skipName(text, at), minToken)
}

// skipName steps over the name of a parameter, such as token="…".
func skipName(text string, at int) int {
	end := lex.Run(text, at, min(len(text), at+16), lex.IsWord)
	if lex.ByteAt(text, end) != '=' || lex.ByteAt(text, end+1) == '=' ||
		!isOpaque(lex.ByteAt(text, end+1)) && !lex.IsQuote(lex.ByteAt(text, end+1)) {
		return at
	}
	return lex.Run(text, end+1, min(len(text), end+3),
		func(c byte) bool { return lex.IsQuote(c) || c == '\\' })
}

// findParameter finds the value of a parameter of a header.
func findParameter(text string, at int, name string) (lex.Span, bool) {
	const longest = 1024
	rest := text[at:min(len(text), at+longest)]
	if line := strings.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	for from := 0; from+len(name) <= len(rest); from++ {
		if lex.HasFold(rest[from:], name) && !lex.IsWord(lex.ByteBefore(rest, from)) {
			start := lex.Run(rest, from+len(name), len(rest), func(c byte) bool {
				return lex.IsQuote(c) || c == '\\'
			})
			return findOpaque(text, at+start, 16)
		}
	}
	return lex.Span{}, false
}

// findOpaque finds a token of at least so many characters that is no word.
func findOpaque(text string, at, least int) (lex.Span, bool) {
	at = lex.Run(text, at, min(len(text), at+4), lex.IsBlank)
	if command := "$(echo "; strings.HasPrefix(text[at:], command) {
		at += len(command)
	}
	limit := min(len(text), at+judged)
	end := lex.Run(text, at, limit, isOpaque)
	token := strings.TrimRight(text[at:end], ".,:|")
	cutShort := strings.HasPrefix(text[end:], "…") || strings.HasSuffix(text[at:end], "...")
	if len(token) < least || !judge.IsTokenValue(token) || cutShort {
		return lex.Span{}, false
	}
	if end == limit {
		return lex.Between(at, lex.Run(text, end, len(text), isOpaque)), true
	}
	return lex.Between(at, at+len(token)), true
}

func isCredential(c byte) bool { return lex.IsBase64(c) || c == '.' || c == '~' || c == ':' }
func isOpaque(c byte) bool     { return isCredential(c) || c == '|' || c == '%' }

// findBasic finds base64 that decodes to a user and a password.
func findBasic(text string, at int) (lex.Span, bool) {
	at = lex.Run(text, at, min(len(text), at+4), lex.IsBlank)
	end := lex.Run(text, at, min(len(text), at+4*judged), lex.IsBase64)
	password, ok := judge.BasicPassword(text[at:end])
	return lex.Between(at, end), ok && !judge.UrlFiller(password) && !judge.IsVariableRef(password)
}

// findHeaderSecret finds the value of a header whose name ends as that of a
// secret does.
func findHeaderSecret(text string, keyword lex.Span) (lex.Span, bool) {
	if before := lex.ByteBefore(text, keyword.Start); lex.IsWord(before) ||
		lex.Fold(text[keyword.Start]) == 'x' && before == '-' {
		return lex.Span{}, false
	}
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-16), lex.IsURLSafe)
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+48), lex.IsURLSafe)
	if name := strings.ToLower(text[start:end]); namesType(text, start) ||
		rules.Words("harmless-header").Ends(name) ||
		!rules.Words("secret-header").Ends(name) {
		return lex.Span{}, false
	}
	at, ok := headerGlue(text, end)
	if !ok {
		return lex.Span{}, false
	}
	return findOpaque(text, at, minToken)
}

// Bounds of a cookie.
const (
	minCookie  = 16
	maxCookies = 512 // How far before a cookie the name of its header may stand.
)

// findCookie finds the value of a cookie that stands for a login.
func findCookie(text string, keyword lex.Span) (lex.Span, bool) {
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-48), lex.IsDotted)
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+48), lex.IsDotted)
	if at := strings.IndexAny(text[keyword.Start:end], "=\"'\t"); at >= 0 {
		end = keyword.Start + at
	}
	name := strings.ToLower(text[start:end])
	if !sessionName(name) {
		return lex.Span{}, false
	}
	at, ok := cookieValue(text, end)
	if !ok {
		return lex.Span{}, false
	}
	limit := min(len(text), at+judged)
	stop := lex.Run(text, at, limit, isCookieValue)
	value := strings.TrimRight(text[at:stop], ".:")
	if len(value) < minCookie || !judge.IsTokenValue(value) {
		return lex.Span{}, false
	}
	known := rules.Words("session-part").Within(name) && lex.ByteAt(text, end) == '=' && !judge.IsUUID(value)
	if !known && !inCookies(text, start) {
		return lex.Span{}, false
	}
	if stop == limit {
		return lex.Between(at, lex.Run(text, limit, len(text), isCookieValue)), true
	}
	return lex.Between(at, at+len(value)), true
}

func isCookieValue(c byte) bool {
	return c > ' ' && c < 0x7f && c != ';' && c != ',' && !lex.IsQuote(c) && c != '\\' && c != '<' &&
		c != '>' && c != ')' && c != '}' && c != '&' && c != '?'
}

// cookieValue returns where the value of a cookie begins whose name ends at
// text[at].
func cookieValue(text string, at int) (int, bool) {
	switch lex.ByteAt(text, at) {
	case '=':
		return lex.Run(text, at+1, min(len(text), at+2), lex.IsQuote), true
	case '\t':
		return at + 1, true
	default:
		return headerGlue(text, at)
	}
}

// sessionName says whether a cookie of that name stands for a login.
func sessionName(name string) bool {
	return rules.Words("session-end").Ends(name) || strings.Contains(name, "aspnetcore.") ||
		strings.Contains(name, "logged_in_") ||
		strings.HasPrefix(name, "aspsessionid") || strings.HasPrefix(name, "jsessionid")
}

// inCookies says whether the text around text[at] speaks of cookies.
func inCookies(text string, at int) bool {
	line := text[max(0, at-maxCookies):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	behind := text[at:min(len(text), at+maxCookies)]
	return lex.ContainsFold(line, "cookie") || lex.ContainsFold(behind, "httponly") ||
		lex.ContainsFold(behind, "samesite") || strings.HasSuffix(strings.TrimRight(line, `"'`), "-b ") ||
		strings.Contains(line, "TRUE\t") || strings.Contains(line, "FALSE\t")
}
