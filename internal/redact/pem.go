package redact

import (
	"strings"
	"unicode/utf8"
)

// Bounds of what is read of a block.
const (
	maxBlock  = 64 << 10
	maxLabel  = 64
	maxHeader = 1024 // Before the first line of the body.
	minLine   = 16   // A line of a body, whatever its width.
)

// findPEM finds a private key block by the first or the last line of it. A
// block whose last line is missing reaches as far as its body does.
func findPEM(text string, keyword span) (span, bool) {
	if fold(text[keyword.start]) != 'b' {
		at := keyword.start + strings.IndexAny(keyword.of(text), "eE")
		end, ok := privateLabel(text, keyword.end)
		if !ok {
			return span{}, false
		}
		if byteBefore(text, at) == ' ' {
			at--
		}
		start, ok := bodyStart(text, dashesBefore(text, at))
		return span{start, end}, ok
	}
	start := keyword.start
	if byteBefore(text, start) == ' ' {
		start--
	}
	start = dashesBefore(text, start)
	if keyword.start-start < 2 {
		line := strings.IndexByte(text[keyword.end:min(len(text), keyword.end+maxLabel)], '\n')
		if before := byteBefore(text, keyword.start); line < 0 || before != 0 && before != '\n' {
			return span{}, false
		}
		end := keyword.end + line
		next := run(text, end, min(len(text), end+8), isSpace)
		first := run(text, next, len(text), isBody)
		if first-next < 2*minLine || !isPrivateLabel(text[keyword.end:end]) {
			return span{}, false
		}
		return span{keyword.start, bodyEnd(text, end)}, true
	}
	end, ok := privateLabel(text, keyword.end)
	if !ok {
		return span{}, false
	}
	if !hasKeyLine(text[end:min(len(text), end+maxHeader)]) {
		return span{}, false
	}
	footer := pemFooter(text, end)
	if !hasKeyLine(text[end:min(footer.start, end+maxHeader)]) {
		return span{}, false
	}
	if footer.end > footer.start {
		return span{start, footer.end}, true
	}
	return span{start, bodyEnd(text, end)}, true
}

// dashesBefore returns where the dashes begin that end at text[at], in ASCII
// or as a program for prose makes them.
func dashesBefore(text string, at int) int {
	for range 8 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if !isAnyDash(r) {
			break
		}
		at -= size
	}
	return at
}

func isAnyDash(r rune) bool {
	return r == '-' || 0x2010 <= r && r <= 0x2015 || r == 0x2212 || r == 0x2500
}

// privateLabel says whether the label at text[at] is that of a private key,
// and returns the end of its line. The label may be broken over lines.
func privateLabel(text string, at int) (int, bool) {
	limit := min(len(text), at+maxLabel)
	end := at
	for end < limit && !strings.HasPrefix(text[end:], "--") && !isBeyond(text[end]) && text[end] != '<' &&
		text[end] != '"' {
		end++
	}
	label := text[at:end]
	if dash := strings.LastIndexByte(label, '-'); dash > 0 && end == limit {
		label, end = label[:dash], at+dash
	}
	if !isPrivateLabel(label) {
		return 0, false
	}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isAnyDash(r) {
			break
		}
		end += size
	}
	return end, true
}

func isPrivateLabel(label string) bool {
	label = strings.NewReplacer(`\r`, " ", `\n`, " ", "_", " ").Replace(label)
	label = strings.ToLower(strings.Join(strings.Fields(label), " "))
	return words("private-label").ends(label)
}

// pemFooter returns the last line of a block that begins before text[from],
// or an empty span at the end of what can belong to it, which is at the latest
// where another block begins.
func pemFooter(text string, from int) span {
	limit := min(len(text), from+maxBlock)
	for at := from; at+4 < limit; at++ {
		if fold(text[at]) == 'b' && text[at-1] == '-' && hasFold(text[at:], "begin ") {
			return span{at, at}
		}
		if fold(text[at]) != 'e' || !hasFold(text[at:], "end ") {
			continue
		}
		start := at
		if text[at-1] == ' ' {
			start--
		}
		start = max(from, dashesBefore(text, start))
		if at-start < 2 {
			continue
		}
		if end, ok := privateLabel(text, at+len("end ")); ok {
			for strings.HasPrefix(text[end:], `\n`) || strings.HasPrefix(text[end:], `\r`) {
				end += 2
			}
			return span{start, end}
		}
	}
	return span{limit, limit}
}

func isBody(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

// hasKeyLine says whether text holds a run of base64 that is no word.
func hasKeyLine(text string) bool {
	for at := 0; at < len(text); at++ {
		end := run(text, at, len(text), isBody)
		if end-at >= minLine && isKeyLine(text[at:end]) {
			return true
		}
		at = end
	}
	return false
}

func isKeyLine(line string) bool {
	n := classesOf(line)
	return (n.digit > 0 || n.upper > 0 && n.lower > 0) && !isIdentifier(line) && countDistinct(line) > fewDistinct
}

// bodyEnd returns the end of the lines of base64 from text[at] on, whatever
// stands between them: blanks, quotes, signs of a quotation or of a list, and
// escapes of line ends.
func bodyEnd(text string, at int) int {
	end := at
	for {
		next := run(text, at, min(len(text), at+24), isBetweenLines)
		next = skipEscape(text, next)
		line := run(text, next, len(text), func(c byte) bool { return isBody(c) && c != '=' })
		line = run(text, line, min(len(text), line+2), func(c byte) bool { return c == '=' })
		size := line - next
		if text[end-1] == '=' && next == end {
			return end
		}
		whole := line == len(text) || strings.IndexByte("\r\n\"'\\", text[line]) >= 0
		if size == 0 || size < minLine && (!whole || !isKeyLine(text[next:line]) && text[line-1] != '=') {
			return end
		}
		end, at = line, line
	}
}

func isBetweenLines(c byte) bool {
	return isSpace(c) || strings.IndexByte(`>"'\,|-*.;`, c) >= 0
}

// skipEscape steps over the letter of an escaped line end.
func skipEscape(text string, at int) int {
	for at < len(text) && byteBefore(text, at) == '\\' && (text[at] == 'n' || text[at] == 'r') {
		at = run(text, at+1, min(len(text), at+24), isBetweenLines)
	}
	return at
}

// bodyStart returns where the lines of base64 begin that end at text[at].
func bodyStart(text string, at int) (int, bool) {
	start, lines := at, 0
	for limit := max(0, at-maxBlock); ; lines++ {
		end := back(text, start, max(limit, start-24), func(c byte) bool {
			return isBetweenLines(c) && c != '-'
		})
		if end > limit+1 && text[end-1] == 'n' && byteAt(text, end) != 'n' && text[end-2] == '\\' {
			end = back(text, end-1, max(limit, end-24), isBetweenLines)
		}
		line := back(text, end, limit, isBody)
		size := end - line
		if size < minLine && (lines > 0 || size < 4 || text[end-1] != '=') {
			return start, lines > 0
		}
		if size >= minLine && !isKeyLine(text[line:end]) {
			return start, lines > 0
		}
		start = line
	}
}
