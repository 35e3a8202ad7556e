package redact

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
	host := keyword.start + backslashes(text, keyword.start)
	width := 1
	if host-keyword.start == 4 {
		width = 2
	} else if host-keyword.start != 2 {
		return span{}, false
	}
	end := run(text, host, min(len(text), host+maxSegment), func(c byte) bool {
		return isDotted(c) || c == '$'
	})
	share := end + backslashes(text, end)
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

func backslashes(text string, at int) int {
	return run(text, at, min(len(text), at+6), func(c byte) bool { return c == '\\' }) - at
}
