package words

import (
	"strings"

	"github.com/blevesearch/go-porterstemmer"
)

// Stem shortens an English word in lower case to its stem, by the rules that Martin Porter
// published in 1980. What is not plain letters stays as it is.
func Stem(word string) string {
	if len(word) < 3 || strings.ContainsFunc(word, func(c rune) bool { return c < 'a' || c > 'z' }) {
		return word
	}
	return string(porterstemmer.StemWithoutLowerCasing([]rune(word)))
}
