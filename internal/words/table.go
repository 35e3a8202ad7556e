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

// list is a list as it is written, and its phrases.
type list struct {
	text    string
	phrases func() []string
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
		lists[strings.TrimPrefix(name, "[")] = list{body, phrases}
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

// listSigns are the signs of which one stands behind each word of a list, and none within one.
const listSigns = ",:\n"

// Value returns what stands behind a word of a list, and whether the word stands there. The list is searched as
// it is written: a hook of an agent asks a few times, and would take longer to read it first.
func (t Table) Value(list, word string) (value string, ok bool) {
	if word == "" || strings.ContainsAny(word, listSigns) {
		return "", false
	}
	text := t.lists()[list].text
	for from := 0; ; from++ {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return "", false
		}
		from += at
		before, after := text[:from], text[from+len(word):]
		begins := before == "" || strings.HasSuffix(before, ", ") || strings.HasSuffix(before, "\n")
		if begins && (after == "" || strings.IndexByte(listSigns, after[0]) >= 0) {
			value, _, _ = strings.Cut(after, "\n")
			value, _, _ = strings.Cut(value, ",")
			return strings.TrimPrefix(value, ":"), true
		}
	}
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
