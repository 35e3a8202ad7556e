package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// maxUserinfo bounds what is read as the user and password of a URL.
const maxUserinfo = 8192

// findUserinfo finds the password between the scheme and the host, or a
// token that stands in the place of the user.
func findUserinfo(text string, keyword lex.Span) (lex.Span, bool) {
	if !lex.IsAlnum(lex.ByteBefore(text, keyword.Start)) {
		return lex.Span{}, false
	}
	begin := keyword.End
	at := userinfoEnd(text, begin)
	if at < 0 || text[begin] == '[' { // The address of a host.
		return lex.Span{}, false
	}
	user, password, both := strings.Cut(text[begin:at], ":")
	if both && password != "" && !judge.UrlFiller(password) {
		return lex.Between(at-len(password), at),
			len(password) > 1 && (password != user || judge.StrongArgument(password))
	}
	// The token may stand in front of a filler such as x-oauth-basic. Some schemes know no user, so that a
	// short one counts.
	scheme := text[lex.Back(text, keyword.Start, max(0, keyword.Start-12), lex.IsAlnum):keyword.Start]
	short := rules.Words("token-scheme").Has(strings.ToLower(scheme)) && len(user) >= minToken &&
		judge.IsTokenValue(user)
	return lex.Between(begin, begin+len(user)), (short || len(user) >= 20) && lex.HasDigit(user) &&
		lex.HasLetter(user) && !judge.IsPlaceholder(user)
}

// userinfoEnd returns where the sign "@" stands that ends the userinfo which
// begins at from, or -1. A password may hold a slash or another "@".
func userinfoEnd(text string, from int) int {
	at := -1
	for i, end := from, lex.Run(text, from, min(len(text), from+maxUserinfo), inURL); i < end; i++ {
		switch text[i] {
		case '@':
			at = i
		case '/', '?', '#':
			// Before the first of them a colon that no port follows opens a password.
			_, port, ok := strings.Cut(text[from:i], ":")
			if at >= 0 || !ok || lex.Run(port, 0, len(port), lex.IsDigit) == len(port) {
				return at
			}
		}
	}
	if at >= 0 && strings.IndexByte(text[from:at], '?') >= 0 {
		return -1 // An address in a parameter.
	}
	return at
}

// inURL says whether c can stand in a URL that was written without quoting.
func inURL(c byte) bool { return c > ' ' && strings.IndexByte("\"<>'`", c) < 0 }

// maxParameter bounds the name of a parameter.
const maxParameter = 40

// findParameterValue finds the value of a parameter that is named for a secret.
func findParameterValue(text string, keyword lex.Span) (lex.Span, bool) {
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-maxParameter), lex.IsDotted)
	if isOfBadge(text, start) {
		return lex.Span{}, false
	}
	if c := lex.ByteBefore(text, start); c != '?' && c != '&' && c != '#' &&
		(c != ';' || !strings.HasSuffix(text[:start], "&amp;")) {
		return lex.Span{}, false
	}
	name := strings.ToLower(strings.TrimRight(text[start:keyword.End], "="))
	return valueRun(text, keyword.End, isParameter, ".,:;)]}", func(value string) bool {
		if len(value) < 4 || strings.Contains(strings.TrimRight(value, "="), "=") ||
			judge.IsVariableRef(value) ||
			rules.Words("harmless-parameter").Begins(name) {
			return false
		}
		short := rules.Words("short-parameter").Has(name)
		if short && (judge.IsULID(value) || judge.IsUUID(value) && name != "key") {
			return false
		}
		return judge.IsTokenValue(value) &&
			(len(value) >= 16 || !short && len(value) >= 10 && lex.ClassesOf(value).Digit >= 2)
	})
}

// isOfBadge says whether text[at] is in the first parameter of the address of a badge: who shows the picture
// publishes its token.
func isOfBadge(text string, at int) bool {
	return strings.HasSuffix(strings.TrimSuffix(text[:at], "token="), ".svg?")
}

func isParameter(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("&#\"'`<>\\", c) < 0
}
