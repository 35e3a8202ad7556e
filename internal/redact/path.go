package redact

import "strings"

// maxSegment bounds what is read of one name in a path before it is judged.
const maxSegment = 64

// inPath says whether c continues a path that was written without quoting.
func inPath(c byte) bool {
	if c <= ' ' || c == 0x7f {
		return false
	}
	return strings.IndexByte("\"'`<>|;,()[]{}*?", c) < 0
}

// pathEnd returns the end of the path whose rest begins at text[from],
// without the signs that end a sentence.
func pathEnd(text string, from int) int {
	end := run(text, from, len(text), inPath)
	for end > from && strings.IndexByte(".:!", text[end-1]) >= 0 {
		end--
	}
	return end
}

// pathSegment returns the name in a path that begins at text[from].
func pathSegment(text string, from int) span {
	from = min(from, len(text))
	end := run(text, from, min(len(text), from+maxSegment), func(c byte) bool {
		return c != '/' && c != '\\' && inPath(c)
	})
	return span{from, end}
}

// pathStart returns where the path that goes through the slash at text[at]
// begins, and whether it surely is an absolute path of a file system.
func pathStart(text string, at int) (int, bool) {
	before := byteBefore(text, at)
	if !isWord(before) && !isBeyond(before) && strings.IndexByte("./~-)}>]*$%@", before) < 0 {
		return at, true
	}
	start := back(text, at, max(0, at-maxSegment), func(c byte) bool { return isDotted(c) || c == '/' })
	if byteAt(text, start) != '/' || !isMount(text[start:at]) {
		return at, false
	}
	before = byteBefore(text, start)
	return start, !isWord(before) && !isBeyond(before) && before != ':'
}

// isMount says whether prefix is a directory under which a whole file system
// is seen, such as a drive of Windows.
func isMount(prefix string) bool {
	if words("mount").has(prefix) {
		return true
	}
	drive := strings.TrimPrefix(strings.TrimPrefix(prefix, "/mnt"), "/cygdrive")
	return len(drive) == 2 && drive[0] == '/' && isLetter(drive[1]) || strings.HasPrefix(prefix, "/Volumes/")
}

// isRouted says whether the word in front of a path shows that it is a route
// of an HTTP service or of the pages of a site.
func isRouted(text string, start int) bool {
	word := strings.ToLower(wordBefore(text, start))
	// An attribute, not the word of a sentence.
	return words("route-word").has(word) || word == "to" && strings.HasSuffix(text[:start], "=\"")
}

// wordBefore returns the word in front of text[at], past quotes, blanks, and
// the sign of a call or an assignment.
func wordBefore(text string, at int) string {
	end := back(text, at, max(0, at-4), func(c byte) bool {
		return isQuoteOrBlank(c) || c == '(' || c == '=' || c == ':' || c == '{'
	})
	return text[back(text, end, max(0, end-10), isLetter):end]
}

// isRemote says whether the path that begins at text[at] is the one of a URL
// that opens a directory on another machine.
func isRemote(text string, at int) bool {
	start := back(text, at, max(0, at-maxSegment), inPath)
	address := text[start:at]
	return start < at &&
		(strings.Contains(address, "vscode-remote://") || strings.Contains(address, "sftp://"))
}

func findHome(text string, keyword span) (span, bool) {
	start, name, ok := homeAt(text, keyword)
	if !ok || isImageHome(name) {
		return span{}, false
	}
	return span{start, pathEnd(text, keyword.end)}, true
}

// homeAt finds "/home/<name>/<more>", "/Users/<name>" and "/root/<more>", and
// returns where the path begins and the name of the user. Where a word stands
// in front, or where the form is that of a route, the directory after the
// name must be one that homes have.
func homeAt(text string, keyword span) (start int, name string, ok bool) {
	user := pathSegment(text, keyword.end)
	name = strings.TrimRight(user.of(text), ".:!")
	if !isNameStart(byteAt(text, user.start)) {
		return 0, "", false
	}
	start, sure := pathStart(text, keyword.start)
	sure = (sure || isRemote(text, keyword.start)) && !isRouted(text, start)
	if keyword.of(text) == "/root/" {
		return start, "", sure && !words("root-cache").has(name)
	}
	if isHomeless(name) {
		return 0, "", false
	}
	child := ""
	if byteAt(text, user.end) == '/' {
		child = pathSegment(text, user.end+1).of(text)
	}
	switch keyword.of(text) {
	case "/Users/":
		ok = sure || homeChild(child)
	case "/home/":
		ok = homeChild(child) ||
			sure && (child != "" && isNameStart(child[0]) || child == "" && isUserHome(text, start, name))
	default: // In small letters /users/ is a route more often than a directory.
		ok = homeChild(child) && !isLower(child[0])
	}
	return start, name, ok
}

