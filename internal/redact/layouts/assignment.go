package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// findAssigned judges what stands after a name and a sign of assignment, or is
// told to be the secret in a sentence.
func findAssigned(text string, keyword lex.Span) (lex.Span, bool) {
	name, kind := nameOf(text, keyword)
	if kind == judge.Unnamed {
		return lex.Span{}, false
	}
	g := readGlue(text, name.End)
	secret, ok := givenTo(text, name, kind, g)
	if !ok || isReferred(text, name, g, secret) {
		return comparedWith(text, name.Start, kind)
	}
	return g.wholeValue(text, secret), true
}

// comparedWith returns the literal that the name at text[at] is compared with, which stands before it.
func comparedWith(text string, at int, kind judge.NameKind) (lex.Span, bool) {
	sign := lex.Back(text, at, max(0, at-2), lex.IsBlank)
	end := lex.Back(text, sign, max(0, sign-4), func(c byte) bool { return strings.IndexByte("=! ", c) >= 0 })
	if end+2 > sign || text[sign-1] != '=' || !lex.IsQuote(lex.ByteBefore(text, end)) {
		return lex.Span{}, false
	}
	end--
	start := lex.Back(text, end, max(0, end-judge.MaxValue),
		func(c byte) bool { return c != text[end] && c != '\n' })
	return lex.Between(start, end), lex.ByteBefore(text, start) == text[end] && kind.Accepts(text[start:end])
}

// wholeValue returns a value of which only the beginning was judged up to its end.
func (g *glue) wholeValue(text string, secret lex.Span) lex.Span {
	switch {
	case secret.End < g.at+judge.MaxValue:
		return secret
	case g.quote != 0:
		secret.End = lex.Run(text, secret.End, len(text),
			func(c byte) bool { return c != g.quote && c != '\n' })
	default:
		secret.End = lex.Run(text, secret.End, len(text), inBareValue)
	}
	return secret
}

// givenTo returns the value behind the glue, or what a sentence tells to be that of the name.
func givenTo(text string, name lex.Span, kind judge.NameKind, g glue) (lex.Span, bool) {
	beyond := lex.IsBeyond(lex.ByteBefore(text, name.End))
	if g.quote != 0 && !g.signs && g.at == name.End+len(` "`) {
		g.last = ' ' // A statement: the name, a blank, a literal and a semicolon.
		if secret, ok := valueAt(text, g, kind); ok && lex.ByteAt(text, secret.End+1) == ';' {
			return secret, true
		}
	}
	form := strings.HasSuffix(text[:name.Start], `name="`)
	if g.signs || form || beyond || g.lines == 0 && followedByBlank(text, name) {
		if secret, ok := valueAt(text, g, kind); ok {
			if user := strings.IndexByte(secret.Of(text), ':'); user > 0 &&
				strings.HasSuffix(name.Of(text), "creds") {
				secret.Start += user + 1
			}
			return secret, true
		}
	}
	return findTold(text, name, kind)
}

// isReferred says whether a value is what programs write beside a name that is no name of a value: one of
// many words of an expression, the next argument of a call, or a reference that ends with the name itself,
// such as settings.auth.apiKey or headers["apiKey"].
func isReferred(text string, at lex.Span, g glue, secret lex.Span) bool {
	name, value := at.Of(text), secret.Of(text)
	name = strings.TrimLeft(name[strings.LastIndexByte(name, '.')+1:], "-_")
	switch before := lex.ByteBefore(text, at.Start); {
	case strings.HasSuffix(text[:at.Start], "::") &&
		lex.Run(value, 0, len(value), lex.IsHex) == len(value): // A type's.
		return true
	case text[g.at-1] == '|' && (strings.IndexByte(strings.TrimRight(value, "|"), '|') >= 0 ||
		before == '|' && lex.ByteAt(text, secret.End) != '|'),
		g.last == ',' && g.quote == 0 && before == '(',
		lex.ByteAt(text, at.End) == '(' && strings.EqualFold(name, "pass") && judge.IsWordy(value):
		return true
	}
	value = strings.TrimRight(value, "\"'`)]};")
	rest, ok := strings.CutSuffix(strings.ToLower(value), strings.ToLower(name))
	return ok && len(name) > 3 && (rest == "" || strings.IndexByte(`.["'$_#`, rest[len(rest)-1]) >= 0)
}

