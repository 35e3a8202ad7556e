package layouts

import (
	"slices"
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
		for _, name := range rules.WordsOf(column) {
			names = append(names, strings.ReplaceAll(name, "+", " "))
		}
	}
	return names
}

// An invocation is what is known of a program: in which way it is given
// secrets behind which word.
type invocation struct {
	subs  []string
	flags []*flag
}

// invocations are those of the programs of commandTable, which is read when one
// of them is first seen.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var invocations = sync.OnceValue(func() map[string][]invocation {
	table := map[string][]invocation{}
	for row := range rules.RowsOf(rules.CommandTable) {
		columns := strings.Split(row, "\t")
		var known invocation
		for word := range strings.FieldsSeq(columns[2]) {
			known.flags = append(known.flags, parseFlag(word))
		}
		if columns[1] != "-" {
			known.subs = strings.Split(columns[1], "|")
		}
		for _, name := range rules.WordsOf(columns[0]) {
			table[name] = append(table[name], known)
		}
	}
	return table
})

// findCommand looks for a secret in the words that follow the name of a program. In a list of strings the
// name stands in quotes.
func findCommand(text string, keyword lex.Span) (lex.Span, bool) {
	at := keyword.End
	if lex.ByteAt(text, at) == '.' { // The end of the name of a file.
		at = lex.Run(text, at+1, min(len(text), at+4), lex.IsLetter)
	}
	quote := lex.ByteAt(text, at)
	if lex.IsQuote(quote) {
		at++
	}
	if next := lex.ByteAt(text, at); !lex.IsBlank(next) && (next != ',' || !lex.IsQuote(quote)) {
		return lex.Span{}, false
	}
	words := argumentsAt(text, at)
	for _, known := range invocations()[strings.ReplaceAll(strings.ToLower(keyword.Of(text)), " ", "+")] {
		if secret, ok := known.findIn(words, text); ok {
			return secret, true
		}
	}
	return lex.Span{}, false
}

func (cmd *invocation) findIn(words []lex.Span, text string) (lex.Span, bool) {
	words, ok := cmd.behindSub(words, text)
	if !ok {
		return lex.Span{}, false
	}
	bare, last := 0, lex.Span{} // Of the words that are no options.
	for i, word := range words {
		word = withoutQuotes(text, word)
		option := lex.ByteAt(text, word.Start) == '-'
		if !option {
			bare, last = bare+1, word
		}
		for _, f := range cmd.flags {
			secret, ok := f.valueAt(text, words, i)
			if f.how == inPlace && f.place == bare && !option {
				secret, ok = f.judgeValue(text, word)
			}
			if ok {
				return secret, true
			}
		}
	}
	for _, f := range cmd.flags {
		if f.how == inPlace && f.place == 0 && bare > 0 {
			return f.judgeValue(text, last)
		}
	}
	return lex.Span{}, false
}

// behindSub returns the words behind the one that the invocation needs: the word itself, or a group of
// letters with the letter of an option.
func (cmd *invocation) behindSub(words []lex.Span, text string) ([]lex.Span, bool) {
	for i, span := range words[:min(len(words), 8)] {
		word := withoutQuotes(text, span).Of(text)
		if slices.ContainsFunc(cmd.subs, func(sub string) bool {
			return strings.EqualFold(word, sub) || sub[0] == '-' && lex.ByteAt(word, 0) == '-' &&
				lex.ByteAt(word, 1) != '-' && strings.Contains(word, sub[1:])
		}) {
			return words[i+1:], true
		}
	}
	return words, cmd.subs == nil
}

// Where the secret of an option stands, by the sign behind its name in commandTable.
const (
	inNext  byte = 0   // In the next word.
	inRest  byte = '*' // In the rest of the same word.
	inBoth  byte = '?' // In the rest of the same word, or else in the next.
	inGroup byte = '+' // In the next word, when the option ends a group of letters.
	behind  byte = '~' // In the next word, when this one begins with the name.
	inPlace byte = '#' // In a word that is told by its number.
)

// A flag is one way to give a program its secret.
type flag struct {
	name  string
	how   byte
	cut   string // The sign in the value behind which the secret stands, or "".
	place int    // For inPlace: which of the words that are no options, or 0 for the last.
}

// parseFlag reads the notation of commandTable.
func parseFlag(word string) *flag {
	word, cut, _ := strings.Cut(word, "@")
	switch last := word[len(word)-1]; {
	case word[0] == inPlace:
		return &flag{how: inPlace, place: int(word[1] - '0'), cut: cut}
	case strings.IndexByte("*?+~", last) >= 0:
		return &flag{name: word[:len(word)-1], how: last, cut: cut}
	case last == '=':
		return &flag{name: word, how: inRest, cut: cut}
	default:
		return &flag{name: word, cut: cut}
	}
}

