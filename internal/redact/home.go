package redact

import "strings"

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
	user := segment(text, keyword.end)
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
		child = segment(text, user.end+1).of(text)
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
	if from-keyword.end == 0 && byteAt(text, segment(text, from).end) != '/' {
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
