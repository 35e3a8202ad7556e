// Package rules holds the rows of the built-in rules: their tables, each with a head that says how its rows are
// written, and the lists of words that rules ask about.
//
// It holds data and reads it when it is first asked for. What a row finds is said in packages redact and layouts.
package rules

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/lex"

	_ "embed"
)

// WordsOf returns the words of a list that is written as one text. It is far
// cheaper than strings.Fields, and is called at every start.
func WordsOf(list string) []string {
	words, start := make([]string, 0, 1+len(list)/6), 0
	for at := 0; at <= len(list); at++ {
		if at < len(list) && list[at] > ' ' {
			continue
		}
		if at > start {
			words = append(words, list[start:at])
		}
		start = at + 1
	}
	return words
}

// The tables of the built-in rules. Each says at its head how its rows are written.
var (
	//go:embed rules.txt
	RuleTable string
	//go:embed tokens.txt
	TokenTable string
	//go:embed gitleaks.txt
	GitleaksTable string
	//go:embed commands.txt
	CommandTable string
	//go:embed services.txt
	serviceTable string
	//go:embed words.txt
	wordTable string
	//go:embed seed.txt
	SeedTable string
	//go:embed bigrams.txt
	BigramTable string
)

// RowsOf yields the lines of a table without comments and empty lines.
func RowsOf(table string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(table, "\n") {
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// WithoutMarks puts back the signs that would end a word or a row of a table.
func WithoutMarks(word string) string {
	for _, mark := range [...][2]string{{"␠", " "}, {"␤", "\n"}, {"␉", "\t"}} {
		word = strings.ReplaceAll(word, mark[0], mark[1])
	}
	return word
}

// A wordSet is a list of words in wordTable or serviceTable: its name and a colon, then the words in lines
// that begin with a tab, where ␠ stands for a blank. It is read when it is first asked for, and is safe for
// concurrent use.
type wordSet struct {
	lines string

	listed sync.Once
	all    []string
	asked  sync.Once
	known  map[string]bool
}

// Words returns the list of that name, which must be in one of the tables.
func Words(name string) *wordSet {
	if list := wordLists()[name]; list != nil {
		return list
	}
	panic("redact: there is no list of words " + name)
}

// wordLists are the lists of both tables by their names.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var wordLists = sync.OnceValue(func() map[string]*wordSet {
	lists := make(map[string]*wordSet, 128)
	for _, table := range [...]string{wordTable, serviceTable} {
		for section := range strings.SplitSeq(table, "\n\n") {
			at := lex.Back(section, max(0, strings.Index(section, ":\n\t")), 0, lex.IsURLSafe)
			if name, lines, ok := strings.Cut(section[at:], ":\n"); ok && name != "" {
				lists[name] = &wordSet{lines: lines}
			}
		}
	}
	return lists
})

// List returns the words in the order of the table.
func (s *wordSet) List() []string {
	s.listed.Do(func() {
		s.all = WordsOf(s.lines)
		for i, word := range s.all {
			s.all[i] = strings.ReplaceAll(word, "␠", " ")
		}
	})
	return s.all
}

// Has says whether word is one of the list.
func (s *wordSet) Has(word string) bool {
	s.asked.Do(func() {
		s.known = make(map[string]bool, len(s.List()))
		for _, word := range s.all {
			s.known[word] = true
		}
	})
	return s.known[word]
}

// Begins says whether text begins with a word of the list.
func (s *wordSet) Begins(text string) bool {
	return slices.ContainsFunc(s.List(), func(word string) bool { return strings.HasPrefix(text, word) })
}

// BeginsFold says the same for a list in small letters, in any case of the letters of text.
func (s *wordSet) BeginsFold(text string) bool {
	return slices.ContainsFunc(s.List(), func(word string) bool { return lex.HasFold(text, word) })
}

// Ends says whether text ends with a word of the list.
func (s *wordSet) Ends(text string) bool {
	return slices.ContainsFunc(s.List(), func(word string) bool { return strings.HasSuffix(text, word) })
}

// Within says whether text holds a word of the list.
func (s *wordSet) Within(text string) bool {
	return slices.ContainsFunc(s.List(), func(word string) bool { return strings.Contains(text, word) })
}