// isNameStart says whether c can begin the name of a file.
func isNameStart(c byte) bool { return isWord(c) || isBeyond(c) || c == '.' || c == '@' }

// isUserHome says whether "/home/<name>" with nothing below it is the home of
// an account and not the page of a site: a full name, or a command or the
// name of a directory in front of it.
func isUserHome(text string, start int, name string) bool {
	first, last, full := strings.Cut(name, ".")
	if full && len(first) > 0 && len(last) > 2 && run(last, 0, len(last), isLetter) == len(last) &&
		!words("extension").has(strings.ToLower(last)) {
		return true
	}
	return words("directory-command").has(strings.ToLower(wordBefore(text, start)))
}

// homeChild says whether name is a directory that home directories have.
func homeChild(name string) bool {
	return len(name) > 1 && name[0] == '.' && isLetter(name[1]) || words("home-child").has(name)
}

// findFileURL finds a file URL with a path.
func findFileURL(text string, keyword span) (span, bool) {
	if isAlnum(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	from := run(text, keyword.end, min(len(text), keyword.end+3), func(c byte) bool { return c == '/' })
	path := text[from:]
	if from-keyword.end == 0 && byteAt(text, pathSegment(text, from).end) != '/' {
		return span{}, false // A name beside the one who reads it.
	}
	if from-keyword.end == 1 && !isHomeOrDrive(path) {
		return span{}, false // The same on every machine that has it, or a warning as a path.
	}
	if !isNameStart(byteAt(text, from)) || strings.HasPrefix(path, "path/to") ||
		strings.HasPrefix(path, "...") {
		return span{}, false
	}
	return span{keyword.start, pathEnd(text, from)}, true
}

// isHomeOrDrive says whether the path of a URL, without the slash in front,
// begins in the directory of a user or on a drive.
func isHomeOrDrive(path string) bool {
	return words("url-home").beginsFold(path) ||
		len(path) > 1 && isLetter(path[0]) && (path[1] == ':' || path[1] == '|')
}

// isHomeless says whether the name after /home or /Users is no user: a page
// of a site, a directory that all share, or a word that stands for a name.
func isHomeless(name string) bool {
	name = strings.ToLower(name)
	return words("homeless").has(name) || words("page").has(name) || strings.HasPrefix(name, "your") ||
		strings.HasPrefix(name, "...") || strings.HasPrefix(name, "…") ||
		run(name, 0, len(name), isDigit) == len(name)
}

// isImageHome says whether name is the account of an image or a hosted
// runner. A path in its home only warns: it still is no path that a reader
// with another machine has.
func isImageHome(name string) bool { return words("image-home").has(strings.ToLower(name)) }

// driveStart returns where the letter of a drive stands in front of a colon.
func driveStart(text string, colon int) (int, bool) {
	if !isLetter(byteBefore(text, colon)) {
		return 0, false
	}
	before := byteBefore(text, colon-1)
	return colon - 1, !isWord(before) && !isBeyond(before) && before != '%'
}

// findWindowsHome finds a path in the directory of a user.
func findWindowsHome(text string, keyword span) (span, bool) {
	start, ok := driveStart(text, keyword.start)
	if !ok {
		return span{}, false
	}
	user, ok := windowsUser(text, keyword)
	if !ok || isImageHome(user.of(text)) {
		return span{}, false
	}
	return span{start, windowsEnd(text, user.start)}, true
}

// windowsUser returns where the name of the user stands in a path below the
// directory of all users. It is empty where the name is left open or none.
func windowsUser(text string, keyword span) (user span, ok bool) {
	slash := text[keyword.end-1]
	isSlash := func(c byte) bool { return c == slash }
	from := run(text, keyword.end, min(len(text), keyword.end+3), isSlash)
	end := 0
	for _, parent := range [...]string{"users", "documents and settings"} {
		if hasFold(text[from:], parent) {
			end = from + len(parent)
		}
	}
	name := run(text, end, min(len(text), end+4), isSlash)
	if end == 0 || name == end {
		return span{}, false
	}
	user = pathSegment(text, name)
	if !isNameStart(byteAt(text, user.start)) || isHomeless(user.of(text)) {
		return span{name, name}, false
	}
	return user, true
}

// windowsEnd returns the end of a path whose names may hold single blanks
// when another separator follows.
func windowsEnd(text string, from int) int {
	end := pathEnd(text, from)
	for byteAt(text, end) == ' ' {
		next := run(text, end+1, min(len(text), end+1+maxSegment), func(c byte) bool {
			return isAlnum(c) || isBeyond(c)
		})
		if next == end+1 || byteAt(text, next) != '\\' {
			return end
		}
		end = pathEnd(text, next)
	}
	return end
}

// findShare finds "\\host\share", also with each backslash doubled.
func findShare(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if before == '\\' || before == ':' || isWord(before) || isBeyond(before) || before == '.' ||
		before == ')' || before == ']' {
		return span{}, false
	}
	host := keyword.start + countBackslashes(text, keyword.start)
	width := 1
	if host-keyword.start == 4 {
		width = 2
	} else if host-keyword.start != 2 {
		return span{}, false
	}
	end := run(text, host, min(len(text), host+maxSegment), func(c byte) bool {
		return isDotted(c) || c == '$'
	})
	share := end + countBackslashes(text, end)
	if end-host < 2 || share-end != width || !isLetter(text[host]) && !isDigit(text[host]) {
		return span{}, false
	}
	name := run(text, share, min(len(text), share+maxSegment), func(c byte) bool {
		return isDotted(c) || c == '$'
	})
	if name-share < 2 {
		return span{}, false
	}
	return span{keyword.start, windowsEnd(text, share)}, true
}

func countBackslashes(text string, at int) int {
	return run(text, at, min(len(text), at+6), func(c byte) bool { return c == '\\' }) - at
}

// portEnd returns the end of the port that follows at text[at], or 0.
func portEnd(text string, at int) int {
	if byteAt(text, at) != ':' {
		return 0
	}
	end := run(text, at+1, min(len(text), at+7), isDigit)
	if end-at < 3 || end-at > 6 || isWord(byteAt(text, end)) {
		return 0
	}
	return end
}

// privateDomains are domains of which each network may have hosts of its own.
func privateDomains() []string {
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
		for _, domain := range privateDomains() {
			if !hasFold(text[at:], domain) {
				continue
			}
			if host, ok := findInternalHost(text, span{at, at + len(domain)}); ok && host.start >= from {
				b.WriteString(text[from:host.start] + shortHost(host.of(text)))
				from = host.end
			}
		}
	}
	return b.String() + text[from:]
}

