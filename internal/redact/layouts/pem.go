package layouts

import (
	"slices"
	"strings"

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
	end, ok := privateLabel(text, keyword.End)
	if lex.Fold(text[keyword.Start]) != 'b' {
		last := keyword.Start + strings.IndexAny(keyword.Of(text), "eE")
		start, body := bodyStart(text, dashesBefore(text, last))
		return lex.Between(start, end), ok && body
	}
	start := dashesBefore(text, keyword.Start)
	footer := lex.Between(end, end)
	if keyword.Start-start < 2 { // Of a line that lost its dashes a long line of the body must follow.
		before := lex.ByteBefore(text, keyword.Start)
		label, _, _ := strings.Cut(text[keyword.End:min(len(text), keyword.End+maxLabel)], "\n")
		start, end = keyword.Start, keyword.End+len(label)
		next := lex.Run(text, end, min(len(text), end+8), lex.IsSpace)
		ok = (before == 0 || before == '\n') && isPrivateLabel(strings.TrimRight(label, "- ")) &&
			lex.Run(text, next, min(len(text), next+2*minLine), isBody)-next == 2*minLine
	} else if ok {
		footer = pemFooter(text, end)
		runs := strings.FieldsFunc(text[end:min(footer.Start, end+maxHeader)], func(r rune) bool {
			return r >= 0x80 || !isBody(byte(r))
		})
		ok = slices.ContainsFunc(runs, func(run string) bool { return len(run) >= minLine && isKeyLine(run) })
	}
	switch {
	case !ok:
		return lex.Span{}, false
	case footer.End > footer.Start:
		return lex.Between(start, footer.End), true
	default:
		return lex.Between(start, bodyEnd(text, end)), true
	}
}

// dashesBefore returns where the dashes begin that end at text[at], in ASCII
// or as a program for prose makes them, with a blank behind them.
func dashesBefore(text string, at int) int {
	if lex.ByteBefore(text, at) == ' ' {
		at--
	}
	from := max(0, at-24)
	return from + len(strings.TrimRightFunc(text[from:at], isAnyDash))
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
	if !isPrivateLabel(text[at:end]) {
		return 0, false
	}
	return len(text) - len(strings.TrimLeftFunc(text[end:], isAnyDash)), true
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
		if lex.HasFold(text[at:], "begin ") && at-dashesBefore(text, at) > 1 {
			limit = max(from, dashesBefore(text, at))
			break
		}
		if !lex.HasFold(text[at:], "end ") {
			continue
		}
		start := max(from, dashesBefore(text, at))
		if end, ok := privateLabel(text, at+len("end ")); ok && at-start > 1 {
			for strings.HasPrefix(text[end:], `\n`) || strings.HasPrefix(text[end:], `\r`) {
				end += 2
			}
			return lex.Between(start, end)
		}
	}
	return lex.Between(limit, limit)
}

func isBody(c byte) bool { return lex.IsAlnum(c) || c == '+' || c == '/' || c == '=' }

// isKeyLine says whether a run of base64 is no word.
func isKeyLine(line string) bool {
	n := lex.ClassesOf(line)
	return (n.Digit > 0 || n.Upper > 0 && n.Lower > 0) && !judge.IsIdentifier(line) &&
		lex.CountDistinct(line) > lex.FewDistinct
}

// bodyEnd returns the end of the lines of base64 from text[at] on, whatever
// stands between them: blanks, quotes, signs of a quotation or of a list, and
// escapes of line ends.
func bodyEnd(text string, at int) int {
	for {
		next := lex.Run(text, at, min(len(text), at+24), isBetweenLines)
		end := lex.Run(text, next, len(text), func(c byte) bool { return isBody(c) && c != '=' })
		end = lex.Run(text, end, min(len(text), end+2), func(c byte) bool { return c == '=' })
		whole := end == len(text) || strings.IndexByte("\r\n\"'\\", text[end]) >= 0
		if end == next || end-next < minLine &&
			!whole {
			return at
		}
		at = end
	}
}

func isBetweenLines(c byte) bool {
	return lex.IsSpace(c) || strings.IndexByte(`>"'\,|-*.;`, c) >= 0
}

// bodyStart returns where the lines of base64 begin that end at text[at].
func bodyStart(text string, at int) (int, bool) {
	start, lines := at, 0
	for limit := max(0, at-maxBlock); ; lines++ {
		end := lex.Back(text, start, max(limit, start-24), func(c byte) bool {
			return isBetweenLines(c) && c != '-'
		})
		line := lex.Back(text, end, limit, isBody)
		last := lines == 0 && end-line >= 4 && text[end-1] == '='
		if end-line < minLine && !last || end-line >= minLine && !isKeyLine(text[line:end]) {
			return start, lines > 0
		}
		start = line
	}
}
