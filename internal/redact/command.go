package redact

import (
	"strings"
	"sync"
)

// programNames returns the names of the programs of commandTable as a command line
// has them. A name that stands in two rows is returned twice, which costs less
// than to see it.
func programNames() []string {
	var names []string
	for row := range rowsOf(commandTable) {
		column, _, _ := strings.Cut(row, "\t")
		names = append(names, wordsOf(column)...)
	}
	for i, name := range names {
		if strings.Contains(name, "+") {
			names[i] = strings.ReplaceAll(name, "+", " ")
		}
	}
	return names
}

// An invocation is what is known of a program: in which way it is given
// secrets behind which word.
type invocation struct {
	subs  []string
	flags []flag
}

// invocations are those of the programs of commandTable, which is read when one
// of them is first seen.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var invocations = sync.OnceValue(func() map[string][]invocation {
	table := map[string][]invocation{}
	for row := range rowsOf(commandTable) {
		columns := strings.Split(row, "\t")
		known := invocation{flags: parseFlags(columns[2])}
		if columns[1] != "-" {
			known.subs = strings.Split(columns[1], "|")
		}
		for _, name := range wordsOf(columns[0]) {
			table[name] = append(table[name], known)
		}
	}
	return table
})

// findCommand looks for a secret in the words that follow the name of a program.
func findCommand(text string, keyword span) (span, bool) {
	at, ok := programEnd(text, keyword)
	if !ok {
		return span{}, false
	}
	known := invocations()[strings.ReplaceAll(strings.ToLower(keyword.of(text)), " ", "+")]
	words := argumentsAt(text, at)
	for i := range known {
		if secret, ok := known[i].findIn(words, text); ok {
			return secret, true
		}
	}
	return span{}, false
}

// programEnd says whether the keyword is the name of a program and where its
// arguments begin. In a list of strings the name stands in quotes.
func programEnd(text string, keyword span) (int, bool) {
	before := byteBefore(text, keyword.start)
	if before == '-' && strings.HasSuffix(text[:keyword.start], "impacket-") {
		before = ' '
	}
	if isWord(before) || before == '-' || before == '.' || before == '@' || before == '$' || before == '=' {
		return 0, false
	}
	at := keyword.end
	for _, suffix := range [...]string{".exe", ".py", ".bat"} {
		if hasFold(text[at:], suffix) {
			at += len(suffix)
		}
	}
	if c := byteAt(text, at); c == '"' || c == '\'' {
		at++
		return at, byteAt(text, at) == ',' || isBlank(byteAt(text, at))
	}
	return at, isBlank(byteAt(text, at))
}

// maxSub is how many words may stand before the word that an invocation needs.
const maxSub = 8

func (c *invocation) findIn(words []span, text string) (span, bool) {
	words, ok := c.behindSub(words, text)
	if !ok {
		return span{}, false
	}
	var bare []span
	for i, word := range words {
		if secret, ok := c.firstOf(func(f *flag) (span, bool) { return f.valueAt(text, words, i) }); ok {
			return secret, true
		}
		if isOptionWord(text, word) {
			continue
		}
		bare = append(bare, word)
		if secret, ok := c.firstOf(func(f *flag) (span, bool) { return f.placedWord(text, bare) }); ok {
			return secret, true
		}
	}
	return c.firstOf(func(f *flag) (span, bool) { return f.lastWord(text, bare) })
}

// firstOf returns the first secret that judge finds with one of the flags.
func (c *invocation) firstOf(judge func(*flag) (span, bool)) (span, bool) {
	for i := range c.flags {
		if secret, ok := judge(&c.flags[i]); ok {
			return secret, true
		}
	}
	return span{}, false
}

// behindSub returns the words behind the one that the invocation needs.
func (c *invocation) behindSub(words []span, text string) ([]span, bool) {
	if len(c.subs) == 0 {
		return words, true
	}
	for i, word := range words[:min(len(words), maxSub)] {
		if c.beginsWith(withoutQuotes(text, word).of(text)) {
			return words[i+1:], true
		}
	}
	return nil, false
}

// beginsWith says whether word is one of those that the invocation needs: the
// word itself, or a group of letters with the letter of an option.
func (c *invocation) beginsWith(word string) bool {
	for _, sub := range c.subs {
		if strings.EqualFold(word, sub) {
			return true
		}
		if sub[0] == '-' && len(word) > 1 && word[0] == '-' && word[1] != '-' &&
			strings.Contains(word, sub[1:]) {
			return true
		}
	}
	return false
}

// isOptionWord says whether a word is an option rather than an argument.
func isOptionWord(text string, word span) bool {
	word = withoutQuotes(text, word)
	c := byteAt(text, word.start)
	return c == '-' || c == '/' && isLetter(byteAt(text, word.start+1)) &&
		strings.IndexByte(word.of(text), ':') > 0 ||
		c == '/' && word.end-word.start < 8
}

