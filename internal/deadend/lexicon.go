package deadend

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/words"
)

// wordTable is lists of words by name.
//
//go:embed words.txt
var wordTable string

// lexicon is these lists, each word by its stem.
//
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var lexicon = sync.OnceValue(func() map[string]func() map[string]string {
	stemmed := map[string]func() map[string]string{}
	table := words.NewTable(wordTable)
	for name := range table.Names() {
		stemmed[name] = sync.OnceValue(func() map[string]string {
			all := table.List(name)
			stems := make(map[string]string, len(all))
			for _, word := range all {
				word, value, _ := strings.Cut(word, ":")
				stem := words.Key(word)
				if stems[stem] = ""; value != "" {
					stems[stem] = words.Key(value)
				}
				if name == "same" {
					continue
				}
				if one := stemmed["same"]()[stem]; one != "" {
					stems[one] = ""
				}
			}
			return stems
		})
	}
	return stemmed
})

// commandTable is tables of commands by name.
//
//go:embed commands.txt
var commandTable string

//nolint:gochecknoglobals // A table that nobody writes to.
var commands = words.NewTable(commandTable)

// lookUp is what a table says of a command; "" where it says nothing.
func lookUp(table, key string) string {
	value, _ := commands.Value(table, key)
	return value
}

// isIn says whether a word stands in a table.
func isIn(table, word string) bool {
	_, ok := commands.Value(table, word)
	return ok
}

// isListed says whether the word with a stem stands in a list.
func isListed(list, stem string) bool {
	_, ok := lexicon()[list]()[stem]
	return ok && stem != ""
}

// Stem brings a word into the form in which words are compared: its stem, and one for words that
// mean the same to programmers.
func Stem(word string) string {
	stem := words.Key(word)
	if same := lexicon()["same"]()[stem]; same != "" {
		return same
	}
	return stem
}

// isStop says whether a word says nothing of its own. The words are those of prose, and the verbs
// that any attempt may begin with.
func isStop(p piece) bool {
	return len(p.key) < 2 || words.IsStop(words.Fold(p.text)) || isListed("stop", p.key)
}
