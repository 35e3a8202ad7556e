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
		if rules.Words("password-option").Ends(name) {
			return judge.SecretArgument(value) && judge.StrongArgument(value)
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

// findHostCredential finds the password in "user:password@host" without a
// scheme.
func findHostCredential(text string, keyword lex.Span) (lex.Span, bool) {
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-96), isUserinfo)
	user, password, _ := strings.Cut(text[start:keyword.Start], ":")
	first, rest, call := strings.Cut(password, ":")
	if call { // The address of a call: sip:1001:…@host.
		user, password = first, rest
	}
	if len(password) < 6 || !lex.IsAlnum(lex.ByteAt(user, 0)) ||
		lex.Run(user, 0, len(user), lex.IsDotted) < len(user) ||
		rules.Words("not-a-user").Has(strings.ToLower(user)) ||
		strings.IndexByte("/@\\", lex.ByteBefore(text, start)) >= 0 {
		return lex.Span{}, false
	}
	n := lex.ClassesOf(password)
	if !judge.StrongWord(password) || n.Digit == 0 || n.Lower+n.Upper == 0 ||
		strings.ContainsAny(password, "/:") {
		return lex.Span{}, false
	}
	// A host has a dot in its name, and a port or a protocol makes it one for sure.
	at := keyword.Start + 1
	end := lex.Run(text, at, min(len(text), at+96), lex.IsDotted)
	host := strings.TrimRight(text[at:end], ".")
	port := lex.Run(text, min(len(text), end+1), min(len(text), end+7), lex.IsDigit)
	exact := lex.ByteAt(text, end) == ':' && port-end > 2 && !lex.IsWord(lex.ByteAt(text, port)) ||
		lex.ByteAt(text, end) == '(' && (strings.HasPrefix(host, "tcp") || host == "unix")
	dot := strings.LastIndexByte(host, '.')
	return lex.Between(keyword.Start-len(password), keyword.Start),
		exact || dot > 0 && len(host)-dot > 2 && !lex.IsDigit(host[dot+1]) &&
			(call || judge.CountMarks(password) > 0 || n.Upper > 0 && n.Lower > 0 && n.Digit > 1)
}

func isUserinfo(c byte) bool {
	return c > ' ' && c < 0x7f && !lex.IsQuote(c) && strings.IndexByte("@<>()[]{},;=|\\", c) < 0
}