// A follow tells where the secret of an option stands.
type follow int

const (
	inNext  follow = iota + 1 // In the next word.
	inRest                    // In the rest of the same word.
	inBoth                    // In the rest of the same word, or else in the next.
	inGroup                   // In the next word, when the option ends a group of letters.
	behind                    // In the next word, when this one begins with the name.
	inPlace                   // In a word that is told by its number.
)

// A flag is one way to give a program its secret.
type flag struct {
	name  string
	how   follow
	cut   string // The sign in the value behind which the secret stands, or "".
	place int    // For inPlace: which of the words that are no options, or 0 for the last.
}

func parseFlags(notation string) []flag {
	var all []flag
	for word := range strings.FieldsSeq(notation) {
		all = append(all, parseFlag(word))
	}
	return all
}

// parseFlag reads the notation of commandTable. A name alone has its secret
// in the next word; "*" behind it means in the rest of the word, "?" in
// either, "+" at the end of a group of letters, "~" in the next word behind
// one that begins so; "#2" is the second word that is no option, "#0" the
// last. "@" and a sign mean that the secret stands behind that sign.
func parseFlag(word string) flag {
	var f flag
	word, f.cut, _ = strings.Cut(word, "@")
	if word[0] == '#' {
		f.how, f.place = inPlace, int(word[1]-'0')
		return f
	}
	f.name = strings.TrimRight(word, "*?+~")
	switch word[len(word)-1] {
	case '*', '=':
		f.how = inRest
	case '?':
		f.how = inBoth
	case '+':
		f.how = inGroup
	case '~':
		f.how = behind
	default:
		f.how = inNext
	}
	return f
}

// valueAt returns the secret that the option gives at words[i].
func (f *flag) valueAt(text string, words []span, i int) (span, bool) {
	if f.how == inPlace {
		return span{}, false
	}
	word := words[i]
	at := run(text, word.start, word.end, isQuoteSign)
	whole := strings.Trim(word.of(text), "\"'`\\,")
	if !strings.HasPrefix(text[at:word.end], f.name) && (f.how != inGroup || !f.endsGroup(whole)) {
		return span{}, false
	}
	switch {
	case f.how == behind:
		return f.nextWord(text, words, i, func(w span) bool { return byteAt(text, w.start) == '/' })
	case f.how == inGroup && f.endsGroup(whole), f.how != inRest && f.how != inGroup && whole == f.name:
		return f.nextWord(text, words, i, nil)
	case f.how == inRest, f.how == inBoth, f.how == inGroup:
		return f.restOfWord(text, word, at+len(f.name))
	default:
		return span{}, false
	}
}

// endsGroup says whether word is a group of letters such as -sSu that ends
// with the letter of the option.
func (f *flag) endsGroup(word string) bool {
	return len(word) >= 2 && len(word) <= 8 && word[0] == '-' &&
		run(word, 1, len(word), isLetter) == len(word) &&
		word[len(word)-1] == f.name[len(f.name)-1]
}

// nextWord judges the word behind words[i] and those that skip names.
func (f *flag) nextWord(text string, words []span, i int, skip func(span) bool) (span, bool) {
	for i++; i < len(words); i++ {
		if skip != nil && skip(words[i]) {
			continue
		}
		secret := withoutQuotes(text, words[i])
		plain := secret.start == words[i].start && run(text, secret.start, secret.end, isLower) == secret.end
		if plain && inProse(text, words[i].end) {
			return span{}, false
		}
		return f.judgeValue(text, secret)
	}
	return span{}, false
}

// restOfWord judges what follows the name of the option in the same word.
func (f *flag) restOfWord(text string, word span, at int) (span, bool) {
	long := len(f.name) > 2
	if long && f.how != inRest {
		if c := byteAt(text, at); at >= word.end || c != '=' && c != ':' {
			return span{}, false
		}
	}
	if c := byteAt(text, at); at < word.end && c == '=' {
		at++
	}
	return f.judgeValue(text, argumentFrom(text, word, at))
}

// placedWord judges the last of bare, which are the words so far that are no
// options, if it has the number of the flag.
func (f *flag) placedWord(text string, bare []span) (span, bool) {
	if f.how != inPlace || f.place != len(bare) {
		return span{}, false
	}
	return f.judgeAlone(text, withoutQuotes(text, bare[len(bare)-1]))
}

// lastWord judges the last word that is no option, if the flag asks for it.
func (f *flag) lastWord(text string, bare []span) (span, bool) {
	if f.how != inPlace || f.place != 0 || len(bare) == 0 {
		return span{}, false
	}
	return f.judgeAlone(text, withoutQuotes(text, bare[len(bare)-1]))
}

