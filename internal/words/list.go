package words

import "strings"

// Lists reads lists of words. A list begins with its name in brackets; its words and phrases are
// parted by commas, and each may have a value behind a colon.
func Lists(table string) map[string]map[string]string {
	lists := map[string]map[string]string{}
	name := ""
	for line := range strings.Lines(table) {
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(rest, "]")
			lists[name] = map[string]string{}
		} else if name != "" {
			for word := range strings.SplitSeq(line, ",") {
				if word = strings.TrimSpace(word); word == "" {
					continue
				}
				word, value, _ := strings.Cut(word, ":")
				lists[name][word] = value
			}
		}
	}
	return lists
}
