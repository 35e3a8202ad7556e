package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// MaxSegment bounds what is read of one name in a path before it is judged.
const MaxSegment = 64

// inPath says whether c continues a path that was written without quoting.
func inPath(c byte) bool {
	return c > ' ' && strings.IndexByte("\"'`<>|;,()[]{}*?\x7f", c) < 0
}

// PathEnd returns the end of the path whose rest begins at text[from],
// without the signs that end a sentence.
func PathEnd(text string, from int) int {
	return from + len(strings.TrimRight(text[from:lex.Run(text, from, len(text), inPath)], ".:!"))
}

// pathSegment returns the name in a path that begins at text[from].
func pathSegment(text string, from int) lex.Span {
	from = min(from, len(text))
	end := lex.Run(text, from, min(len(text), from+MaxSegment), func(c byte) bool {
		return c != '/' && c != '\\' && inPath(c)
	})
	return lex.Between(from, end)
}

// pathStart returns where the path that goes through the slash at text[at]
// begins, and whether it surely is an absolute path of a file system.
func pathStart(text string, at int) (int, bool) {
	before := lex.ByteBefore(text, at)
	if !lex.IsWord(before) && !lex.IsBeyond(before) && strings.IndexByte("./~-)}>]*$%@", before) < 0 {
		return at, true
	}
	start := lex.Back(text, at, max(0, at-MaxSegment),
		func(c byte) bool { return lex.IsDotted(c) || c == '/' })
	// A directory under which a whole file system is seen, such as a drive of Windows.
	prefix := text[start:at]
	drive := strings.TrimPrefix(strings.TrimPrefix(prefix, "/mnt"), "/cygdrive")
	if rules.Words("mount").Has(prefix) || strings.HasPrefix(prefix, "/Volumes/") ||
		len(drive) == 2 && drive[0] == '/' && lex.IsLetter(drive[1]) {
		return start, true
	}
	return at, false
}

// IsRouted says whether the word in front of a path shows that it is a route
// of an HTTP service or of the pages of a site.
func IsRouted(text string, start int) bool {
	word := strings.ToLower(wordBefore(text, start))
	// An attribute, not the word of a sentence.
	return rules.Words("route-word").Has(word) || word == "to" && strings.HasSuffix(text[:start], "=\"")
}

// wordBefore returns the word in front of text[at], past quotes, blanks, and
// the sign of a call or an assignment.
func wordBefore(text string, at int) string {
	end := lex.Back(text, at, max(0, at-4), func(c byte) bool {
		return lex.IsQuoteOrBlank(c) || c == '(' || c == '=' || c == ':' || c == '{'
	})
	return text[lex.Back(text, end, max(0, end-10), lex.IsLetter):end]
}

// findHome finds "/home/<name>/<more>", "/Users/<name>" and "/root/<more>". Where a word stands
// in front, or where the form is that of a route, the directory after the
// name must be one that homes have.
func findHome(text string, keyword lex.Span) (lex.Span, bool) {
	user := pathSegment(text, keyword.End)
	name := strings.TrimRight(user.Of(text), ".:!")
	root := keyword.Of(text) == "/root/"
	if !IsNameStart(lex.ByteAt(text, user.Start)) || !root && judge.IsHomeless(name) {
		return lex.Span{}, false
	}
	start, sure := pathStart(text, keyword.Start)
	// A URL may open a directory on another machine.
	remote := text[lex.Back(text, keyword.Start, max(0, keyword.Start-MaxSegment), inPath):keyword.Start]
	sure = (sure || strings.Contains(remote, "vscode-remote://") || strings.Contains(remote, "sftp://")) &&
		!IsRouted(text, start)
	child := ""
	if lex.ByteAt(text, user.End) == '/' {
		child = pathSegment(text, user.End+1).Of(text)
	}
	below := len(child) > 1 && child[0] == '.' || rules.Words("home-child").Has(child)
	ok := false
	switch keyword.Of(text) {
	case "/root/":
		ok = sure && !rules.Words("root-cache").Has(name)
	case "/Users/":
		ok = sure || below
	case "/home/":
		// With nothing below it is the home of an account and not the page of a site: a full name, or a
		// command or the name of a directory in front of it.
		first, last, _ := strings.Cut(name, ".")
		full := first != "" && len(last) > 2 && lex.Run(last, 0, len(last), lex.IsLetter) == len(last) &&
			!rules.Words("extension").Has(strings.ToLower(last))
		ok = below || sure && (child != "" || full ||
			rules.Words("directory-command").Has(strings.ToLower(wordBefore(text, start))))
	default: // In small letters /users/ is a route more often than a directory.
		ok = below && !lex.IsLower(child[0])
	}
	if !ok {
		return lex.Span{}, false
	}
	return lex.Between(start, PathEnd(text, keyword.End)), true
}