// judgeAlone decides about a value that no option names, which must look like
// a secret.
func (f *flag) judgeAlone(text string, value span) (span, bool) {
	s := value.of(text)
	if f.cut == "" {
		name := run(s, 0, len(s), isWord)
		if !strongArgument(s) || name > 0 && name+1 < len(s) && s[name] == '=' && s[name+1] != '=' {
			return span{}, false
		}
	}
	return f.judgeValue(text, value)
}

// judgeValue decides about a value.
func (f *flag) judgeValue(text string, value span) (span, bool) {
	secret, ok := f.secretPart(text, value)
	if !ok {
		return span{}, false
	}
	return secret, secretArgument(secret.of(text))
}

// secretPart returns the part of a value that is the secret.
func (f *flag) secretPart(text string, value span) (span, bool) {
	s := value.of(text)
	for _, word := range [...]string{"pass:", "key:", "hexkey:"} {
		if strings.HasPrefix(s, word) {
			return span{value.start + len(word), value.end}, true
		}
	}
	if f.cut == "" {
		return value, !strings.HasPrefix(s, "file:") && !strings.HasPrefix(s, "env:") &&
			!strings.HasPrefix(s, "fd:")
	}
	at := strings.Index(s, f.cut)
	if at < 0 {
		return value, f.cut == ":" && len(s) >= 20 && isOpaqueID(s)
	}
	secret := span{value.start + at + len(f.cut), value.end}
	rest := secret.of(text)
	switch {
	case f.cut == "/" || f.cut == ":" && f.how == inPlace:
		end := strings.LastIndexByte(rest, '@')
		return span{secret.start, secret.start + max(0, end)}, at > 0 && end > 0
	case strings.HasSuffix(f.cut, "="):
		end := strings.IndexByte(rest, ',')
		if end >= 0 {
			secret.end = secret.start + end
		}
		return secret, true
	case rest == "" || rest == "x-oauth-basic" || rest == "api_token":
		return span{value.start, value.start + at}, at >= 16 && isOpaqueID(s[:at])
	default:
		return secret, true
	}
}

// isOpaqueID says whether s is of letters and digits that no person made up.
func isOpaqueID(s string) bool {
	n := classesOf(s)
	return run(s, 0, len(s), isURLSafe) == len(s) && n.digit > 0 && n.lower+n.upper > 0 && !isIdentifier(s) &&
		!isPlaceholder(s)
}

// Bounds of what is read of a command line.
const (
	maxWords   = 32
	maxCommand = 768
)

// argumentsAt returns the words of a command line from text[at] on: what
// blanks part outside quotes, up to the end of the command. The words keep
// their quotes. Commas part the words of a list of strings.
func argumentsAt(text string, at int) []span {
	limit := min(len(text), at+maxCommand)
	var words []span
	for len(words) < maxWords {
		at = skipBlanks(text, at, limit)
		if at >= limit || isCommandEnd(text[at]) {
			break
		}
		end, more := argumentEnd(text, at, limit)
		if end > at {
			words = append(words, span{at, end})
		}
		if !more {
			break
		}
		at = end
	}
	return words
}

func isCommandEnd(c byte) bool { return c == '\n' || c == '\r' || c == ';' || c == '|' || c == ']' }

// skipBlanks steps over blanks, commas behind a quote, and the sign that
// continues a command on the next line.
func skipBlanks(text string, at, limit int) int {
	for at < limit {
		c := text[at]
		continued := (c == '\\' || c == '`' || c == '^') && at+1 < limit &&
			(text[at+1] == '\n' || text[at+1] == '\r')
		switch {
		case isBlank(c):
			at++
		case c == ',' && isQuoteSign(byteBefore(text, at)):
			at++
		case continued:
			at = run(text, at+1, limit, isSpace)
		default:
			return at
		}
	}
	return at
}

