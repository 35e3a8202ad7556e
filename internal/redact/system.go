package redact

import "strings"

func findSystem(text string, keyword span) (span, bool) {
	start, sure := pathStart(text, keyword.start)
	if !sure || start != keyword.start || byteBefore(text, start) == ':' || isRouted(text, start) {
		return span{}, false
	}
	switch word := keyword.of(text); word {
	case "/root":
		c := byteAt(text, keyword.end)
		return keyword, !isURLSafe(c) && c != '/' && c != '.' && !isBeyond(c)
	case "/volumes/", "/library/":
		return span{}, false // Written in small letters these are routes.
	case "/media/":
		if !isMedium(text, keyword.end) {
			return span{}, false
		}
	}
	if !isNameStart(byteAt(text, keyword.end)) {
		return span{}, false
	}
	// A path that is common is judged by its beginning alone, so that many of
	// them in one line do not each cost the whole line.
	beginning := run(text, keyword.end, min(len(text), keyword.end+2*maxSegment), inPath)
	if isCommonPath(strings.TrimRight(text[start:beginning], ".:!")) {
		return span{}, false
	}
	return span{start, pathEnd(text, keyword.end)}, true
}

// isMedium says whether the names behind /media are those of a user and a
// disk. A site keeps its pictures there.
func isMedium(text string, at int) bool {
	user := segment(text, at)
	name := user.of(text)
	return name != "" && !mediaPages.has(name) && !pages.has(name) && byteAt(text, user.end) == '/' && isUpper(byteAt(text, user.end+1))
}