// IsNameStart says whether c can begin the name of a file.
func IsNameStart(c byte) bool { return lex.IsWord(c) || lex.IsBeyond(c) || c == '.' || c == '@' }

// ShortHosts returns text with the first label in the place of each host that only one network knows, as
// [Relative] writes it. It costs next to nothing where none stands there.
func ShortHosts(text string) string {
	var b strings.Builder
	from := 0
	for at := range len(text) {
		for _, domain := range rules.Words("private-domain").List() {
			if text[at] != '.' || !lex.HasFold(text[at:], domain) {
				continue
			}
			if host, ok := findInternalHost(text, lex.Between(at, at+len(domain))); ok && host.Start >= from {
				b.WriteString(text[from:host.Start] + ShortHost(host.Of(text)))
				from = host.End
			}
		}
	}
	return b.String() + text[from:]
}

// ShortHost returns the first label of a host, with its port.
func ShortHost(host string) string {
	name, port, found := strings.Cut(host, ":")
	name, _, _ = strings.Cut(name, ".")
	if found {
		name += ":" + port
	}
	return name
}

// findInternalHost finds a name under a domain that is not public, where it
// is the host of a URL, has a port, or is written as hosts are.
func findInternalHost(text string, keyword lex.Span) (lex.Span, bool) {
	after := lex.ByteAt(text, keyword.End)
	if lex.IsURLSafe(after) || (after == '.' && lex.IsAlnum(lex.ByteAt(text, keyword.End+1))) {
		return lex.Span{}, false
	}
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-2*MaxSegment), func(c byte) bool {
		return lex.IsAlnum(c) || c == '-' || c == '.'
	})
	name := text[start:keyword.End]
	if start == keyword.Start || rules.Words("platform-host").Has(strings.ToLower(name)) {
		return lex.Span{}, false
	}
	before := lex.ByteBefore(text, start)
	found := lex.Between(start, keyword.End)
	if after == ':' {
		port := lex.Run(text, keyword.End+1, min(len(text), keyword.End+7), lex.IsDigit)
		if port-keyword.End > 2 && !lex.IsWord(lex.ByteAt(text, port)) {
			found.End = port
		}
	}
	if strings.HasSuffix(text[:start], "://") || before == '@' || found.End > keyword.End && before != '/' {
		return found, true
	}
	if lex.IsWord(before) || lex.IsBeyond(before) || strings.IndexByte("/\\$-.%{}*:", before) >= 0 ||
		strings.IndexByte("(=[{/\\:$", after) >= 0 && after != 0 {
		return lex.Span{}, false
	}
	return found, isHostName(text, start, name)
}

// isHostName says whether a name that stands alone under a domain that is
// not public is a host. Files and members of programs end in the same words,
// so most domains ask for two labels, or for the word of a command in front.
func isHostName(text string, start int, name string) bool {
	labels := strings.Split(name, ".")
	if len(labels[0]) < 2 || rules.Words("member-label").Has(labels[0]) || name != strings.ToLower(name) ||
		strings.Contains(name, "..") {
		return false
	}
	return len(labels) > 2 || rules.Words("host-domain").Has(labels[len(labels)-1]) ||
		rules.Words("host-command").Has(strings.ToLower(wordBefore(text, start)))
}
