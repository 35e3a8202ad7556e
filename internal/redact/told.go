package redact

import (
	"strings"
	"unicode"
)

// Bounds of how far from its name a secret may be told.
const (
	maxTold     = 72
	maxToldBack = 56
)

// findTold finds a secret that a sentence tells: "the password is …", "use …
// as the API key".
func findTold(text string, name span, kind nameKind) (span, bool) {
	if kind == hinted || kind == keyed {
		return findDirectly(text, name.end)
	}
	verb := strings.EqualFold(text[max(name.start, name.end-len("pass")):name.end], "pass")
	if verb && !words("said-to-be").has(strings.ToLower(wordAfter(text, name.end))) {
		return span{}, false // "To pass x", where "the pass is x" tells one.
	}
	if secret, ok := toldAfter(text, name.end, kind); ok {
		return secret, true
	}
	return valueBefore(text, name.start, func(value string) bool {
		return kind.tells(value, linkedTo) &&
			(looksRandom(value) && !namesThing(value) || kind == chosen && !isIdentifier(value))
	})
}

// wordAfter returns the letters behind text[at] and a blank.
func wordAfter(text string, at int) string {
	start := run(text, at, min(len(text), at+2), isBlank)
	return text[start:run(text, start, min(len(text), start+maxName), isLetter)]
}

// minDirect is the least length of a value that the word "key" stands before.
const minDirect = 24

// findDirectly finds a value that follows its name with a blank between.
func findDirectly(text string, from int) (span, bool) {
	if byteAt(text, from) != ' ' {
		return span{}, false
	}
	end := run(text, from+1, min(len(text), from+1+maxValue), func(c byte) bool { return !isSpace(c) })
	word := bareWord(text, span{from + 1, end})
	return word, word.end-word.start >= minDirect && hinted.accepts(word.of(text))
}

// toldAfter looks at the words of the sentence behind the name.
func toldAfter(text string, from int, kind nameKind) (span, bool) {
	limit := min(len(text), from+maxTold)
	digits := hasDigit(text[from:limit])
	if !digits && (kind != chosen || !strings.ContainsAny(text[from:limit], "\"'")) {
		return span{}, false
	}
	c := clause{text: text, from: from, limit: limit, word: span{from, from}}
	for c.nextWord() {
		word := bareWord(text, c.word)
		bond := c.bondOf(word)
		said := bond == saidToBe && kind == chosen && word.start > c.word.start && isQuote(text[word.start-1]) &&
			byteAt(text, word.end) == text[word.start-1] && isChosenWord(word.of(text))
		if !words("harmless-gap").within(c.before) && (said || digits && kind.tells(word.of(text), bond)) {
			return withMarks(text, word), true
		}
		if endsClause(c.word.of(text)) {
			break
		}
	}
	return span{}, false
}

// A clause reads the words behind a name until the sentence is over, or turns
// out to be about something else.
type clause struct {
	text        string
	from, limit int
	word        span
	before      string // The word in front, in small letters.
}

// nextWord goes to the next word.
func (c *clause) nextWord() bool {
	for {
		if c.word.end > c.from {
			c.before = strings.ToLower(c.word.of(c.text))
		}
		start := run(c.text, c.word.end, c.limit, isSpace)
		end := run(c.text, start, min(len(c.text), start+maxValue), func(b byte) bool { return !isSpace(b) })
		broken := strings.Contains(c.text[c.word.end:start], "\n") && !isLinking(c.before)
		if start >= c.limit || end == start || broken ||
			words("compound").has(strings.TrimRight(c.before, ":,")) || strings.HasSuffix(c.before, "):") {
			return false
		}
		c.word = span{start, end}
		if strings.Contains(c.word.of(c.text), "\":") {
			return false
		}
		if start > c.from {
			return true
		}
		if endsClause(c.word.of(c.text)) { // The rest of the name.
			return false
		}
	}
}

// bondOf says how word belongs to the name.
func (c *clause) bondOf(word span) bond {
	if words("said-to-be").has(c.before) {
		return saidToBe
	}
	first := c.word.start == run(c.text, c.from, c.limit, isSpace)
	if first || isLinking(c.before) || word.start > c.word.start && isQuote(c.text[word.start-1]) {
		return linkedTo
	}
	return besideIt
}

// valueBefore looks for a value that the words in front of text[to] say to be
// what stands there: "use … as our", "… is the".
func valueBefore(text string, to int, judge func(string) bool) (span, bool) {
	from := max(0, to-maxToldBack)
	if !hasDigit(text[from:to]) {
		return span{}, false
	}
	linking := false
	for at := to; at > from; {
		whole := lastWord(text, from, at)
		if whole.start == whole.end || endsClause(whole.of(text)) {
			break
		}
		word := bareWord(text, whole)
		value := word.of(text)
		if linking {
			return word, judge(value)
		}
		linking = words("naming-link").has(value)
		at = whole.start
	}
	return span{}, false
}

