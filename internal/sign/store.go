package sign

import "strings"

// maxStore bounds the id of a store, in bytes.
const maxStore = 64

// IsStore reports whether text can be the id of a store, as it stands in the trailer of a tag: letters, digits, dots, dashes
// and underscores.
func IsStore(text string) bool {
	odd := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("._-", r)
	}
	return text != "" && len(text) <= maxStore && strings.IndexFunc(text, odd) < 0
}
