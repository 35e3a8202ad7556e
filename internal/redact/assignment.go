package redact

import "strings"

// maxValue bounds what is looked at to judge an assigned value.
const maxValue = 256

// findAssigned judges what stands after a name and a sign of assignment, or is
// told to be the secret in a sentence.
func findAssigned(text string, keyword span) (span, bool) {
	name, kind := nameOf(text, keyword)
	if kind == unnamed {
		return span{}, false
	}
	g := readGlue(text, name.end)
	secret, ok := givenTo(text, name, kind, g)
	if !ok || isReferred(text, name, g, secret) {
		return span{}, false
	}
	return g.wholeValue(text, secret), true
}

// wholeValue returns a value of which only the beginning was judged up to its end.
func (g *glue) wholeValue(text string, secret span) span {
	switch {
	case secret.end < g.at+maxValue:
		return secret
	case g.quote != 0:
		secret.end = run(text, secret.end, len(text), func(c byte) bool { return c != g.quote && c != '\n' })
	default:
		secret.end = run(text, secret.end, len(text), inBareValue)
	}
	return secret
}

// givenTo returns the value behind the glue, or what a sentence tells to be that of the name.
func givenTo(text string, name span, kind nameKind, g glue) (span, bool) {
	beyond := isBeyond(byteBefore(text, name.end))
	if g.at == name.end && !followedByBlank(text, name) && !beyond {
		return findTold(text, name, kind)
	}
	form := strings.HasSuffix(text[:name.start], `name="`)
	if g.signs || form || beyond || g.lines == 0 && followedByBlank(text, name) {
		if secret, ok := valueAt(text, g, kind); ok {
			if user := strings.IndexByte(secret.of(text), ':'); user > 0 &&
				strings.HasSuffix(name.of(text), "creds") {
				secret.start += user + 1
			}
			return secret, true
		}
	}
	if g.lines > 1 {
		return span{}, false
	}
	return findTold(text, name, kind)
}

// isReferred says whether a value is what programs write beside a name that is no name of a value: one of
// many words of an expression, the next argument of a call, or a reference that ends with the name itself,
// such as settings.auth.apiKey or headers["apiKey"].
func isReferred(text string, at span, g glue, secret span) bool {
	name, value := at.of(text), secret.of(text)
	name = strings.TrimLeft(name[strings.LastIndexByte(name, '.')+1:], "-_")
	switch before := byteBefore(text, at.start); {
	case strings.HasSuffix(text[:at.start], "::") && run(value, 0, len(value), isHex) == len(value): // A type's.
		return true
	case text[g.at-1] == '|' && (strings.IndexByte(strings.TrimRight(value, "|"), '|') >= 0 ||
		before == '|' && byteAt(text, secret.end) != '|'),
		g.last == ',' && g.quote == 0 && before == '(',
		byteAt(text, at.end) == '(' && strings.EqualFold(name, "pass") && isWordy(value):
		return true
	}
	value = strings.TrimRight(value, "\"'`)]};")
	rest, ok := strings.CutSuffix(strings.ToLower(value), strings.ToLower(name))
	return ok && len(name) > 3 && (rest == "" || strings.IndexByte(`.["'$_#`, rest[len(rest)-1]) >= 0)
}

// nameOf returns the name that a keyword is a part of, and what it makes of its
// value.
func nameOf(text string, keyword span) (span, nameKind) {
	if !isForeignName(keyword.of(text)) {
		name := nameAround(text, keyword)
		return name, kindOfName(text, name)
	}
	if isLetter(text[keyword.start]) && isLetter(byteBefore(text, keyword.start)) ||
		isLetter(text[keyword.end-1]) && isLetter(byteAt(text, keyword.end)) {
		return keyword, unnamed // A part of another word.
	}
	for _, particle := range particles() {
		if strings.HasPrefix(text[keyword.end:], particle) {
			keyword.end += len(particle)
		}
	}
	return keyword, chosen
}

// followedByBlank says whether the name at s is written so that a blank is enough
// between it and its value: as a flag, or behind a command that sets variables.
func followedByBlank(text string, s span) bool {
	if name := s.of(text); strings.HasPrefix(name, "-") || words("bare-setting").has(name) {
		return true
	}
	end := back(text, s.start, max(0, s.start-4), isBlank)
	return end < s.start && words("setting-command").has(text[back(text, end, max(0, end-8), isDotted):end])
}

