package words

import (
	"strings"
	"sync"
)

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
			list := map[string]string{}
			_, body, _ := strings.Cut(rest, "\n")
			for word := range strings.FieldsFuncSeq(body, func(c rune) bool { return c == ',' || c == '\n' }) {
				if word = strings.TrimSpace(word); word != "" {
					word, value, _ := strings.Cut(word, ":")
					list[word] = value
				}
			}
			return list
		})
	}
	return lists
}
