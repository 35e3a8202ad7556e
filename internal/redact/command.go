package redact

import (
	"strings"
	"sync"
)

// programs returns the names of the programs of commandTable as a command line
// has them. A name that stands in two rows is returned twice, which costs less
// than to see it.
func programs() []string {
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
		if secret, ok := known[i].find(words, text); ok {
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

func (c *invocation) find(words []span, text string) (span, bool) {
	words, ok := c.behindSub(words, text)
	if !ok {
		return span{}, false
	}
	var bare []span
	for i, word := range words {
		if secret, ok := c.first(func(f *flag) (span, bool) { return f.value(text, words, i) }); ok {
			return secret, true
		}
		if isOptionWord(text, word) {
			continue
		}
		bare = append(bare, word)
		if secret, ok := c.first(func(f *flag) (span, bool) { return f.positional(text, bare) }); ok {
			return secret, true
		}
	}
	return c.first(func(f *flag) (span, bool) { return f.last(text, bare) })
}

// first returns the first secret that judge finds with one of the flags.
func (c *invocation) first(judge func(*flag) (span, bool)) (span, bool) {
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
		if c.begins(unquoted(text, word).of(text)) {
			return words[i+1:], true
		}
	}
	return nil, false
}

// begins says whether word is one of those that the invocation needs: the
// word itself, or a group of letters with the letter of an option.
func (c *invocation) begins(word string) bool {
	for _, sub := range c.subs {
		if strings.EqualFold(word, sub) {
			return true
		}
		if sub[0] == '-' && len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word, sub[1:]) {
			return true
		}
	}
	return false
}

// isOptionWord says whether a word is an option rather than an argument.
func isOptionWord(text string, word span) bool {
	word = unquoted(text, word)
	c := byteAt(text, word.start)
	return c == '-' || c == '/' && isLetter(byteAt(text, word.start+1)) && strings.IndexByte(word.of(text), ':') > 0 ||
		c == '/' && word.end-word.start < 8
}