// shortHost returns the first label of a host, with its port.
func shortHost(host string) string {
	name, port, found := strings.Cut(host, ":")
	name, _, _ = strings.Cut(name, ".")
	if found {
		name += ":" + port
	}
	return name
}

// findInternalHost finds a name under a domain that is not public, where it
// is the host of a URL, has a port, or is written as hosts are.
func findInternalHost(text string, keyword span) (span, bool) {
	after := byteAt(text, keyword.end)
	if isURLSafe(after) || (after == '.' && isAlnum(byteAt(text, keyword.end+1))) {
		return span{}, false
	}
	start := back(text, keyword.start, max(0, keyword.start-2*maxSegment), func(c byte) bool {
		return isAlnum(c) || c == '-' || c == '.'
	})
	name := text[start:keyword.end]
	if start == keyword.start || words("platform-host").has(strings.ToLower(name)) {
		return span{}, false
	}
	port := portEnd(text, keyword.end)
	before := byteBefore(text, start)
	found := span{start, max(keyword.end, port)}
	if strings.HasSuffix(text[:start], "://") || before == '@' || port > 0 && before != '/' {
		return found, true
	}
	if isWord(before) || isBeyond(before) || strings.IndexByte("/\\$-.%{}*:", before) >= 0 ||
		strings.IndexByte("(=[{/\\:$", after) >= 0 && after != 0 {
		return span{}, false
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
	if len(labels[0]) < 2 || words("member-label").has(labels[0]) {
		return false
	}
	switch labels[len(labels)-1] {
	case "lan", "corp", "intranet", "arpa":
		return true
	}
	return len(labels) > 2 || words("host-command").has(strings.ToLower(wordBefore(text, start)))
}

// findPrompt finds "account@machine" in front of a directory.
func findPrompt(text string, keyword span) (span, bool) {
	machine := back(text, keyword.start, max(0, keyword.start-maxSegment), isDotted)
	if machine == keyword.start || byteBefore(text, machine) != '@' {
		return span{}, false
	}
	account := back(text, machine-1, max(0, machine-1-maxSegment), isDotted)
	name, host := text[account:machine-1], text[machine:keyword.start]
	if name == "" || byteBefore(text, account) == '/' || isHomeless(name) || name == "git" ||
		words("any-host").has(strings.ToLower(host)) {
		return span{}, false
	}
	return span{account, keyword.start}, true
}
