package redact

import (
	"strings"
)

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
	user = segment(text, name)
	if !isNameStart(byteAt(text, user.start)) || isHomeless(user.of(text)) {
		return span{name, name}, false
	}
	return user, true
}

// findDrive finds a path after the letter of a drive that is in no home, or
// in that of an image. With forward slashes, which volumes of containers have
// too, it must be a capital and two names.
func findDrive(text string, keyword span) (span, bool) {
	start, ok := driveStart(text, keyword.start)
	if !ok {
		return span{}, false
	}
	user, ok := windowsUser(text, keyword)
	if ok {
		if !isImageHome(user.of(text)) {
			return span{}, false
		}
		return span{start, windowsEnd(text, user.start)}, true
	}
	slash := text[keyword.end-1]
	from := run(text, keyword.end, min(len(text), keyword.end+3), func(c byte) bool { return c == slash })
	name := segment(text, from)
	if user.end > 0 || name.start == name.end || !isNameStart(text[from]) || words("system-drive").beginsFold(text[from:]) || isSampleDrive(name.of(text)) {
		return span{}, false
	}
	next := byteAt(text, name.end)
	if slash == '\\' {
		// A single name may be an escape of a line end and what follows it.
		if next != '\\' && next != ' ' && strings.IndexByte("nrt", text[from]) >= 0 {
			return span{}, false
		}
		return span{start, windowsEnd(text, from)}, true
	}
	if from > keyword.end || next != '/' || !isNameStart(byteAt(text, name.end+1)) || !isUpper(text[start]) {
		return span{}, false
	}
	return span{start, windowsEnd(text, from)}, true
}

// windowsEnd returns the end of a path whose names may hold single blanks
// when another separator follows.
func windowsEnd(text string, from int) int {
	end := pathEnd(text, from)
	for byteAt(text, end) == ' ' {
		next := run(text, end+1, min(len(text), end+1+maxSegment), func(c byte) bool { return isAlnum(c) || isBeyond(c) })
		if next == end+1 || byteAt(text, next) != '\\' {
			return end
		}
		end = pathEnd(text, next)
	}
	return end
}

func findSystemDrive(text string, keyword span) (span, bool) {
	start, ok := driveStart(text, keyword.start)
	if !ok || words("common-drive").beginsFold(text[start+1:]) {
		return span{}, false
	}
	return span{start, windowsEnd(text, keyword.end)}, true
}

// isSampleDrive says whether the first name behind a drive stands for any, is
// the directory of all users, or a verb of a format behind an escape.
func isSampleDrive(name string) bool {
	return words("sample-drive").has(strings.ToLower(name)) || strings.IndexByte(name, '%') >= 0
}

// findShare finds "\\host\share", also with each backslash doubled.
func findShare(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if before == '\\' || before == ':' || isWord(before) || isBeyond(before) || before == '.' || before == ')' || before == ']' {
		return span{}, false
	}
	host := keyword.start + backslashes(text, keyword.start)
	width := 1
	if host-keyword.start == 4 {
		width = 2
	} else if host-keyword.start != 2 {
		return span{}, false
	}
	end := run(text, host, min(len(text), host+maxSegment), func(c byte) bool { return isDotted(c) || c == '$' })
	share := end + backslashes(text, end)
	if end-host < 2 || share-end != width || !isLetter(text[host]) && !isDigit(text[host]) {
		return span{}, false
	}
	name := run(text, share, min(len(text), share+maxSegment), func(c byte) bool { return isDotted(c) || c == '$' })
	if name-share < 2 {
		return span{}, false
	}
	return span{keyword.start, windowsEnd(text, share)}, true
}

func backslashes(text string, at int) int {
	return run(text, at, min(len(text), at+6), func(c byte) bool { return c == '\\' }) - at
}
