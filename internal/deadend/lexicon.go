package deadend

import (
	_ "embed"
	"sync"

	"github.com/git-ltm/git-ltm/internal/words"
)

// wordTable is lists of words by name.
//
//go:embed words.txt
var wordTable string

// lexicon is these lists, each word by its stem.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var lexicon = sync.OnceValue(func() map[string]map[string]string {
	lists := map[string]map[string]string{}
	for name, list := range words.Lists(wordTable) {
		lists[name] = map[string]string{}
		for word, value := range list {
			lists[name][words.Key(word)] = words.Key(value)
		}
	}
	same := lists["same"]
	for name, list := range lists {
		for stem := range list {
			if one := same[stem]; one != "" && name != "same" {
				list[one] = ""
			}
		}
	}
	return lists
})

// commandTable is tables of commands by name.
//
//go:embed commands.txt
var commandTable string

//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var commandTables = sync.OnceValue(func() map[string]map[string]string { return words.Lists(commandTable) })

// lookUp is what a table says of a command; "" where it says nothing.
func lookUp(table, key string) string { return commandTables()[table][key] }

// isIn says whether a word stands in a table.
func isIn(table, word string) bool {
	_, ok := commandTables()[table][word]
	return ok
}

// isListed says whether the word with a stem stands in a list.
func isListed(list, stem string) bool {
	_, ok := lexicon()[list][stem]
	return ok && stem != ""
}

// Stem brings a word into the form in which words are compared: its stem, and one for words that
// mean the same to programmers.
func Stem(word string) string {
	stem := words.Key(word)
	if same := lexicon()["same"][stem]; same != "" {
		return same
	}
	return stem
}

// isStop says whether a word says nothing of its own. The words are those of prose, and the verbs
// that any attempt may begin with.
func isStop(p piece) bool {
	return len(p.key) < 2 || words.IsStop(words.Fold(p.text)) || isListed("stop", p.key)
}
