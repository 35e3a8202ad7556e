package command

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/words"
)

// Nearest returns the names that a word may be a slip of, at most two letters away, the likeliest
// alone first.
func Nearest(word string, names []string) []string {
	word = strings.ToLower(word)
	best := min(2, len(word)/2)
	var found []string
	for _, name := range names {
		d := words.CountEdits(word, name)
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			d = 1
		}
		if d < best || d == best && len(found) == 0 {
			best, found = d, nil
		}
		if d == best && len(found) < 3 {
			found = append(found, name)
		}
	}
	return found
}
