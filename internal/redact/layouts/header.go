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
		if at := headerValue(text, keyword.End); at > 0 && !namesType(text, keyword.Start) {
			return findAuthorization(text, at)
		}
		return lex.Span{}, false
	case 'a': // Base64 that decodes to a user and a password.
		at := lex.Run(text, keyword.End, min(len(text), keyword.End+4), lex.IsBlank)
		end := lex.Run(text, at, min(len(text), at+4*judged), lex.IsBase64)
		return lex.Between(at, end), judge.IsLogin(text[at:end])
	default: // A token behind the word alone, or in a literal that is put into a text.
		at := lex.Run(text, keyword.End, min(len(text), keyword.End+5), func(c byte) bool {
			return strings.IndexByte("${'\"+ ", c) >= 0
		})
		return findOpaque(text, at, 16)
	}
}

// namesType says whether the word that goes on at text[at] is a type in a namespace: AWS::IAM::Key.
func namesType(text string, at int) bool {
	return strings.HasSuffix(text[:lex.Back(text, at, max(0, at-judge.MaxName), lex.IsWord)], "::")
}

// minToken is the least length of a token that stands where nothing else can.
const minToken = 8

// headerValue returns where the value of the header begins whose name ends at text[at], behind a colon, or
// what languages and formats write for it. It is 0 where nothing of that stands there.
func headerValue(text string, at int) int {
	g := readGlue(text, at)
	next := lex.Run(text, g.at, min(len(text), g.at+maxGlue), lex.IsSpace)
	if lex.HasFold(text[next:], `"value"`) { // The value of a member has a line of its own.
		g = readGlue(text, next)
	}
	if first := lex.ByteAt(text, at); !g.signs && first != '\t' || first == ',' || first == '|' {
		return 0
	}
	return g.at
}

// findAuthorization finds the secret in the value of a header that begins at
// text[at].
func findAuthorization(text string, at int) (lex.Span, bool) {
	scheme := lex.Run(text, at, min(len(text), at+24), lex.IsURLSafe)
	if lex.ByteAt(text, scheme) == ' ' {
		name := strings.ToLower(text[at:scheme])
		at = scheme + 1
		if name == "basic" {
			return findOpaque(text, at, 32)
		}
		for _, row := range rules.Words("signature").List() {
			known, parameter, _ := strings.Cut(row, ",")
			if !strings.HasPrefix(name, known) {
				continue
			}
			rest, _, _ := strings.Cut(text[at:min(len(text), at+maxCookies)], "\n")
			if from := strings.Index(rest, parameter); from >= 0 {
				return findOpaque(text, at+lex.Run(rest, from+len(parameter), len(rest), lex.IsQuote), 16)
			}
		}
	}
	// The name of a parameter, such as token="…".
	end := lex.Run(text, at, min(len(text), at+16), lex.IsWord)
	if next := lex.ByteAt(text, end+1); lex.ByteAt(text, end) == '=' && (lex.IsAlnum(next) ||
		lex.IsQuote(next)) {
		at = lex.Run(text, end+1, min(len(text), end+3), lex.IsQuote)
	}
	return findOpaque(text, at, minToken)
}

// findOpaque finds a token of at least so many characters that is no word.
func findOpaque(text string, at, least int) (lex.Span, bool) {
	at = lex.Run(text, at, min(len(text), at+4), lex.IsBlank)
	return valueRun(text, at, lex.IsToken, ".,:|", func(token string) bool {
		rest := text[at+len(token):]
		return len(token) >= least && judge.IsTokenValue(token) && !strings.HasPrefix(rest, "…") &&
			!strings.HasPrefix(rest, "...")
	})
}

// valueRun returns the bytes of a class from text[at] on, without the signs that end a sentence, where they
// are accepted. Of what is longer than is judged it returns all.
func valueRun(text string, at int, in func(byte) bool, signs string, accepts func(string) bool) (lex.Span,
	bool,
) {
	end := lex.Run(text, at, min(len(text), at+judged), in)
	value := strings.TrimRight(text[at:end], signs)
	if !accepts(value) {
		return lex.Span{}, false
	}
	if end-at == judged {
		return lex.Between(at, lex.Run(text, end, len(text), in)), true
	}
	return lex.Between(at, at+len(value)), true
}

// findHeaderSecret finds the value of a header whose name ends as that of a
// secret does.
func findHeaderSecret(text string, keyword lex.Span) (lex.Span, bool) {
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+48), lex.IsURLSafe)
	name := strings.ToLower(text[keyword.Start:end])
	at := headerValue(text, end)
	if at == 0 || lex.IsWord(lex.ByteBefore(text, keyword.Start)) || namesType(text, keyword.Start) ||
		rules.Words("harmless-header").Ends(name) || !rules.Words("secret-header").Ends(name) {
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
	at := headerValue(text, end)
	if at == 0 || !rules.Words("session-end").Ends(name) && !rules.Words("session-begin").Within(name) {
		return lex.Span{}, false
	}
	// The text around it may speak of cookies.
	line, behind := text[max(0, start-maxCookies):start], text[start:min(len(text), start+maxCookies)]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return valueRun(text, at, isCookieValue, ".:", func(value string) bool {
		return len(value) >= minCookie && judge.IsTokenValue(value) && (lex.IndexFold(line, "cookie") >= 0 ||
			strings.Contains(line, "\tTRUE\t") ||
			strings.HasSuffix(strings.TrimRight(line, `"'`), "-b ") || lex.IndexFold(behind, "httponly") >= 0 ||
			lex.IndexFold(behind, "samesite") >= 0 || rules.Words("session-part").Within(name))
	})
}

func isCookieValue(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte(";,\"'`\\<>)}&?", c) < 0
}