// lastWord returns the last word of text[from:to], at most maxValue bytes of
// it, as it is written. It is empty where text[from:to] is blank.
func lastWord(text string, from, to int) span {
	end := back(text, to, from, isSpace)
	return span{back(text, end, max(0, end-maxValue), func(c byte) bool { return !isSpace(c) }), end}
}

// bareWord takes the quotes, brackets and signs off a word in a sentence.
func bareWord(text string, s span) span {
	for s.start < s.end && strings.IndexByte("\"'`([{<*_|", text[s.start]) >= 0 {
		s.start++
	}
	for _, quote := range [...]string{"“", "‘", "«", "„"} {
		if strings.HasPrefix(s.of(text), quote) {
			s.start += len(quote)
		}
	}
	for s.start < s.end {
		trimmed := strings.TrimRight(s.of(text), "\"'`)]}>*_|.,;:?")
		for _, quote := range [...]string{"”", "’", "»", "“"} {
			trimmed = strings.TrimSuffix(trimmed, quote)
		}
		if s.start+len(trimmed) == s.end {
			break
		}
		s.end = s.start + len(trimmed)
	}
	return s
}

// withMarks returns word with the signs behind it that may be part of it.
func withMarks(text string, word span) span {
	return span{
		word.start,
		run(text, word.end, len(text), func(c byte) bool { return c == '!' || c == '?' || c == '*' }),
	}
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// endsClause says whether a sentence or a part of it ends with word.
func endsClause(word string) bool {
	return len(word) > 1 && strings.IndexByte(".;?!", word[len(word)-1]) >= 0
}

// isLinking says whether a word in front of a value says that it is the value.
func isLinking(word string) bool {
	return words("linking").has(word) || strings.HasSuffix(word, ":") || strings.HasSuffix(word, "=")
}

// A bond says how a word of a sentence belongs to a name in it.
type bond int

const (
	besideIt bond = iota // They stand in one sentence.
	linkedTo             // A word or a sign says that it is its value.
	saidToBe             // A verb says so.
)

// tells says whether a word of a sentence about a secret is that secret. Only
// what is linked to the name may be weak.
func (k nameKind) tells(value string, how bond) bool {
	if isPair(value) || isStandard(value) || isCode(value) ||
		value != "" && (value[0] == '/' || value[0] == '-') ||
		strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 }) {
		return false
	}
	if len(value) < 6 || strings.ContainsAny(value, "()<>{}\"") || callOrPath(value) || isPlaceholder(value) ||
		isNamed(value) {
		return false
	}
	n := classesOf(value)
	if k == chosen && how == saidToBe && n.digit > 0 && n.lower+n.upper > 2 && !isVersion(value) &&
		!isAlgorithm(value) {
		return true
	}
	if k == chosen && how != besideIt {
		return n.digit > 0 && n.lower+n.upper > 2 && !isVersion(value) && !isAlgorithm(value) &&
			!isWordy(value) || n.digit == len(value)
	}
	if how != besideIt {
		return len(value) >= 16 && strong.accepts(value) && !isIdentifier(value) && !namesThing(value)
	}
	return looksRandom(value) && !namesThing(value)
}

// isWordy says whether a value is a word with a number behind it, as things in a
// sentence are named: "argon2", "utf-8", "step-2".
func isWordy(value string) bool {
	return isIdentifier(value) && classesOf(value).digit < 3
}