// valueAt judges the value that begins behind the glue.
func valueAt(text string, g glue, kind nameKind) (span, bool) {
	if g.quote != 0 {
		at := g.at
		limit := min(len(text), at+maxValue)
		end := run(text, at, limit, func(c byte) bool { return c != g.quote && c != '\n' })
		value := text[at:end]
		if end < limit {
			value = strings.TrimRight(value, `\ `)
		}
		if callOrPath(value) && kind != chosen || isPattern(value) ||
			strings.IndexByte("+,;)", byteAt(value, 0)) >= 0 ||
			strings.Contains(value, `\u`) || strings.Contains(value, `\x`) || isRoute(value) {
			return span{}, false
		}
		given := !g.listed && g.last != 0 && g.quote != '`'
		return span{at, at + len(value)}, kind.accepts(value) || given && kind == chosen && isChosenWord(value)
	}
	return bareValue(text, g.at, kind)
}

// isChosenWord says whether a value is a word that a person may have chosen for a password, and not what
// programs and manuals write there.
func isChosenWord(value string) bool {
	n, word := classesOf(value), strings.ToLower(value)
	if signs := strings.Count(value, "_") + countMarks(value); len(value) < 6 || n.lower == 0 ||
		n.lower+n.upper+signs < len(value) || plainWord(word) || isForeignName(word) || isPlaceholder(value) {
		return false
	}
	var parts [8]string
	return splitName(value, &parts) == 1 || kindOfName(value, span{0, len(value)}) == unnamed
}

// minBare is the least length of a token without quotes.
const minBare = 10

// bareValue judges a value without quotes, which ends at a blank.
func bareValue(text string, at int, kind nameKind) (span, bool) {
	limit := min(len(text), at+maxValue)
	end := run(text, at, limit, inBareValue)
	value := text[at:end]
	if next := strings.IndexByte(value, '&'); next >= 0 && strings.IndexByte(value[next:], '=') > 1 {
		value = value[:next] // The next parameter of a query.
	}
	value, _, _ = strings.Cut(value, "</") // The end of an element.
	if byteBefore(text, at) == '\\' || strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 }) {
		return span{}, false
	}
	if strings.IndexByte("?@&,;.#/", byteAt(text, at)) >= 0 && kind != chosen || byteAt(text, at) == '?' {
		return span{}, false
	}
	whole := strings.TrimRight(value, ".,:)]}>\\")
	value = strings.TrimRight(whole, ".,:)]}>!?*\\")
	if kind == chosen && hasGeneratedPart(value) {
		return span{at, at + len(whole)}, true
	}
	if byteAt(value, 0) == '+' || isCode(value) || isPair(value) || isStandard(value) || isPattern(value) ||
		kind == strong && len(value) < minBare {
		return span{}, false
	}
	if before := byteBefore(text, at); isCamel(value) && kind >= strong && isChosenWord(value) &&
		(before == '=' || before == ':' || isSpacedSign(text, at)) && isWholeLine(text, at, at+len(value)) {
		return span{at, at + len(whole)}, true
	}
	tight := kind == chosen && (byteBefore(text, at) == '=' && strings.IndexByte(value, '.') < 0 ||
		isNumberedWord(value) && isWholeLine(text, at, at+len(value)))
	if callOrPath(value) || isIdentifier(value) && !tight && !isPassphrase(value, kind) || !kind.accepts(value) {
		return span{}, false
	}
	if end == limit {
		return span{at, end}, true
	}
	return span{at, at + len(whole)}, true
}

// isNumberedWord says whether a value is letters with a number behind them.
func isNumberedWord(value string) bool {
	letters := run(value, 0, len(value), isLetter)
	return len(value) >= 8 && letters >= 4 && run(value, letters, len(value), isDigit) == len(value)
}

// isWholeLine says whether a line is a name, a colon and the value at text[at:end].
func isWholeLine(text string, at, end int) bool {
	line := text[max(0, at-maxName):at]
	line = strings.TrimSpace(strings.TrimSuffix(line[strings.LastIndexByte(line, '\n')+1:], "!!str "))
	sign := strings.TrimRight(line, ":=")
	name := strings.Trim(sign, " \"'")
	next := byteAt(text, end)
	return len(sign) == len(line)-1 && name != "" && run(name, 0, len(name), isDotted) == len(name) &&
		(next == 0 || next == '\n')
}

