package layouts

import (
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// findAssigned judges what stands after a name and a sign of assignment, or is
// told to be the secret in a sentence.
func findAssigned(text string, keyword lex.Span) (lex.Span, bool) {
	name, kind := nameOf(text, keyword)
	if kind == judge.Unnamed || isOfBadge(text, name.Start) {
		return lex.Span{}, false
	}
	g := readGlue(text, name.End)
	secret, ok := givenTo(text, name, kind, g)
	if !ok || isReferred(text, name, g, secret) {
		return lex.Span{}, false
	}
	return g.wholeValue(text, secret), true
}

// wholeValue returns a value of which only the beginning was judged up to its end.
func (g *glue) wholeValue(text string, secret lex.Span) lex.Span {
	if secret.End >= g.at+judge.MaxValue {
		secret.End = lex.Run(text, secret.End, len(text), g.inValue)
	}
	return secret
}

// inValue says whether c can be a part of the value: up to its quote, or without one up to a blank.
func (g *glue) inValue(c byte) bool {
	if g.quote != 0 {
		return c != g.quote && c != '\n'
	}
	return c > ' ' && strings.IndexByte("\"'`;,\x7f", c) < 0
}

// givenTo returns the value behind the glue, or what a sentence tells to be that of the name.
func givenTo(text string, name lex.Span, kind judge.NameKind, g glue) (lex.Span, bool) {
	if quote := lex.ByteAt(text, name.End+1); lex.ByteAt(text, name.End) == ' ' && lex.IsQuote(quote) {
		// A statement: the name, a blank, a literal and a semicolon, or the end of its line.
		g.last = max(g.last, ' ')
		secret, ok := valueAt(text, glue{at: name.End + 2, quote: quote, last: ' '}, kind)
		line := text[max(0, name.Start-judge.MaxName):name.Start]
		line = strings.Trim(line[strings.LastIndexByte(line, '\n')+1:], " \t")
		if next := lex.ByteAt(text, secret.End+1); ok && (next == ';' || kind == judge.Chosen &&
			isLineEnd(next) && (line == "" || line == "#define")) {
			return secret, true
		}
	}
	if g.signs || strings.HasSuffix(text[:name.Start], `name="`) ||
		lex.IsBeyond(lex.ByteBefore(text, name.End)) ||
		followedByBlank(text, name) {
		g.listed = g.listed && !isVariable(name.Of(text))
		if secret, ok := valueAt(text, g, kind); ok {
			if user, _, both := strings.Cut(secret.Of(text), ":"); both &&
				strings.HasSuffix(name.Of(text), "creds") {
				secret.Start += len(user) + 1
			}
			return secret, true
		}
	}
	return findTold(text, name, kind)
}

// isVariable says whether a name, or the last part of it, is that of a variable of the environment.
func isVariable(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.IndexByte(name, '_') > 0 && strings.ToUpper(name) == name
}

// isReferred says whether a value is what programs write beside a name that is no name of a value: one of
// many words of an expression, the next argument of a call, or a reference that ends with the name itself,
// such as settings.auth.apiKey or headers["apiKey"].
func isReferred(text string, at lex.Span, g glue, secret lex.Span) bool {
	name, value := at.Of(text), secret.Of(text)
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch before := lex.ByteBefore(text, at.Start); {
	case strings.HasSuffix(text[:at.Start], "::"): // A type's.
		return lex.Run(value, 0, len(value), lex.IsHex) == len(value)
	case text[g.at-1] == '|' && (strings.IndexByte(strings.TrimRight(value, "|"), '|') >= 0 ||
		before == '|' && lex.ByteAt(text, secret.End) != '|'),
		g.last == ',' && g.quote == 0 && before == '(',
		lex.ByteAt(text, at.End) == '(' && strings.EqualFold(name, "pass") && judge.IsWordy(value):
		return true
	}
	above := text[max(0, at.Start-judge.MaxName):at.Start]
	rest, ok := strings.CutSuffix(strings.ToLower(value), strings.ToLower(name))
	return len(value) < len(name) && strings.Contains(strings.ToLower(name), strings.ToLower(value)) ||
		strings.HasSuffix(strings.TrimRight(above, ` "`), "{") && lex.IndexFold(above, "encrypted") >= 0 ||
		ok && len(name) > 3 && (rest == "" || strings.IndexByte(`.["'$_#`, rest[len(rest)-1]) >= 0)
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
	for _, particle := range rules.Words("particle").List() {
		if strings.HasPrefix(text[keyword.End:], particle) {
			keyword.End += len(particle)
		}
	}
	return keyword, judge.Chosen
}

// followedByBlank says whether the name at s is written so that a blank is enough
// between it and its value: as a flag, or behind a command that sets variables.
func followedByBlank(text string, s lex.Span) bool {
	name := s.Of(text)
	end := lex.Back(text, s.Start, max(0, s.Start-4), lex.IsBlank)
	return strings.HasPrefix(name, "-") || rules.Words("bare-setting").Has(name) ||
		rules.Words("setting-command").Has(text[lex.Back(text, end, max(0, end-8), lex.IsDotted):end])
}

// valueAt judges the value that begins behind the glue.
func valueAt(text string, g glue, kind judge.NameKind) (lex.Span, bool) {
	at, limit := g.at, min(len(text), g.at+judge.MaxValue)
	end := lex.Run(text, at, limit, g.inValue)
	if g.quote == 0 && kind == judge.Chosen && strings.IndexByte(",;", lex.ByteAt(text, end)) >= 0 {
		more := lex.Run(text, end, limit, func(c byte) bool { return c > ' ' && c < 0x7f && !lex.IsQuote(c) })
		// No other pair stands behind the comma.
		if rest := strings.TrimRight(text[end:more], ",;"); !strings.ContainsAny(rest, "=:(){}[]<>\\") {
			end += len(rest)
		}
	}
	if open := lex.Back(text, at, max(0, at-4), lex.ClassNamed("([{")); open < at && g.quote == 0 &&
		judge.IsUnpaired(text[open:end]) {
		at = open // No brackets of the language, but of the value.
	}
	value := text[at:end]
	if g.quote != 0 {
		if end < limit {
			value = strings.TrimRight(value, `\ `)
		}
		if judge.CallOrPath(value) && kind != judge.Chosen || judge.IsPattern(value) ||
			strings.IndexByte("+,;)", lex.ByteAt(value, 0)) >= 0 ||
			strings.Contains(value, `\u`) || strings.Contains(value, `\x`) || judge.IsRoute(value) {
			return lex.Span{}, false
		}
		given := !g.listed && g.last != 0 && g.quote != '`'
		return lex.Between(at, at+len(value)), kind.Accepts(value) || given && kind.AcceptsWord(value) ||
			kind == judge.Chosen && judge.IsPhrase(value)
	}
	if next := strings.IndexByte(value, '&'); next >= 0 && judge.IsPair(value[next+1:]) {
		value = value[:next] // The next parameter of a query.
	}
	value, _, _ = strings.Cut(value, "</") // The end of an element.
	whole := value
	if !judge.IsUnpaired(value) {
		whole = strings.TrimRight(value, ".,:)]}>\\")
		value = strings.TrimRight(whole, ".,:)]}>!?*\\")
	}
	secret := lex.Between(at, at+len(whole))
	before := lex.ByteBefore(text, at)
	// A line, or the default of a variable.
	alone := isWholeLine(text, at, lex.Run(text, at+len(value), secret.End, lex.ClassNamed("?!*"))) ||
		lex.ByteAt(text, secret.End) == '}' && strings.Contains(text[max(0, at-judge.MaxName):at], "${")
	switch {
	case kind == judge.Chosen && judge.HasGeneratedPart(value):
		return secret, true
	case !lex.IsASCII(whole), judge.IsCode(value), judge.IsPair(value), judge.IsStandard(value),
		judge.IsPattern(value), kind == judge.Strong && len(value) < minBare:
		return lex.Span{}, false
	case takesWord(text, lex.Between(at, at+len(whole)), value, kind):
		return secret, true
	}
	tight := kind == judge.Chosen &&
		(before == '=' || alone || g.last == 0 && before == ' ' && strings.IndexByte(value, '.') < 0)
	if end == limit {
		secret.End = end
	}
	return secret, !judge.CallOrPath(value) &&
		(kind.Accepts(value) || kind == judge.Chosen && kind.Accepts(whole)) &&
		(tight || !judge.IsIdentifier(value))
}

// takesWord says whether a word without quotes, which stands at whole with the marks behind it, is what its name
// is given. Most words there are names of programs and types; none are those of a line that is nothing but a
// name, a sign and the word, as in settings, and of variables of the environment.
func takesWord(text string, whole lex.Span, value string, kind judge.NameKind) bool {
	at, from := whole.Start, max(0, whole.Start-judge.MaxName)
	name := strings.TrimRight(text[from:at], " :=>*→")
	gap, last := signsAround().Replace(text[from+len(name):at]), lex.ByteBefore(text, from+len(name))
	if gap == "" || kind < judge.Strong || !judge.IsChosenWord(value) {
		return false
	}
	line := strings.LastIndexByte(name, '\n') + 1
	program := line == 0 && from > 0 || lex.IsBlank(lex.ByteAt(name, line)) // It is indented.
	variable := isVariable(name[lex.Back(name, len(name), 0, lex.IsWord):])
	sign := gap[len(gap)-1]
	// A name in quotes or with a dash and a blank behind it is of no program.
	odd := gap[0] == ' ' &&
		(lex.IsQuote(last) || strings.LastIndexByte(name, '-') > strings.LastIndexAny(name, " \n"))
	switch {
	case judge.IsCamel(value) && (sign != ' ' || odd || strings.HasSuffix(gap, " : ") && !program):
	case kind != judge.Chosen, strings.HasSuffix(gap, " = ") && program:
		return false
	case gap == " " && strings.HasPrefix(name[lex.Back(name, len(name), 0, lex.IsURLSafe):], "-"):
		return len(value) >= minSpoken
	case judge.IsPhrase(value) &&
		(gap == " " || gap == "=" && strings.IndexByte(",)", lex.ByteAt(text, whole.End)) < 0):
		return true // No argument of a call.
	case variable && (sign == '=' || gap == ": "):
		return sign == '=' || isWholeLine(text, at, whole.End)
	case gap == ": ":
		if !judge.IsPhrase(value) && (lex.IsUpper(last) || rules.Words("prose").Has(value) ||
			lex.Run(value, 0, len(value), lex.IsLower) < len(value)) {
			return false // A type, or what a scheme says of it.
		}
	case sign == ' ' && !strings.HasSuffix(gap, " = "):
		return false
	}
	return isWholeLine(text, at, whole.End)
}

// signsAround takes bold type off the signs between a name and its value, and reads an arrow as one of them.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var signsAround = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("**", "", " →", ":") })

// minSpoken is the least length of a word behind an option that is none of a sentence.
const minSpoken = 16

// minBare is the least length of a token without quotes.
const minBare = 10

// isWholeLine says whether a line, behind the sign of a comment, is a name, a sign of assignment and the value
// at text[at:end], or an element of XML.
func isWholeLine(text string, at, end int) bool {
	line := text[max(0, at-judge.MaxName):at]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t#/*;-<!") // A comment, or an item.
	line = signsAround().Replace(strings.TrimSpace(strings.TrimSuffix(line, "!!str ")))
	sign := strings.TrimRight(line, ":=>")
	name := strings.Trim(sign, " \"'$")
	if words := strings.Fields(name); len(words) > 0 && len(words) < 5 {
		name = strings.TrimLeft(words[len(words)-1], "$")
	}
	return len(sign) < len(line) && len(sign) > len(line)-3 && !strings.HasSuffix(sign, "-") &&
		lex.Run(name, 0, len(name), lex.IsDotted) == len(name) &&
		(isLineEnd(lex.ByteAt(text, end)) || strings.HasPrefix(text[end:], "</") || // Or a comment or command follows:
			lex.ByteAt(text, end) == ' ' && text[at-1] == '=' && strings.ToUpper(name) == name)
}

func isLineEnd(c byte) bool { return c == 0 || c == '\n' || c == '\r' }

// A glue is what stands between a name and its value.
type glue struct {
	at     int  // Where the value begins.
	signs  bool // A sign of assignment was among it.
	listed bool // A comma or the end of a cell was.
	quote  byte // The quote that opens the value, or 0.
	last   byte // The sign that was read last.
}

// maxGlue bounds the bytes between a name and its value, blanks aside.
const maxGlue = 64

// readGlue reads what may stand between a name that ends at text[at] and its
// value in the languages and formats that assign: quotes and brackets, the
// sign itself, a type, and words such as "value".
func readGlue(text string, at int) glue {
	g := glue{at: at}
	for g.at < min(len(text), at+maxGlue) && g.stepOver(text) {
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
		if strings.Contains(text[g.at:end], "\n") && (g.last == '=' || g.last == ',') {
			return false
		}
		g.at, g.quote = end, 0
	case lex.IsQuote(c):
		return !g.openQuote(text)
	case c == ':' && lex.ByteBefore(text, g.at) == ')', // The end of the parameters of a function.
		c == '>' && lex.ByteBefore(text, g.at) == '-' && strings.IndexByte("{[", lex.ByteAt(text, g.at+1)) >= 0:
		return false // Or a member of what the name refers to.
	case strings.IndexByte("=:>,|", c) >= 0, c == '!' && lex.ByteAt(text, g.at+1) == '=',
		c == ';' && lex.IsQuote(lex.ByteBefore(text, g.at)) && lex.IsQuote(lex.ByteAt(text, g.at+1)):
		g.signs, g.quote, g.last = true, 0, c
		g.listed = g.listed || c == ',' || c == '|' || c == ';'
		g.at++
	default:
		next, before := lex.ByteAt(text, g.at+1), lex.ByteBefore(text, g.at)
		pair := strings.Index(`+= +s &= &s @" @' $" $' ->`, text[g.at:min(len(text), g.at+2)])
		if end := g.markEnd(text); end > g.at {
			g.at, g.signs, g.quote = end, true, 0
		} else if strings.IndexByte(`\)](?[{`, c) >= 0 || c == '!' && next == ' ' || next != 0 && pair >= 0 && pair%3 == 0 ||
			c == '-' && (before == '>' || before == '|') {
			g.signs = g.signs || (c == '(' || c == '{') && lex.IsQuote(next) || c == '?' && before == '?'
			g.at++
		} else {
			end, g.at = g.at, g.wordEnd(text)
			return g.at > end
		}
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

// markEnd returns the end of what stands between a name and its value in a
// document or a call: a tag, a method such as ".fill(", the end of bold type.
func (g *glue) markEnd(text string) int {
	rest := text[g.at:min(len(text), g.at+maxGlue)]
	for _, mark := range [...]string{"<-", "→", "**", "!!str", "!!binary"} {
		if strings.HasPrefix(rest, mark) {
			return g.at + len(mark)
		}
	}
	end := 0
	switch rest[0] {
	case '{': // The accessors of a property.
		if lex.HasFold(strings.TrimLeft(rest[1:], " "), "get;") {
			end = strings.IndexByte(rest, '}') + 1
		}
	case '.':
		name := lex.Run(rest, 1, len(rest), lex.IsWord)
		if name > 1 && lex.ByteAt(rest, name) == '(' && (lex.ByteBefore(text, g.at) == ')' ||
			rules.Words("comparing").Has(strings.ToLower(rest[1:name]))) {
			end = name + 1
		}
	}
	return g.at + end
}

// wordEnd returns the end of a word that says how a value is written and is not
// the value, or g.at. Only what cannot be a secret counts.
func (g *glue) wordEnd(text string) int {
	end := lex.Run(text, g.at, min(len(text), g.at+16), func(c byte) bool {
		return lex.IsLetter(c) || c == '-' || c == '_'
	})
	word := strings.ToLower(text[g.at:end])
	next := lex.ByteAt(text, end)
	if rules.Words("glue-word").Has(word) && (next != '[' || lex.IsLetter(lex.ByteAt(text, end+1))) ||
		lex.IsQuote(next) && rules.Words("literal-letter").Has(word) {
		return end
	}
	return g.at
}
