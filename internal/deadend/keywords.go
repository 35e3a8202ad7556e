package deadend

import "strings"

// maxKeywords is how many words Keywords returns at most.
const maxKeywords = 200

// Keywords returns the words of a text that say something, in lower case and
// in their order, each once: names whole and in parts, numbers, options without
// their dashes. Words that differ only in their ending (see Stem) count as one,
// and the first of them is given as it was written, so that an index with a
// stemmer of its own can be asked with them.
func Keywords(s string) []string {
	var found []string
	seen := make(map[string]bool)
	for _, w := range spokenWords(s) {
		for _, p := range pieces(w.text) {
			word := strings.ToLower(strings.TrimLeft(p.text, "-"))
			if seen[p.key] || p.kind == plainPiece && isStop(p.key) || word == "" {
				continue
			}
			if len(found) == maxKeywords {
				return found
			}
			seen[p.key] = true
			found = append(found, word)
		}
	}
	return found
}