// isSpacedSign says whether a name in quotes, a blank and a sign stand before text[at], as in no program.
func isSpacedSign(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-4):at], " :=")
	return before != "" && isQuote(before[len(before)-1]) && strings.HasPrefix(text[at-4+len(before):], " ")
}

// isCamel says whether a value is two words or more that only capitals part.
func isCamel(value string) bool {
	first := run(value, 1, len(value), isLower)
	return first > 2 && first < len(value) && run(value, 0, len(value), isLetter) == len(value)
}

// hasGeneratedPart says whether a value looks like a place whose last part a machine made, and which is no
// file by its ending: "~/.pgpass" is where a password is kept, and "~/" in front of a password does not make
// it a place.
func hasGeneratedPart(value string) bool {
	slash := strings.LastIndexByte(value, '/')
	if slash < 0 || strings.IndexByte("/~$.", value[0]) < 0 || strings.Contains(value, "://") {
		return false
	}
	last := value[slash+1:]
	return (looksRandom(last) || madeScore(last) >= 0 && hasDigit(last)) && !namesThing(last) &&
		!isPlaceholder(last) && !words("extension").has(strings.ToLower(last[strings.LastIndexByte(last, '.')+1:]))
}

// isPassphrase says whether a value is made of words with a number behind them,
// as people make long passwords.
func isPassphrase(value string, kind nameKind) bool {
	return kind == chosen && strings.Count(value, "-") >= 2 && classesOf(value).digit >= 3 &&
		isIdentifier(value)
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
	case isSpace(c):
		// Steps over blanks and line ends, as a formatter aligns them. It returns false where a
		// line ends behind "=", which then gives nothing.
		end := run(text, g.at, min(len(text), g.at+maxGlue), isSpace)
		lines := strings.Count(text[g.at:end], "\n")
		if lines > 0 && (g.last == '=' || g.last == ',' || g.last == ':' && !isBlank(byteAt(text, end-1))) {
			return false
		}
		g.lines += lines
		g.at, g.quote = end, 0
		g.limit = min(len(text), end+maxGlue)
		return true
	case isQuote(c):
		return !g.openQuote(text)
	case strings.IndexByte("=:>,|", c) >= 0:
		g.signs, g.quote, g.last = true, 0, c
		g.listed = g.listed || c == ',' || c == '|'
		g.at++
	case strings.IndexByte("<.*;!", c) >= 0,
		c == '{' && hasFold(strings.TrimLeft(text[g.at+1:min(len(text), g.at+8)], " "), "get;"):
		end := g.markEnd(text)
		if end == g.at {
			return false
		}
		g.at, g.signs, g.quote = end, true, 0
	case strings.IndexByte(`\)](?[{@$&+`, c) >= 0 && g.isGlue(text):
		g.signs = g.signs || c == '(' && isQuote(byteAt(text, g.at+1))
		g.at++
	case c == '-' && (byteAt(text, g.at+1) == '>' || byteAt(text, g.at-1) == '>' ||
		byteAt(text, g.at-1) == '|'):
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
	if end > g.at && byteAt(text, end) == g.quote {
		g.at, g.quote = end+1, 0
		return false // Another name, such as "value".
	}
	for byteAt(text, g.at) == g.quote && byteAt(text, g.at+1) == g.quote {
		g.at += 2 // Three quotes in a row.
	}
	return byteAt(text, g.at) != g.quote
}

// isGlue says whether the sign at g.at belongs to the glue and not to the
// value: it is followed by more of it.
func (g *glue) isGlue(text string) bool {
	next := byteAt(text, g.at+1)
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
		end := run(rest, 3, len(rest), isDigit)
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
		end := run(rest, 1, len(rest), isWord)
		if end > 1 && byteBefore(text, g.at) == ')' && end < len(rest) && rest[end] == '(' {
			return g.at + end + 1
		}
		if strings.HasPrefix(rest, ".=") {
			return g.at + 2
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
	end := run(text, g.at, min(len(text), g.at+16), func(c byte) bool {
		return isLetter(c) || c == '-' || c == '_'
	})
	next := byteAt(text, end)
	if end == g.at || isAlnum(next) || next == '[' || next == '.' || next == '/' {
		return g.at
	}
	word := strings.ToLower(text[g.at:end])
	if g.signs && next == '(' && isQuote(byteAt(text, end+1)) && words("wrapping").has(word) {
		return end
	}
	if words("glue-word").has(word) || words("literal-letter").has(word) && (next == '"' || next == '\'') {
		return end
	}
	return g.at
}
