package distill

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// listTable is lists of words and phrases by name. Rules about sentences are English.
//
//go:embed words.txt
var listTable string

// listsByName are these lists.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var listsByName = sync.OnceValue(func() map[string][]string {
	all, name := map[string][]string{}, ""
	for line := range strings.Lines(listTable) {
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(rest, "]")
			continue
		}
		for phrase := range strings.SplitSeq(line, ",") {
			if phrase = strings.TrimSpace(phrase); phrase != "" {
				all[name] = append(all[name], phrase)
			}
		}
	}
	return all
})

// isListed tells whether a word stands in a list.
func isListed(list, word string) bool { return slices.Contains(listsByName()[list], word) }

// holdsListed tells whether a text holds something of a list.
func holdsListed(list, text string) bool { return containsAny(text, listsByName()[list]) }

// beginsListed tells whether a text begins with something of a list.
func beginsListed(list, text string) bool {
	return slices.ContainsFunc(listsByName()[list], func(begin string) bool {
		return strings.HasPrefix(text, begin)
	})
}

// containsAny tells whether a text holds one of some marks.
func containsAny(text string, marks []string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
}