// valueAt returns the secret that the option gives at words[i].
func (f *flag) valueAt(text string, words []lex.Span, i int) (lex.Span, bool) {
	word := words[i]
	at := lex.Run(text, word.Start, word.End, lex.IsQuote)
	whole := strings.Trim(word.Of(text), "\"'`\\,")
	// A group of letters such as -sSu ends with the letter of the option.
	group := f.how == inGroup && len(whole) >= 2 && whole[0] == '-' && whole[1] != '-' &&
		whole[len(whole)-1] == f.name[len(f.name)-1]
	switch {
	case f.how == inPlace || !group && !strings.HasPrefix(text[at:word.End], f.name):
		return lex.Span{}, false
	case f.how == behind, group, whole == f.name && f.how != inRest:
		// A sentence goes on with words of small letters.
		if rest := words[i+1:]; len(rest) > 2 && !slices.ContainsFunc(rest[:3], func(word lex.Span) bool {
			return lex.Run(text, word.Start, word.End, lex.IsLower) < word.End
		}) {
			return lex.Span{}, false
		}
		for _, next := range words[i+1:] {
			if f.how == behind && text[next.Start] == '/' {
				continue
			}
			return f.judgeValue(text, withoutQuotes(text, next))
		}
		return lex.Span{}, false
	}
	at += len(f.name)
	if f.how == inNext {
		return lex.Span{}, false
	}
	if lex.ByteAt(text, at) == '=' {
		at++
	}
	return f.judgeValue(text, argumentFrom(text, word, at))
}

// judgeValue decides about a value. One that no option names must look like a secret.
func (f *flag) judgeValue(text string, value lex.Span) (lex.Span, bool) {
	secret, ok := f.secretPart(text, value)
	s := secret.Of(text)
	return secret, ok && judge.SecretArgument(s) &&
		(f.how != inPlace || f.cut != "" || judge.StrongArgument(s) && !judge.IsPair(s))
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
		return value, !rules.Words("option-source").Begins(s)
	}
	user, rest, ok := strings.Cut(s, f.cut)
	opaque := len(user) >= 12 && judge.IsOpaqueID(user)
	if !ok || rest == "" || opaque && f.cut == ":" { // A key for the user, and maybe its secret.
		value.End = value.Start + len(strings.TrimRight(s, f.cut))
		return value, opaque && (ok || f.cut == ":")
	}
	value.Start = value.End - len(rest)
	switch {
	case f.cut == "/" || f.cut == ":" && f.how == inPlace:
		end := strings.LastIndexByte(rest, '@')
		value.End = value.Start + max(0, end)
		return value, user != "" && end > 0
	case strings.HasSuffix(f.cut, "="):
		rest, _, _ = strings.Cut(rest, ",")
		value.End = value.Start + len(rest)
	}
	return value, true
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
		// Blanks, commas behind a quote, and the sign that continues a command on the next line.
	blanks:
		for at < limit {
			next := lex.ByteAt(text, at+1)
			switch c := text[at]; {
			case lex.IsBlank(c) || c == ',' && lex.IsQuote(lex.ByteBefore(text, at)):
				at++
			case strings.IndexByte("\\`^", c) >= 0 && (next == '\n' || next == '\r'):
				at = lex.Run(text, at+1, limit, lex.IsSpace)
			default:
				break blanks
			}
		}
		end := argumentEnd(text, at, limit)
		if end == at || text[at] == ']' { // The end of a list of strings.
			break
		}
		words = append(words, lex.Between(at, end))
		at = end
	}
	return words
}

// argumentEnd returns where the word at text[at] ends. A quote that nothing closes ends the command: it
// closes the text in which the command stands. So does a bracket, of a call or of another command.
func argumentEnd(text string, at, limit int) int {
	for at < limit {
		switch c := text[at]; {
		case lex.IsQuote(c):
			end := strings.IndexAny(text[at+1:limit], string(rune(c))+"\n")
			if end < 0 || text[at+1+end] == '\n' {
				return at
			}
			if at += end + 2; lex.ByteAt(text, at) == ',' {
				return at
			}
		case lex.IsSpace(c), strings.IndexByte(";|)", c) >= 0:
			return at
		default:
			at++
		}
	}
	return at
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
	if text[at] == '\\' && at+1 < word.End {
		at++
	}
	if lex.IsQuote(text[at]) {
		end := lex.Run(text, at+1, word.End, func(c byte) bool { return c != text[at] })
		return lex.Between(at+1, at+1+len(strings.TrimRight(text[at+1:end], `\`)))
	}
	end := lex.Run(text, at, word.End, func(c byte) bool { return !lex.IsQuote(c) })
	return lex.Between(at, at+len(strings.TrimRight(text[at:end], ".,:)]}\\")))
}
