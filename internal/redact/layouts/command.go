package layouts

import (
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// ProgramNames returns the names of the programs of commandTable as a command line
// has them. A name that stands in two rows is returned twice, which costs less
// than to see it.
func ProgramNames() []string {
	var names []string
	for row := range rules.RowsOf(rules.CommandTable) {
		column, _, _ := strings.Cut(row, "\t")
		names = append(names, rules.WordsOf(column)...)
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
	for row := range rules.RowsOf(rules.CommandTable) {
		columns := strings.Split(row, "\t")
		known := invocation{flags: parseFlags(columns[2])}
		if columns[1] != "-" {
			known.subs = strings.Split(columns[1], "|")
		}
		for _, name := range rules.WordsOf(columns[0]) {
			table[name] = append(table[name], known)
		}
	}
	return table
})

// findCommand looks for a secret in the words that follow the name of a program.
func findCommand(text string, keyword lex.Span) (lex.Span, bool) {
	at, ok := programEnd(text, keyword)
	if !ok {
		return lex.Span{}, false
	}
	known := invocations()[strings.ReplaceAll(strings.ToLower(keyword.Of(text)), " ", "+")]
	words := argumentsAt(text, at)
	for i := range known {
		if secret, ok := known[i].findIn(words, text); ok {
			return secret, true
		}
	}
	return lex.Span{}, false
}

// programEnd says whether the keyword is the name of a program and where its
// arguments begin. In a list of strings the name stands in quotes.
func programEnd(text string, keyword lex.Span) (int, bool) {
	before := lex.ByteBefore(text, keyword.Start)
	if before == '-' && strings.HasSuffix(text[:keyword.Start], "impacket-") {
		before = ' '
	}
	if lex.IsWord(before) || before == '-' || before == '.' || before == '@' || before == '$' ||
		before == '=' {
		return 0, false
	}
	at := keyword.End
	for _, suffix := range [...]string{".exe", ".py", ".bat"} {
		if lex.HasFold(text[at:], suffix) {
			at += len(suffix)
		}
	}
	if c := lex.ByteAt(text, at); c == '"' || c == '\'' {
		at++
		return at, lex.ByteAt(text, at) == ',' || lex.IsBlank(lex.ByteAt(text, at))
	}
	return at, lex.IsBlank(lex.ByteAt(text, at))
}

// maxSub is how many words may stand before the word that an invocation needs.
const maxSub = 8

func (c *invocation) findIn(words []lex.Span, text string) (lex.Span, bool) {
	words, ok := c.behindSub(words, text)
	if !ok {
		return lex.Span{}, false
	}
	var bare []lex.Span
	for i, word := range words {
		if secret, ok := c.firstOf(func(f *flag) (lex.Span, bool) { return f.valueAt(text, words, i) }); ok {
			return secret, true
		}
		if isOptionWord(text, word) {
			continue
		}
		bare = append(bare, word)
		if secret, ok := c.firstOf(func(f *flag) (lex.Span, bool) { return f.placedWord(text, bare) }); ok {
			return secret, true
		}
	}
	return c.firstOf(func(f *flag) (lex.Span, bool) { return f.lastWord(text, bare) })
}

// firstOf returns the first secret that is found with one of the flags.
func (c *invocation) firstOf(accepts func(*flag) (lex.Span, bool)) (lex.Span, bool) {
	for i := range c.flags {
		if secret, ok := accepts(&c.flags[i]); ok {
			return secret, true
		}
	}
	return lex.Span{}, false
}

// behindSub returns the words behind the one that the invocation needs.
func (c *invocation) behindSub(words []lex.Span, text string) ([]lex.Span, bool) {
	if len(c.subs) == 0 {
		return words, true
	}
	for i, word := range words[:min(len(words), maxSub)] {
		if c.beginsWith(withoutQuotes(text, word).Of(text)) {
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
func isOptionWord(text string, word lex.Span) bool {
	word = withoutQuotes(text, word)
	c := lex.ByteAt(text, word.Start)
	return c == '-' || c == '/' && lex.IsLetter(lex.ByteAt(text, word.Start+1)) &&
		strings.IndexByte(word.Of(text), ':') > 0 ||
		c == '/' && word.End-word.Start < 8
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
func (f *flag) valueAt(text string, words []lex.Span, i int) (lex.Span, bool) {
	if f.how == inPlace {
		return lex.Span{}, false
	}
	word := words[i]
	at := lex.Run(text, word.Start, word.End, lex.IsQuote)
	whole := strings.Trim(word.Of(text), "\"'`\\,")
	if !strings.HasPrefix(text[at:word.End], f.name) && (f.how != inGroup || !f.endsGroup(whole)) {
		return lex.Span{}, false
	}
	switch {
	case f.how == behind:
		return f.nextWord(text, words, i, func(w lex.Span) bool { return lex.ByteAt(text, w.Start) == '/' })
	case f.how == inGroup && f.endsGroup(whole), f.how != inRest && f.how != inGroup && whole == f.name:
		return f.nextWord(text, words, i, nil)
	case f.how == inRest, f.how == inBoth, f.how == inGroup:
		return f.restOfWord(text, word, at+len(f.name))
	default:
		return lex.Span{}, false
	}
}

// endsGroup says whether word is a group of letters such as -sSu that ends
// with the letter of the option.
func (f *flag) endsGroup(word string) bool {
	return len(word) >= 2 && len(word) <= 8 && word[0] == '-' &&
		lex.Run(word, 1, len(word), lex.IsLetter) == len(word) &&
		word[len(word)-1] == f.name[len(f.name)-1]
}

// nextWord judges the word behind words[i] and those that skip names.
func (f *flag) nextWord(text string, words []lex.Span, i int, skip func(lex.Span) bool) (lex.Span, bool) {
	for i++; i < len(words); i++ {
		if skip != nil && skip(words[i]) {
			continue
		}
		secret := withoutQuotes(text, words[i])
		plain := secret.Start == words[i].Start &&
			lex.Run(text, secret.Start, secret.End, lex.IsLower) == secret.End
		if plain && inProse(text, words[i].End) {
			return lex.Span{}, false
		}
		return f.judgeValue(text, secret)
	}
	return lex.Span{}, false
}

// restOfWord judges what follows the name of the option in the same word.
func (f *flag) restOfWord(text string, word lex.Span, at int) (lex.Span, bool) {
	long := len(f.name) > 2
	if long && f.how != inRest {
		if c := lex.ByteAt(text, at); at >= word.End || c != '=' && c != ':' {
			return lex.Span{}, false
		}
	}
	if c := lex.ByteAt(text, at); at < word.End && c == '=' {
		at++
	}
	return f.judgeValue(text, argumentFrom(text, word, at))
}

// placedWord judges the last of bare, which are the words so far that are no
// options, if it has the number of the flag.
func (f *flag) placedWord(text string, bare []lex.Span) (lex.Span, bool) {
	if f.how != inPlace || f.place != len(bare) {
		return lex.Span{}, false
	}
	return f.judgeAlone(text, withoutQuotes(text, bare[len(bare)-1]))
}

// lastWord judges the last word that is no option, if the flag asks for it.
func (f *flag) lastWord(text string, bare []lex.Span) (lex.Span, bool) {
	if f.how != inPlace || f.place != 0 || len(bare) == 0 {
		return lex.Span{}, false
	}
	return f.judgeAlone(text, withoutQuotes(text, bare[len(bare)-1]))
}

// judgeAlone decides about a value that no option names, which must look like
// a secret.
func (f *flag) judgeAlone(text string, value lex.Span) (lex.Span, bool) {
	s := value.Of(text)
	if f.cut == "" {
		name := lex.Run(s, 0, len(s), lex.IsWord)
		if !judge.StrongArgument(s) || name > 0 && name+1 < len(s) && s[name] == '=' && s[name+1] != '=' {
			return lex.Span{}, false
		}
	}
	return f.judgeValue(text, value)
}

// judgeValue decides about a value.
func (f *flag) judgeValue(text string, value lex.Span) (lex.Span, bool) {
	secret, ok := f.secretPart(text, value)
	if !ok {
		return lex.Span{}, false
	}
	return secret, judge.SecretArgument(secret.Of(text))
}

// secretPart returns the part of a value that is the secret.
func (f *flag) secretPart(text string, value lex.Span) (lex.Span, bool) {
	s := value.Of(text)
	for _, word := range [...]string{"pass:", "key:", "hexkey:"} {
		if strings.HasPrefix(s, word) {
			return lex.Between(value.Start+len(word), value.End), true
		}
	}
	if f.cut == "" {
		return value, !strings.HasPrefix(s, "file:") && !strings.HasPrefix(s, "env:") &&
			!strings.HasPrefix(s, "fd:")
	}
	at := strings.Index(s, f.cut)
	if at < 0 {
		return value, f.cut == ":" && len(s) >= 20 && judge.IsOpaqueID(s)
	}
	secret := lex.Between(value.Start+at+len(f.cut), value.End)
	rest := secret.Of(text)
	switch {
	case f.cut == "/" || f.cut == ":" && f.how == inPlace:
		end := strings.LastIndexByte(rest, '@')
		return lex.Between(secret.Start, secret.Start+max(0, end)), at > 0 && end > 0
	case strings.HasSuffix(f.cut, "="):
		end := strings.IndexByte(rest, ',')
		if end >= 0 {
			secret.End = secret.Start + end
		}
		return secret, true
	case rest == "" || rest == "x-oauth-basic" || rest == "api_token":
		return lex.Between(value.Start, value.Start+at), at >= 12 && judge.IsOpaqueID(s[:at])
	case at >= 12 && judge.IsOpaqueID(s[:at]):
		return value, true // A key for the user, and its secret.
	default:
		return secret, true
	}
}

// Bounds of what is read of a command line.
const (
	MaxWords   = 32
	maxCommand = 768
)

// argumentsAt returns the words of a command line from text[at] on: what
// blanks part outside quotes, up to the end of the command. The words keep
// their quotes. Commas part the words of a list of strings.
func argumentsAt(text string, at int) []lex.Span {
	limit := min(len(text), at+maxCommand)
	var words []lex.Span
	for len(words) < MaxWords {
		at = skipBlanks(text, at, limit)
		if at >= limit || isCommandEnd(text[at]) {
			break
		}
		end, more := argumentEnd(text, at, limit)
		if end > at {
			words = append(words, lex.Between(at, end))
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
		case lex.IsBlank(c):
			at++
		case c == ',' && lex.IsQuote(lex.ByteBefore(text, at)):
			at++
		case continued:
			at = lex.Run(text, at+1, limit, lex.IsSpace)
		default:
			return at
		}
	}
	return at
}

// argumentEnd returns where the word at text[at] ends, and whether more words
// can follow. A quote that nothing closes ends the command: it closes the
// text in which the command stands.
func argumentEnd(text string, at, limit int) (int, bool) {
	for at < limit {
		c := text[at]
		switch {
		case lex.IsQuote(c):
			end := closingQuote(text, at, limit)
			if end < 0 {
				return at, false
			}
			at = end
			if lex.ByteAt(text, at) == ',' {
				return at, true
			}
		case lex.IsSpace(c) || c == ';' || c == '|':
			return at, true
		case c == ')': // The end of what stands in a call or in another command.
			return at, false
		case c == '\\' && at+1 < limit && lex.IsQuote(text[at+1]):
			end := strings.Index(text[at+2:limit], text[at:at+2])
			if end < 0 {
				return at, false
			}
			at += 2 + end + 2
		case c == '\\' && at+1 < limit && (text[at+1] == '\n' || text[at+1] == '\r'):
			return at, true
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
func withoutQuotes(text string, word lex.Span) lex.Span {
	return argumentFrom(text, word, word.Start)
}

// argumentFrom returns the value that begins at text[at] inside a word: what
// stands in quotes there, or else up to the next quote.
func argumentFrom(text string, word lex.Span, at int) lex.Span {
	if at >= word.End {
		return lex.Between(at, at)
	}
	open := at
	if text[open] == '\\' && open+1 < word.End {
		open++
	}
	if lex.IsQuote(text[open]) {
		end := open + 1
		for end < word.End && text[end] != text[open] {
			end++
		}
		if end > open+1 && text[end-1] == '\\' && open > at {
			end--
		}
		return lex.Between(open+1, end)
	}
	end := at
	for end < word.End && !lex.IsQuote(text[end]) {
		end++
	}
	if end < word.End || lex.IsQuote(lex.ByteBefore(text, at)) {
		return lex.Between(at, end)
	}
	return lex.Between(at, at+len(strings.TrimRight(text[at:end], ".,:)]}\\")))
}

// inProse says whether the word before text[at] is one of a sentence: two
// more words of small letters follow it.
func inProse(text string, at int) bool {
	for range 2 {
		if lex.ByteAt(text, at) != ' ' {
			return false
		}
		end := lex.Run(text, at+1, min(len(text), at+20), lex.IsLower)
		if end == at+1 || end < len(text) && !lex.IsSpace(text[end]) && text[end] != '.' && text[end] != ',' {
			return false
		}
		at = end
	}
	return true
}