// nameOf returns the name that a keyword is a part of, and what it makes of its
// value.
func nameOf(text string, keyword lex.Span) (lex.Span, judge.NameKind) {
	if !judge.IsForeignName(keyword.Of(text)) {
		name := judge.NameAround(text, keyword)
		return name, judge.KindOfName(text, name)
	}
	if lex.IsLetter(text[keyword.Start]) && lex.IsLetter(lex.ByteBefore(text, keyword.Start)) ||
		lex.IsLetter(text[keyword.End-1]) && lex.IsLetter(lex.ByteAt(text, keyword.End)) {
		return keyword, judge.Unnamed // A part of another word.
	}
	for _, particle := range judge.Particles() {
		if strings.HasPrefix(text[keyword.End:], particle) {
			keyword.End += len(particle)
		}
	}
	return keyword, judge.Chosen
}

// followedByBlank says whether the name at s is written so that a blank is enough
// between it and its value: as a flag, or behind a command that sets variables.
func followedByBlank(text string, s lex.Span) bool {
	if name := s.Of(text); strings.HasPrefix(name, "-") || rules.Words("bare-setting").Has(name) {
		return true
	}
	end := lex.Back(text, s.Start, max(0, s.Start-4), lex.IsBlank)
	return end < s.Start &&
		rules.Words("setting-command").Has(text[lex.Back(text, end, max(0, end-8), lex.IsDotted):end])
}

// valueAt judges the value that begins behind the glue.
func valueAt(text string, g glue, kind judge.NameKind) (lex.Span, bool) {
	if g.quote != 0 {
		at := g.at
		limit := min(len(text), at+judge.MaxValue)
		end := lex.Run(text, at, limit, func(c byte) bool { return c != g.quote && c != '\n' })
		value := text[at:end]
		if end < limit {
			value = strings.TrimRight(value, `\ `)
		}
		if judge.CallOrPath(value) && kind != judge.Chosen || judge.IsPattern(value) ||
			strings.IndexByte("+,;)", lex.ByteAt(value, 0)) >= 0 ||
			strings.Contains(value, `\u`) || strings.Contains(value, `\x`) || judge.IsRoute(value) {
			return lex.Span{}, false
		}
		given := !g.listed && g.last != 0 && g.quote != '`'
		return lex.Between(at, at+len(value)), kind.Accepts(value) || given && kind.AcceptsWord(value)
	}
	return bareValue(text, g.at, kind)
}

// minBare is the least length of a token without quotes.
const minBare = 10

// bareValue judges a value without quotes, which ends at a blank.
func bareValue(text string, at int, kind judge.NameKind) (lex.Span, bool) {
	limit := min(len(text), at+judge.MaxValue)
	end := lex.Run(text, at, limit, inBareValue)
	value := text[at:end]
	if next := strings.IndexByte(value, '&'); next >= 0 && strings.IndexByte(value[next:], '=') > 1 {
		value = value[:next] // The next parameter of a query.
	}
	value, _, _ = strings.Cut(value, "</") // The end of an element.
	if lex.ByteBefore(text, at) == '\\' ||
		strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 }) {
		return lex.Span{}, false
	}
	whole := value
	if !judge.IsUnpaired(value) {
		whole = strings.TrimRight(value, ".,:)]}>\\")
		value = strings.TrimRight(whole, ".,:)]}>!?*\\")
	}
	if kind == judge.Chosen && judge.HasGeneratedPart(value) {
		return lex.Between(at, at+len(whole)), true
	}
	if lex.ByteAt(value, 0) == '+' || judge.IsCode(value) || judge.IsPair(value) ||
		judge.IsStandard(value) || judge.IsPattern(value) ||
		kind == judge.Strong && len(value) < minBare {
		return lex.Span{}, false
	}
	if before := lex.ByteBefore(text, at); (judge.IsCamel(value) && kind >= judge.Strong &&
		(before == '=' || before == ':' || isSpacedSign(text, at)) ||
		before == '=' && kind == judge.Chosen && !isIndented(text, at)) &&
		judge.IsChosenWord(value) && isWholeLine(text, at, at+len(value)) {
		return lex.Between(at, at+len(whole)), true
	}
	tight := kind == judge.Chosen && (lex.ByteBefore(text, at) == '=' && strings.IndexByte(value, '.') < 0 ||
		lex.HasDigit(value) && isWholeLine(text, at, at+len(value)))
	if judge.CallOrPath(value) || judge.IsIdentifier(value) && !tight && !judge.IsPassphrase(value, kind) ||
		!kind.Accepts(value) {
		return lex.Span{}, false
	}
	if end == limit {
		return lex.Between(at, end), true
	}
	return lex.Between(at, at+len(whole)), true
}