// isNamed says whether a word is an identifier with a sign inside, a mail
// address or something else that sentences hold.
func isNamed(value string) bool {
	if dot := strings.IndexByte(value, '.'); dot > 2 && dot+3 < len(value) &&
		run(value, 0, dot, isLetter) == dot && isLetter(value[dot+1]) && isLetter(value[dot+2]) {
		return true
	}
	return strings.Contains(value, `\`) || strings.Contains(value, "://") ||
		strings.Contains(value, "@") && strings.Contains(value, ".") ||
		strings.Contains(value, "::") || strings.HasPrefix(value, "#")
}

// nearness says how a value belongs to a name in front of it.
type nearness int

const (
	assigned  nearness = iota + 1 // A sign of assignment stands directly before it.
	told                          // It stands in the same clause, which speaks of a secret.
	mentioned                     // A word links it to the name, and nothing speaks of a secret.
)

// Bounds of how far from a name its value is looked for.
const (
	maxNear  = 96
	maxTried = 4
)

// valueNear offers the values that follow a name to judge, the nearest first,
// and returns what judge accepts. A value is a run of the characters of
// tokens. How it belongs to the name is told with it.
func valueNear(text string, keyword span, judge func(at, limit int, how nearness) (span, bool)) (span, bool) {
	limit := min(len(text), keyword.end+maxNear)
	tried := 0
	for at := keyword.end; at < limit && tried < maxTried; {
		if !isToken(text[at]) ||
			isToken(byteBefore(text, at)) && at > keyword.end && !opensValue(byteBefore(text, at)) {
			at++
			continue
		}
		end := run(text, at, min(len(text), at+2*maxValue), isToken)
		if end-at >= minNear && at > keyword.end && hasDigit(text[at:end]) {
			tried++
			if how := nearnessOf(text, keyword, at); how != 0 {
				if secret, ok := judge(at, end, how); ok {
					return secret, true
				}
			}
		}
		at = nextValue(text, at, end)
	}
	return span{}, false
}

// minNear is the least length of a value that only its name gives away.
const minNear = 12

func isToken(c byte) bool {
	return isBase64(c) || c == '.' || c == '~' || c == ':' || c == '%' || c == '|'
}

func hasDigit(s string) bool {
	return run(s, 0, len(s), func(c byte) bool { return !isDigit(c) }) < len(s)
}

// opensValue says whether c, which can be part of a token, may also stand
// between a name and its value.
func opensValue(c byte) bool { return c == '=' || c == ':' || c == '/' || c == '|' }

// nextValue returns where the next value may begin: behind a sign inside the
// run that ends at end, or there.
func nextValue(text string, at, end int) int {
	for i := at; i < end; i++ {
		if opensValue(text[i]) && i+1 < end && !opensValue(text[i+1]) {
			return i + 1
		}
	}
	return max(end, at+1)
}

// nearnessOf says how the value at text[at] belongs to the name, or 0.
func nearnessOf(text string, keyword span, at int) nearness {
	gap := strings.ToLower(text[keyword.end:at])
	if words("digest-mark").ends(text[:at]) {
		return 0
	}
	if words("harmless-gap").within(strings.ReplaceAll(gap, "api_hash", "")) {
		return 0
	}
	if isAssigning(text, keyword.end, at) || isArgument(gap) || isCells(gap) || isQuery(gap) ||
		gap == " login " || isBlank(gap[0]) && len(gap) == 1 && followedByBlank(text, keyword) {
		return assigned
	}
	if byteBefore(text, at) == '/' || byteBefore(text, at) == '@' || strings.ContainsAny(gap, "\n;=") ||
		strings.Contains(gap, ". ") || strings.Contains(gap, "://") {
		return 0
	}
	if isLineOf(text, keyword, at) {
		return told
	}
	before := text[max(0, keyword.start-32):keyword.start]
	switch {
	case !isLinked(gap):
		return 0
	case keyWord(gap), keyWord(strings.ToLower(before[strings.LastIndexAny(before, ".\n;")+1:])):
		return told
	default:
		return mentioned
	}
}

// isLineOf says whether a line is a name and the value at text[at] with a blank or a dash between them.
func isLineOf(text string, name span, at int) bool {
	end := run(text, at, min(len(text), at+maxValue), isProvided)
	before, after := byteBefore(text, name.start), byteAt(text, end)
	return (before == 0 || before == '\n') && (after == 0 || after == '\n') && end-at >= minDirect &&
		strings.Trim(text[name.end:at], " -\t") == ""
}

// isAssigning says whether what stands between from and at is the rest of a
// name and the glue in front of a value.
func isAssigning(text string, from, at int) bool {
	name := run(text, from, min(at, from+48), func(c byte) bool { return isDotted(c) || isBlank(c) })
	if name == at {
		return false
	}
	g := readGlue(text, name)
	return g.signs && g.at == at
}

// isQuery says whether gap is the rest of an address, up to the parameter for a
// key.
func isQuery(gap string) bool {
	if strings.ContainsAny(gap, " \t\n\"'`") || len(gap) > maxNear {
		return false
	}
	name := gap[strings.LastIndexAny(gap, "?&")+1:]
	return words("query-key").has(name) && len(name) < len(gap)
}

// isCells says whether gap is the rest of a cell, and one more at most, of a
// table, or only the end of a line.
func isCells(gap string) bool {
	cells := run(gap, 0, len(gap), func(c byte) bool {
		return isAlnum(c) || isSpace(c) || strings.IndexByte(",|;\"'`()-", c) >= 0
	})
	if cells < len(gap) || len(gap) > 32 {
		return false
	}
	if strings.IndexByte(gap, '\n') >= 0 {
		return strings.Trim(gap, " \t\n\"'`") == ""
	}
	return strings.ContainsAny(gap, ",|\t(") && !words("secret-word").within(gap)
}

// isArgument says whether gap opens a call, with strings at most before the
// value.
func isArgument(gap string) bool {
	_, rest, ok := strings.Cut(gap, "(")
	return ok && strings.IndexByte(gap, ' ') != 0 && len(rest) > 0 && isQuote(rest[len(rest)-1]) &&
		!strings.ContainsAny(rest, ")\n=;")
}

// keyWord says whether a word of text, which is in small letters, names a
// secret. Other than secretWords it does not take the beginning of one.
func keyWord(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words("key-word").ends(word) {
			return true
		}
	}
	return false
}
