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
	if at < 0 {
		return lex.Span{}, false
	}
	user, password, both := strings.Cut(text[begin:at], ":")
	secret := lex.Between(begin+len(user)+1, at)
	switch {
	case !both:
		return lex.Between(begin, at), tokenUser(text, keyword.Start, user)
	case password == "" || judge.UrlFiller(password):
		// The token may stand in front of a filler such as x-oauth-basic.
		n := lex.ClassesOf(user)
		return lex.Between(begin, begin+len(user)), len(user) >= 20 && n.Digit > 0 &&
			!judge.IsPlaceholder(user)
	default:
		return secret, len(password) > 1 && (password != user || judge.StrongArgument(password))
	}
}

// tokenUser says whether what stands in the place of a user is a token. Some
// schemes know no user, so that a short one counts.
func tokenUser(text string, scheme int, user string) bool {
	n := lex.ClassesOf(user)
	if len(user) >= 20 {
		return n.Digit > 0 && n.Lower+n.Upper > 0 && !judge.IsPlaceholder(user)
	}
	return rules.Words("token-scheme").Has(
		strings.ToLower(text[lex.Back(text, scheme, max(0, scheme-12), lex.IsAlnum):scheme])) &&
		len(user) >= minToken && judge.IsTokenValue(user)
}

// userinfoEnd returns where the sign "@" stands that ends the userinfo which
// begins at from, or -1. A password may hold a slash or another "@".
func userinfoEnd(text string, from int) int {
	at, slash := -1, -1
	limit := min(len(text), from+maxUserinfo)
	end := lex.Run(text, from, limit, inURL)
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
	return ok && lex.Run(port, 0, len(port), lex.IsDigit) < len(port)
}

// Bounds of a parameter.
const (
	maxParameter = 40 // Of its name.
	minKey       = 16
	minCode      = 20
)

// findParameterValue finds the value of a parameter that is named for a secret.
func findParameterValue(text string, keyword lex.Span) (lex.Span, bool) {
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-maxParameter), lex.IsDotted)
	if c := lex.ByteBefore(text, start); c != '?' && c != '&' && c != '#' &&
		(c != ';' || !strings.HasSuffix(text[:start], "&amp;")) {
		return lex.Span{}, false
	}
	at := keyword.End
	end := lex.Run(text, at, min(len(text), at+judged), isParameter)
	value := strings.TrimRight(text[at:end], ".,:;)]}")
	name := strings.ToLower(strings.TrimRight(text[start:keyword.End], "="))
	if !secretParameter(name, value) {
		return lex.Span{}, false
	}
	if end == at+judged {
		return lex.Between(at, lex.Run(text, end, len(text), isParameter)), true
	}
	return lex.Between(at, at+len(value)), true
}

func isParameter(c byte) bool {
	return c > ' ' && c < 0x7f && c != '&' && c != '#' && !lex.IsQuote(c) && c != '<' && c != '>' &&
		c != '\\' && c != '"'
}

// secretParameter says whether a parameter holds a secret: whether its name is
// that of one and its value looks like one.
func secretParameter(name, value string) bool {
	switch {
	case len(value) < 4 || strings.Contains(strings.TrimRight(value, "="), "=") ||
		judge.IsVariableRef(value) ||
		rules.Words("harmless-parameter").Begins(name):
		return false
	case strings.HasSuffix(name, "password"), strings.HasSuffix(name, "passwd"),
		strings.HasSuffix(name, "pwd"), strings.HasSuffix(name, "pass"),
		strings.HasSuffix(name, "passphrase"):
		return judge.SecretArgument(value) && judge.StrongArgument(value)
	case name == "code" || name == "ticket" || name == "assertion":
		return len(value) >= minCode && judge.IsTokenValue(value) && !judge.IsUUID(value)
	case name == "key" && judge.IsUUID(value):
		return true
	case name == "key" || name == "session" || name == "sid" || name == "auth":
		return len(value) >= minKey && judge.IsTokenValue(value) && !judge.IsUUID(value) &&
			!judge.IsULID(value)
	default:
		return len(value) >= minKey && judge.IsTokenValue(value) ||
			len(value) >= 10 && judge.IsTokenValue(value) && lex.ClassesOf(value).Digit >= 2
	}
}

// findHostCredential finds the password in "user:password@host" without a
// scheme.
func findHostCredential(text string, keyword lex.Span) (lex.Span, bool) {
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-96), isUserinfo)
	user, password, ok := strings.Cut(text[start:keyword.Start], ":")
	call := strings.HasPrefix(user, "sip") && strings.Contains(password, ":")
	if call {
		user, password, ok = strings.Cut(password, ":")
	}
	if !ok || len(password) < 6 || user == "" || !lex.IsAlnum(user[0]) ||
		lex.Run(user, 0, len(user), lex.IsDotted) < len(user) ||
		rules.Words("not-a-user").Has(strings.ToLower(user)) {
		return lex.Span{}, false
	}
	if c := lex.ByteBefore(text, start); c == '/' || c == '@' || c == '\\' {
		return lex.Span{}, false
	}
	n := lex.ClassesOf(password)
	if !judge.SecretArgument(password) || judge.IsIdentifier(password) || n.Digit == 0 ||
		n.Lower+n.Upper == 0 ||
		strings.ContainsAny(password, "/:") || judge.IsVersion(password) {
		return lex.Span{}, false
	}
	secret := lex.Between(keyword.Start-len(password), keyword.Start)
	host, exact := hostAt(text, keyword.Start+1)
	return secret, host &&
		(exact || call || judge.CountMarks(password) > 0 || n.Upper > 0 && n.Lower > 0 && n.Digit > 1)
}

func isUserinfo(c byte) bool {
	return c > ' ' && c < 0x7f && !lex.IsQuote(c) && strings.IndexByte("@<>()[]{},;=|\\", c) < 0
}

// hostAt says whether a host with a dot in its name stands at text[at], and
// whether a port or a protocol makes it one for sure.
func hostAt(text string, at int) (host, exact bool) {
	end := lex.Run(text, at, min(len(text), at+96), lex.IsDotted)
	name := strings.TrimRight(text[at:end], ".")
	switch lex.ByteAt(text, end) {
	case ':':
		port := lex.Run(text, end+1, min(len(text), end+7), lex.IsDigit)
		exact = port-end > 2 && !lex.IsWord(lex.ByteAt(text, port))
	case '(':
		exact = name == "tcp" || name == "unix" || name == "tcp4" || name == "tcp6"
	}
	dot := strings.LastIndexByte(name, '.')
	return exact || dot > 0 && len(name)-dot > 2 && !lex.IsDigit(name[dot+1]), exact
}
