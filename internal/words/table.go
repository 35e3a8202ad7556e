package words

import (
	"slices"
	"strings"
	"sync"
)

// Table is lists of words and phrases by name. It is read when it is first asked.
type Table struct {
	text  string
	read  sync.Once
	lists map[string][]string
}

// NewTable returns the lists of a text. A list begins with its name in brackets and a comment, so that a
// phrase may begin with a bracket, too; its phrases are parted by commas.
func NewTable(text string) *Table { return &Table{text: text} }

// List returns a list as it stands there.
func (t *Table) List(name string) []string {
	t.read.Do(func() {
		t.lists = map[string][]string{}
		list := ""
		for line := range strings.Lines(t.text) {
			if head, _, ok := strings.Cut(line, "] #"); ok && strings.HasPrefix(head, "[") {
				list = head[1:]
				continue
			}
			for phrase := range strings.SplitSeq(line, ",") {
				if phrase = strings.TrimSpace(phrase); phrase != "" && list != "" {
					t.lists[list] = append(t.lists[list], phrase)
				}
			}
		}
	})
	return t.lists[name]
}

// Has tells whether a word stands in a list.
func (t *Table) Has(list, word string) bool { return slices.Contains(t.List(list), word) }

// Begins tells whether a text begins with something of a list.
func (t *Table) Begins(list, text string) bool {
	return slices.ContainsFunc(t.List(list), func(begin string) bool { return strings.HasPrefix(text, begin) })
}

// In tells whether something of a list stands in a text.
func (t *Table) In(list, text string) bool {
	return slices.ContainsFunc(t.List(list), func(part string) bool { return strings.Contains(text, part) })
}

// Lists reads lists of words, each when it is first asked for. A list begins with its name in brackets; its
// words and phrases are parted by commas, and each may have a value behind a colon.
func Lists(table string) map[string]func() map[string]string {
	lists := map[string]func() map[string]string{}
	for section := range strings.SplitSeq(table, "\n[") {
		name, rest, found := strings.Cut(section, "]")
		if !found {
			continue
		}
		lists[strings.TrimPrefix(name, "[")] = sync.OnceValue(func() map[string]string {
			_, body, _ := strings.Cut(rest, "\n")
			list := make(map[string]string, strings.Count(body, ",")+strings.Count(body, "\n")+1)
			for line := range strings.Lines(body) {
				for word := range strings.SplitSeq(line, ",") {
					if word = strings.TrimSpace(word); word != "" {
						word, value, _ := strings.Cut(word, ":")
						list[word] = value
					}
				}
			}
			return list
		})
	}
	return lists
}
