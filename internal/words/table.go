package words

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Table is lists of words and phrases by name, each of which is read when it is first asked for.
type Table struct{ lists func() map[string]list }

// list is the phrases of a list, and the same as words with what they stand for.
type list struct {
	phrases func() []string
	values  func() map[string]string
}

// NewTable returns the lists of a text. A list begins with a line of its name in brackets and a comment; its
// phrases are parted by commas, and each may have a value behind a colon.
func NewTable(text string) Table {
	return Table{sync.OnceValue(func() map[string]list { return readLists(text) })}
}

func readLists(text string) map[string]list {
	lists := map[string]list{}
	for section := range strings.SplitSeq(text, "\n[") {
		head, body, _ := strings.Cut(section, "\n")
		name, _, found := strings.Cut(head, "]")
		if !found {
			continue
		}
		phrases := sync.OnceValue(func() (all []string) {
			for phrase := range strings.FieldsFuncSeq(body, func(c rune) bool { return c == ',' || c == '\n' }) {
				if phrase = strings.TrimSpace(phrase); phrase != "" {
					all = append(all, phrase)
				}
			}
			return all
		})
		lists[strings.TrimPrefix(name, "[")] = list{phrases, sync.OnceValue(func() map[string]string {
			values := make(map[string]string, len(phrases()))
			for _, phrase := range phrases() {
				word, value, _ := strings.Cut(phrase, ":")
				values[word] = value
			}
			return values
		})}
	}
	return lists
}

// Names are the names of the lists.
func (t Table) Names() iter.Seq[string] { return maps.Keys(t.lists()) }

// List returns the phrases of a list as they stand there.
func (t Table) List(name string) []string {
	if l, ok := t.lists()[name]; ok {
		return l.phrases()
	}
	return nil
}

// Value returns what stands behind a word of a list, and whether the word stands there.
func (t Table) Value(list, word string) (value string, ok bool) {
	if l, known := t.lists()[list]; known {
		value, ok = l.values()[word]
	}
	return value, ok
}

// Has tells whether a phrase stands in a list.
func (t Table) Has(list, phrase string) bool { return slices.Contains(t.List(list), phrase) }

// Begins tells whether a text begins with something of a list.
func (t Table) Begins(list, text string) bool {
	return slices.ContainsFunc(t.List(list), func(begin string) bool { return strings.HasPrefix(text, begin) })
}

// In tells whether something of a list stands in a text.
func (t Table) In(list, text string) bool {
	return slices.ContainsFunc(t.List(list), func(part string) bool { return strings.Contains(text, part) })
}
