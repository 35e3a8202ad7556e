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

// segment returns the name in a path that begins at text[from].
func segment(text string, from int) span {
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