func isQuoteSign(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// argumentEnd returns where the word at text[at] ends, and whether more words
// can follow. A quote that nothing closes ends the command: it closes the
// text in which the command stands.
func argumentEnd(text string, at, limit int) (int, bool) {
	for at < limit {
		c := text[at]
		switch {
		case isQuoteSign(c):
			end := closingQuote(text, at, limit)
			if end < 0 {
				return at, false
			}
			at = end
			if byteAt(text, at) == ',' {
				return at, true
			}
		case isSpace(c) || c == ';' || c == '|':
			return at, true
		case c == ')': // The end of what stands in a call or in another command.
			return at, false
		case c == '\\' && at+1 < limit && isQuoteSign(text[at+1]):
			end := strings.Index(text[at+2:limit], text[at:at+2])
			if end < 0 {
				return at, false
			}
			at += 2 + end + 2
		case c == '\\' && at+1 < limit && (text[at+1] == '\n' || text[at+1] == '\r'):
			return at, true
		case c == '$' && at+1 < limit && text[at+1] == '(':
			end := strings.IndexByte(text[at:limit], ')')
			if end < 0 {
				return at, false
			}
			at += end + 1
		default:
			at++
		}
	}
	return at, limit == len(text)
}

// closingQuote returns the place behind the quote that closes the one at
// text[at] in the same line, or -1.
func closingQuote(text string, at, limit int) int {
	for i := at + 1; i < limit && text[i] != '\n'; i++ {
		if text[i] == text[at] && (text[i] == '\'' || text[i-1] != '\\') {
			return i + 1
		}
	}
	return -1
}

// withoutQuotes returns word without the quotes around it.
func withoutQuotes(text string, word span) span {
	return argumentFrom(text, word, word.start)
}

// argumentFrom returns the value that begins at text[at] inside a word: what
// stands in quotes there, or else up to the next quote.
func argumentFrom(text string, word span, at int) span {
	if at >= word.end {
		return span{at, at}
	}
	open := at
	if text[open] == '\\' && open+1 < word.end {
		open++
	}
	if isQuoteSign(text[open]) {
		end := open + 1
		for end < word.end && text[end] != text[open] {
			end++
		}
		if end > open+1 && text[end-1] == '\\' && open > at {
			end--
		}
		return span{open + 1, end}
	}
	end := at
	for end < word.end && !isQuoteSign(text[end]) {
		end++
	}
	if end < word.end || isQuoteSign(byteBefore(text, at)) {
		return span{at, end}
	}
	return span{at, at + len(strings.TrimRight(text[at:end], ".,:)]}\\"))}
}

// secretArgument says whether value can be a secret in a command line, and is
// no variable, no filler, no file and no other option.
func secretArgument(value string) bool {
	if len(value) < 4 || len(value) > 4096 || isVariableRef(value) {
		return false
	}
	switch value[0] {
	case '-', '@', '~', '*':
		return false
	case '/', '.':
		if strings.ContainsAny(value[1:], "/.") {
			return false // A file.
		}
	}
	n := classesOf(value)
	if n.lower == 0 && n.digit == 0 &&
		n.upper+strings.Count(value, "_")+strings.Count(value, "-") == len(value) && !isLetterJumble(value) {
		return false // A name such as PASSWORD.
	}
	return !plainWord(strings.ToLower(value)) && !isPlaceholder(value)
}

// isVariableRef says whether value is replaced by something else when the command
// runs.
func isVariableRef(value string) bool {
	value = value[:min(len(value), maxValue)]
	if words("variable-sign").within(value) {
		return true
	}
	if value[0] == '$' || value[0] == '%' || value[0] == '!' {
		end := run(value, 1, len(value), isWord)
		rest := value[end:]
		named := end > 1 && isNameOfVariable(value[1:end])
		return named && (rest == "" || rest[0] == '%' || rest[0] == '!' || rest[0] == '.' || rest[0] == '[' ||
			rest[0] == ':')
	}
	return false
}

// isNameOfVariable says whether name is of capitals or of small letters, with
// few digits.
func isNameOfVariable(name string) bool {
	n := classesOf(name)
	return !isDigit(name[0]) && n.digit <= 2 && (n.upper == 0 || n.lower == 0 || isIdentifier(name))
}

// plainWord says whether a word in lower case is what manuals write for a
// secret, or is known to everybody.
func plainWord(word string) bool { return words("plain-word").has(strings.Trim(word, "_-.")) }

// strongArgument says whether value is more than a word: it has a digit, a
// sign, or capitals inside.
func strongArgument(value string) bool {
	n := classesOf(value)
	return n.digit > 0 && n.lower+n.upper > 0 && !isVersion(value) ||
		n.digit > 0 && len(value) >= 8 && !isVersion(value) || countMarks(value) > 0 ||
		n.upper > 0 && n.lower > 0 && !isIdentifier(value)
}

// strongWord says whether value can be a secret in a command line and is more
// than a word.
func strongWord(value string) bool {
	return secretArgument(value) && strongArgument(value) && !isIdentifier(value)
}

// inProse says whether the word before text[at] is one of a sentence: two
// more words of small letters follow it.
func inProse(text string, at int) bool {
	for range 2 {
		if byteAt(text, at) != ' ' {
			return false
		}
		end := run(text, at+1, min(len(text), at+20), isLower)
		if end == at+1 || end < len(text) && !isSpace(text[end]) && text[end] != '.' && text[end] != ',' {
			return false
		}
		at = end
	}
	return true
}
