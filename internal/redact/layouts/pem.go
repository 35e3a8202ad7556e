package layouts

import (
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
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
func findPEM(text string, keyword lex.Span) (lex.Span, bool) {
	if lex.Fold(text[keyword.Start]) != 'b' {
		at := keyword.Start + strings.IndexAny(keyword.Of(text), "eE")
		end, ok := privateLabel(text, keyword.End)
		if !ok {
			return lex.Span{}, false
		}
		if lex.ByteBefore(text, at) == ' ' {
			at--
		}
		start, ok := bodyStart(text, dashesBefore(text, at))
		return lex.Between(start, end), ok
	}
	start := keyword.Start
	if lex.ByteBefore(text, start) == ' ' {
		start--
	}
	start = dashesBefore(text, start)
	if keyword.Start-start < 2 {
		line := strings.IndexByte(text[keyword.End:min(len(text), keyword.End+maxLabel)], '\n')
		if before := lex.ByteBefore(text, keyword.Start); line < 0 || before != 0 && before != '\n' {
			return lex.Span{}, false
		}
		end := keyword.End + line
		next := lex.Run(text, end, min(len(text), end+8), lex.IsSpace)
		first := lex.Run(text, next, len(text), isBody)
		if first-next < 2*minLine || !isPrivateLabel(text[keyword.End:end]) {
			return lex.Span{}, false
		}
		return lex.Between(keyword.Start, bodyEnd(text, end)), true
	}
	end, ok := privateLabel(text, keyword.End)
	if !ok {
		return lex.Span{}, false
	}
	if !hasKeyLine(text[end:min(len(text), end+maxHeader)]) {
		return lex.Span{}, false
	}
	footer := pemFooter(text, end)
	if !hasKeyLine(text[end:min(footer.Start, end+maxHeader)]) {
		return lex.Span{}, false
	}
	if footer.End > footer.Start {
		return lex.Between(start, footer.End), true
	}
	return lex.Between(start, bodyEnd(text, end)), true
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
	for end < limit && !strings.HasPrefix(text[end:], "--") && !lex.IsBeyond(text[end]) && text[end] != '<' &&
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
	return rules.Words("private-label").Ends(label)
}

// pemFooter returns the last line of a block that begins before text[from],
// or an empty span at the end of what can belong to it, which is at the latest
// where another block begins.
func pemFooter(text string, from int) lex.Span {
	limit := min(len(text), from+maxBlock)
	for at := from; at+4 < limit; at++ {
		if lex.Fold(text[at]) == 'b' && text[at-1] == '-' && lex.HasFold(text[at:], "begin ") {
			return lex.Between(at, at)
		}
		if lex.Fold(text[at]) != 'e' || !lex.HasFold(text[at:], "end ") {
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
			return lex.Between(start, end)
		}
	}
	return lex.Between(limit, limit)
}

func isBody(c byte) bool { return lex.IsAlnum(c) || c == '+' || c == '/' || c == '=' }

// hasKeyLine says whether text holds a run of base64 that is no word.
func hasKeyLine(text string) bool {
	for at := 0; at < len(text); at++ {
		end := lex.Run(text, at, len(text), isBody)
		if end-at >= minLine && isKeyLine(text[at:end]) {
			return true
		}
		at = end
	}
	return false
}

func isKeyLine(line string) bool {
	n := lex.ClassesOf(line)
	return (n.Digit > 0 || n.Upper > 0 && n.Lower > 0) && !judge.IsIdentifier(line) &&
		lex.CountDistinct(line) > lex.FewDistinct
}

// bodyEnd returns the end of the lines of base64 from text[at] on, whatever
// stands between them: blanks, quotes, signs of a quotation or of a list, and
// escapes of line ends.
func bodyEnd(text string, at int) int {
	end := at
	for {
		next := lex.Run(text, at, min(len(text), at+24), isBetweenLines)
		next = skipEscape(text, next)
		line := lex.Run(text, next, len(text), func(c byte) bool { return isBody(c) && c != '=' })
		line = lex.Run(text, line, min(len(text), line+2), func(c byte) bool { return c == '=' })
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
	return lex.IsSpace(c) || strings.IndexByte(`>"'\,|-*.;`, c) >= 0
}

// skipEscape steps over the letter of an escaped line end.
func skipEscape(text string, at int) int {
	for at < len(text) && lex.ByteBefore(text, at) == '\\' && (text[at] == 'n' || text[at] == 'r') {
		at = lex.Run(text, at+1, min(len(text), at+24), isBetweenLines)
	}
	return at
}

// bodyStart returns where the lines of base64 begin that end at text[at].
func bodyStart(text string, at int) (int, bool) {
	start, lines := at, 0
	for limit := max(0, at-maxBlock); ; lines++ {
		end := lex.Back(text, start, max(limit, start-24), func(c byte) bool {
			return isBetweenLines(c) && c != '-'
		})
		if end > limit+1 && text[end-1] == 'n' && lex.ByteAt(text, end) != 'n' && text[end-2] == '\\' {
			end = lex.Back(text, end-1, max(limit, end-24), isBetweenLines)
		}
		line := lex.Back(text, end, limit, isBody)
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
