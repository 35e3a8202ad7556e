package words

import (
	_ "embed"
	"strings"
	"sync"
)

// commonTable is the thousand most common keys in comments and documents of programs, beside stop words.
//
//go:embed common.txt
var commonTable string

//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var commonKeys = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	for key := range strings.FieldsSeq(commonTable) {
		keys[key] = true
	}
	return keys
})

// IsCommon reports whether a key stands in any talk of programs, so that it says little where it is rare: a number, a single letter,
// or one of the thousand that are most common there.
func IsCommon(key string) bool {
	return len(key) < 2 || strings.Trim(key, "0123456789.") == "" || commonKeys()[key]
}
