package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// MaxSegment bounds what is read of one name in a path before it is judged.
const MaxSegment = 64

// inPath says whether c continues a path that was written without quoting.
func inPath(c byte) bool {
	if c <= ' ' || c == 0x7f {
		return false
	}
	return strings.IndexByte("\"'`<>|;,()[]{}*?", c) < 0
}

// PathEnd returns the end of the path whose rest begins at text[from],
// without the signs that end a sentence.
func PathEnd(text string, from int) int {
	end := lex.Run(text, from, len(text), inPath)
	for end > from && strings.IndexByte(".:!", text[end-1]) >= 0 {
		end--
	}
	return end
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
	if lex.ByteAt(text, start) != '/' || !isMount(text[start:at]) {
		return at, false
	}
	before = lex.ByteBefore(text, start)
	return start, !lex.IsWord(before) && !lex.IsBeyond(before) && before != ':'
}

// isMount says whether prefix is a directory under which a whole file system
// is seen, such as a drive of Windows.
func isMount(prefix string) bool {
	if rules.Words("mount").Has(prefix) {
		return true
	}
	drive := strings.TrimPrefix(strings.TrimPrefix(prefix, "/mnt"), "/cygdrive")
	return len(drive) == 2 && drive[0] == '/' && lex.IsLetter(drive[1]) ||
		strings.HasPrefix(prefix, "/Volumes/")
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

// isRemote says whether the path that begins at text[at] is the one of a URL
// that opens a directory on another machine.
func isRemote(text string, at int) bool {
	start := lex.Back(text, at, max(0, at-MaxSegment), inPath)
	address := text[start:at]
	return start < at &&
		(strings.Contains(address, "vscode-remote://") || strings.Contains(address, "sftp://"))
}

func findHome(text string, keyword lex.Span) (lex.Span, bool) {
	start, name, ok := homeAt(text, keyword)
	if !ok || isImageHome(name) {
		return lex.Span{}, false
	}
	return lex.Between(start, PathEnd(text, keyword.End)), true
}

// homeAt finds "/home/<name>/<more>", "/Users/<name>" and "/root/<more>", and
// returns where the path begins and the name of the user. Where a word stands
// in front, or where the form is that of a route, the directory after the
// name must be one that homes have.
func homeAt(text string, keyword lex.Span) (start int, name string, ok bool) {
	user := pathSegment(text, keyword.End)
	name = strings.TrimRight(user.Of(text), ".:!")
	if !IsNameStart(lex.ByteAt(text, user.Start)) {
		return 0, "", false
	}
	start, sure := pathStart(text, keyword.Start)
	sure = (sure || isRemote(text, keyword.Start)) && !IsRouted(text, start)
	if keyword.Of(text) == "/root/" {
		return start, "", sure && !rules.Words("root-cache").Has(name)
	}
	if isHomeless(name) {
		return 0, "", false
	}
	child := ""
	if lex.ByteAt(text, user.End) == '/' {
		child = pathSegment(text, user.End+1).Of(text)
	}
	switch keyword.Of(text) {
	case "/Users/":
		ok = sure || homeChild(child)
	case "/home/":
		ok = homeChild(child) ||
			sure && (child != "" && IsNameStart(child[0]) || child == "" && isUserHome(text, start, name))
	default: // In small letters /users/ is a route more often than a directory.
		ok = homeChild(child) && !lex.IsLower(child[0])
	}
	return start, name, ok
}

// IsNameStart says whether c can begin the name of a file.
func IsNameStart(c byte) bool { return lex.IsWord(c) || lex.IsBeyond(c) || c == '.' || c == '@' }

// isUserHome says whether "/home/<name>" with nothing below it is the home of
// an account and not the page of a site: a full name, or a command or the
// name of a directory in front of it.
func isUserHome(text string, start int, name string) bool {
	first, last, full := strings.Cut(name, ".")
	if full && len(first) > 0 && len(last) > 2 && lex.Run(last, 0, len(last), lex.IsLetter) == len(last) &&
		!rules.Words("extension").Has(strings.ToLower(last)) {
		return true
	}
	return rules.Words("directory-command").Has(strings.ToLower(wordBefore(text, start)))
}

// homeChild says whether name is a directory that home directories have.
func homeChild(name string) bool {
	return len(name) > 1 && name[0] == '.' && lex.IsLetter(name[1]) || rules.Words("home-child").Has(name)
}

// findFileURL finds a file URL with a path.
func findFileURL(text string, keyword lex.Span) (lex.Span, bool) {
	if lex.IsAlnum(lex.ByteBefore(text, keyword.Start)) {
		return lex.Span{}, false
	}
	from := lex.Run(text, keyword.End, min(len(text), keyword.End+3), func(c byte) bool { return c == '/' })
	path := text[from:]
	if from-keyword.End == 0 && lex.ByteAt(text, pathSegment(text, from).End) != '/' {
		return lex.Span{}, false // A name beside the one who reads it.
	}
	if from-keyword.End == 1 && !isHomeOrDrive(path) {
		return lex.Span{}, false // The same on every machine that has it, or a warning as a path.
	}
	if !IsNameStart(lex.ByteAt(text, from)) || strings.HasPrefix(path, "path/to") ||
		strings.HasPrefix(path, "...") {
		return lex.Span{}, false
	}
	return lex.Between(keyword.Start, PathEnd(text, from)), true
}

// isHomeOrDrive says whether the path of a URL, without the slash in front,
// begins in the directory of a user or on a drive.
func isHomeOrDrive(path string) bool {
	return rules.Words("url-home").BeginsFold(path) ||
		len(path) > 1 && lex.IsLetter(path[0]) && (path[1] == ':' || path[1] == '|')
}

// isHomeless says whether the name after /home or /Users is no user: a page
// of a site, a directory that all share, or a word that stands for a name.
func isHomeless(name string) bool {
	name = strings.ToLower(name)
	return rules.Words("homeless").Has(name) || rules.Words("page").Has(name) ||
		strings.HasPrefix(name, "your") ||
		strings.HasPrefix(name, "...") || strings.HasPrefix(name, "…") ||
		lex.Run(name, 0, len(name), lex.IsDigit) == len(name)
}

// isImageHome says whether name is the account of an image or a hosted
// runner. A path in its home only warns: it still is no path that a reader
// with another machine has.
func isImageHome(name string) bool { return rules.Words("image-home").Has(strings.ToLower(name)) }

// driveStart returns where the letter of a drive stands in front of a colon.
func driveStart(text string, colon int) (int, bool) {
	if !lex.IsLetter(lex.ByteBefore(text, colon)) {
		return 0, false
	}
	before := lex.ByteBefore(text, colon-1)
	return colon - 1, !lex.IsWord(before) && !lex.IsBeyond(before) && before != '%'
}

// findWindowsHome finds a path in the directory of a user.
func findWindowsHome(text string, keyword lex.Span) (lex.Span, bool) {
	start, ok := driveStart(text, keyword.Start)
	if !ok {
		return lex.Span{}, false
	}
	user, ok := windowsUser(text, keyword)
	if !ok || isImageHome(user.Of(text)) {
		return lex.Span{}, false
	}
	return lex.Between(start, windowsEnd(text, user.Start)), true
}

// windowsUser returns where the name of the user stands in a path below the
// directory of all users. It is empty where the name is left open or none.
func windowsUser(text string, keyword lex.Span) (user lex.Span, ok bool) {
	slash := text[keyword.End-1]
	isSlash := func(c byte) bool { return c == slash }
	from := lex.Run(text, keyword.End, min(len(text), keyword.End+3), isSlash)
	end := 0
	for _, parent := range [...]string{"users", "documents and settings"} {
		if lex.HasFold(text[from:], parent) {
			end = from + len(parent)
		}
	}
	name := lex.Run(text, end, min(len(text), end+4), isSlash)
	if end == 0 || name == end {
		return lex.Span{}, false
	}
	user = pathSegment(text, name)
	if !IsNameStart(lex.ByteAt(text, user.Start)) || isHomeless(user.Of(text)) {
		return lex.Between(name, name), false
	}
	return user, true
}

// windowsEnd returns the end of a path whose names may hold single blanks
// when another separator follows.
func windowsEnd(text string, from int) int {
	end := PathEnd(text, from)
	for lex.ByteAt(text, end) == ' ' {
		next := lex.Run(text, end+1, min(len(text), end+1+MaxSegment), func(c byte) bool {
			return lex.IsAlnum(c) || lex.IsBeyond(c)
		})
		if next == end+1 || lex.ByteAt(text, next) != '\\' {
			return end
		}
		end = PathEnd(text, next)
	}
	return end
}

// findShare finds "\\host\share", also with each backslash doubled.
func findShare(text string, keyword lex.Span) (lex.Span, bool) {
	before := lex.ByteBefore(text, keyword.Start)
	if before == '\\' || before == ':' || lex.IsWord(before) || lex.IsBeyond(before) || before == '.' ||
		before == ')' || before == ']' {
		return lex.Span{}, false
	}
	host := keyword.Start + countBackslashes(text, keyword.Start)
	width := 1
	if host-keyword.Start == 4 {
		width = 2
	} else if host-keyword.Start != 2 {
		return lex.Span{}, false
	}
	end := lex.Run(text, host, min(len(text), host+MaxSegment), func(c byte) bool {
		return lex.IsDotted(c) || c == '$'
	})
	share := end + countBackslashes(text, end)
	if end-host < 2 || share-end != width || !lex.IsLetter(text[host]) && !lex.IsDigit(text[host]) {
		return lex.Span{}, false
	}
	name := lex.Run(text, share, min(len(text), share+MaxSegment), func(c byte) bool {
		return lex.IsDotted(c) || c == '$'
	})
	if name-share < 2 {
		return lex.Span{}, false
	}
	return lex.Between(keyword.Start, windowsEnd(text, share)), true
}

func countBackslashes(text string, at int) int {
	return lex.Run(text, at, min(len(text), at+6), func(c byte) bool { return c == '\\' }) - at
}

// portEnd returns the end of the port that follows at text[at], or 0.
func portEnd(text string, at int) int {
	if lex.ByteAt(text, at) != ':' {
		return 0
	}
	end := lex.Run(text, at+1, min(len(text), at+7), lex.IsDigit)
	if end-at < 3 || end-at > 6 || lex.IsWord(lex.ByteAt(text, end)) {
		return 0
	}
	return end
}

// PrivateDomains are domains of which each network may have hosts of its own.
func PrivateDomains() []string {
	return []string{".internal", ".corp", ".lan", ".local", ".intranet", ".localdomain", ".home.arpa"}
}

// ShortHosts returns text with the first label in the place of each host that only one network knows, as
// [Relative] writes it. It costs next to nothing where none stands there.
func ShortHosts(text string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); at++ {
		if text[at] != '.' {
			continue
		}
		for _, domain := range PrivateDomains() {
			if !lex.HasFold(text[at:], domain) {
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
	port := portEnd(text, keyword.End)
	before := lex.ByteBefore(text, start)
	found := lex.Between(start, max(keyword.End, port))
	if strings.HasSuffix(text[:start], "://") || before == '@' || port > 0 && before != '/' {
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
	for _, label := range labels {
		if label == "" || label != strings.ToLower(label) {
			return false
		}
	}
	if len(labels[0]) < 2 || rules.Words("member-label").Has(labels[0]) {
		return false
	}
	switch labels[len(labels)-1] {
	case "lan", "corp", "intranet", "arpa":
		return true
	}
	return len(labels) > 2 || rules.Words("host-command").Has(strings.ToLower(wordBefore(text, start)))
}

// findPrompt finds "account@machine" in front of a directory.
func findPrompt(text string, keyword lex.Span) (lex.Span, bool) {
	machine := lex.Back(text, keyword.Start, max(0, keyword.Start-MaxSegment), lex.IsDotted)
	if machine == keyword.Start || lex.ByteBefore(text, machine) != '@' {
		return lex.Span{}, false
	}
	account := lex.Back(text, machine-1, max(0, machine-1-MaxSegment), lex.IsDotted)
	name, host := text[account:machine-1], text[machine:keyword.Start]
	if name == "" || lex.ByteBefore(text, account) == '/' || isHomeless(name) || name == "git" ||
		rules.Words("any-host").Has(strings.ToLower(host)) {
		return lex.Span{}, false
	}
	return lex.Between(account, keyword.Start), true
}