// isWholeLine says whether a line, behind the sign of a comment, is a name, a sign of assignment and the value
// at text[at:end].
func isWholeLine(text string, at, end int) bool {
	line := text[max(0, at-judge.MaxName):at]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t#/*;-<!") // A comment, or an item.
	line = strings.TrimSpace(strings.TrimSuffix(line, "!!str "))
	sign := strings.TrimRight(line, ":=")
	name := strings.Trim(sign, " \"'")
	next := lex.ByteAt(text, end)
	return len(sign) == len(line)-1 && name != "" && lex.Run(name, 0, len(name), lex.IsDotted) == len(name) &&
		(next == 0 || next == '\n')
}

// isIndented says whether the line of text[at], which is short, begins with a blank, as in programs.
func isIndented(text string, at int) bool {
	return lex.IsBlank(lex.ByteAt(text, strings.LastIndexByte(text[:at], '\n')+1))
}

// isSpacedSign says whether a name in quotes, a blank and a sign stand before text[at], as in no program.
func isSpacedSign(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-4):at], " :=")
	return before != "" && lex.IsQuote(before[len(before)-1]) &&
		strings.HasPrefix(text[at-4+len(before):], " ")
}

func inBareValue(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '`' && c != ';' && c != ',' && c != 0x7f
}

// A glue is what stands between a name and its value.
type glue struct {
	at     int  // Where the value begins.
	signs  bool // A sign of assignment was among it.
	listed bool // A comma or the end of a cell was.
	quote  byte // The quote that opens the value, or 0.
	lines  int  // Line ends.
	last   byte // The sign that was read last.
	limit  int  // Where reading ends.
}

// maxGlue bounds the bytes between a name and its value, blanks aside.
const maxGlue = 64

// readGlue reads what may stand between a name that ends at text[at] and its
// value in the languages and formats that assign: quotes and brackets, the
// sign itself, a type, and words such as "value".
func readGlue(text string, at int) glue {
	g := glue{at: at}
	g.limit = min(len(text), at+maxGlue)
	for g.at < g.limit && g.stepOver(text) {
		continue
	}
	return g
}

// stepOver steps over one piece of glue, and says whether there may be more.
func (g *glue) stepOver(text string) bool {
	switch c := text[g.at]; {
	case lex.IsSpace(c):
		// Steps over blanks and line ends, as a formatter aligns them. It returns false where a
		// line ends behind "=", which then gives nothing.
		end := lex.Run(text, g.at, min(len(text), g.at+maxGlue), lex.IsSpace)
		lines := strings.Count(text[g.at:end], "\n")
		if lines > 0 && (g.last == '=' || g.last == ',' || g.last == ':' &&
			!lex.IsBlank(lex.ByteAt(text, end-1))) {
			return false
		}
		g.lines += lines
		g.at, g.quote = end, 0
		g.limit = min(len(text), end+maxGlue)
		return true
	case lex.IsQuote(c):
		return !g.openQuote(text)
	case strings.IndexByte("=:>,|", c) >= 0:
		g.signs, g.quote, g.last = true, 0, c
		g.listed = g.listed || c == ',' || c == '|'
		g.at++
	case strings.IndexByte("<.*;!", c) >= 0,
		c == '{' && lex.HasFold(strings.TrimLeft(text[g.at+1:min(len(text), g.at+8)], " "), "get;"):
		end := g.markEnd(text)
		if end == g.at {
			return false
		}
		g.at, g.signs, g.quote = end, true, 0
	case strings.IndexByte(`\)](?[{@$&+`, c) >= 0 && g.isGlue(text):
		g.signs = g.signs || c == '(' && lex.IsQuote(lex.ByteAt(text, g.at+1))
		g.at++
	case c == '-' && (lex.ByteAt(text, g.at+1) == '>' || lex.ByteAt(text, g.at-1) == '>' ||
		lex.ByteAt(text, g.at-1) == '|'):
		g.at++
	default:
		end := g.wordEnd(text)
		if end == g.at {
			return false
		}
		g.at = end
	}
	return true
}

// openQuote steps over a quote, and says whether the value begins behind it.
func (g *glue) openQuote(text string) bool {
	g.quote = text[g.at]
	g.at++
	if !g.signs {
		return false // It closes the name.
	}
	end := g.wordEnd(text)
	if end > g.at && lex.ByteAt(text, end) == g.quote {
		g.at, g.quote = end+1, 0
		return false // Another name, such as "value".
	}
	for lex.ByteAt(text, g.at) == g.quote && lex.ByteAt(text, g.at+1) == g.quote {
		g.at += 2 // Three quotes in a row.
	}
	return lex.ByteAt(text, g.at) != g.quote
}

// isGlue says whether the sign at g.at belongs to the glue and not to the
// value: it is followed by more of it.
func (g *glue) isGlue(text string) bool {
	next := lex.ByteAt(text, g.at+1)
	switch text[g.at] {
	case '(', '[', '{', '\\', ')', ']', '?':
		return true
	case '+', '&':
		return next == '=' || next == 's'
	default:
		return next == '"' || next == '\''
	}
}

// markEnd returns the end of what stands between a name and its value in a
// document or a call: a tag, a method such as ".fill(", the end of bold type.
func (g *glue) markEnd(text string) int {
	rest := text[g.at:min(len(text), g.at+maxGlue)]
	switch rest[0] {
	case ';': // The next string of a serialized array.
		end := lex.Run(rest, 3, len(rest), lex.IsDigit)
		if strings.HasPrefix(rest, ";s:") && strings.HasPrefix(rest[end:], `:"`) {
			return g.at + end + 1
		}
	case '!': // A type of YAML.
		if strings.HasPrefix(rest, "!!str ") || strings.HasPrefix(rest, "!!binary ") {
			return g.at + strings.IndexByte(rest, ' ')
		}
	case '<':
		if strings.HasPrefix(rest, "<-") {
			return g.at + 2
		}
	case '{': // The accessors of a property.
		if end := strings.IndexByte(rest, '}'); end > 0 &&
			(strings.HasPrefix(rest, "{ get;") || strings.HasPrefix(rest, "{get;")) {
			return g.at + end + 1
		}
	case '.':
		end := lex.Run(rest, 1, len(rest), lex.IsWord)
		if end > 1 && end < len(rest) && rest[end] == '(' && (lex.ByteBefore(text, g.at) == ')' ||
			rules.Words("comparing").Has(strings.ToLower(rest[1:end]))) {
			return g.at + end + 1
		}
	case '*':
		if strings.HasPrefix(rest, "**") {
			return g.at + 2
		}
	}
	return g.at
}

// wordEnd returns the end of a word that says how a value is written and is not
// the value, or g.at. Only what cannot be a secret counts.
func (g *glue) wordEnd(text string) int {
	end := lex.Run(text, g.at, min(len(text), g.at+16), func(c byte) bool {
		return lex.IsLetter(c) || c == '-' || c == '_'
	})
	next := lex.ByteAt(text, end)
	if end == g.at || lex.IsAlnum(next) || next == '[' || next == '.' || next == '/' {
		return g.at
	}
	word := strings.ToLower(text[g.at:end])
	if g.signs && next == '(' && lex.IsQuote(lex.ByteAt(text, end+1)) && rules.Words("wrapping").Has(word) {
		return end
	}
	if rules.Words("glue-word").Has(word) || rules.Words("literal-letter").Has(word) &&
		(next == '"' || next == '\'') {
		return end
	}
	return g.at
}
