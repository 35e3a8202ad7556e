package words

import (
	_ "embed"
	"strings"
)

// commonTable is the thousand most common keys in comments and documents of programs, beside stop
// words, each between line breaks.
//
//go:embed common.txt
var commonTable string

// IsCommon reports whether a key stands in any talk of programs, so that it says little where it is
// rare: a number, a single letter, or one of the thousand that are most common there.
func IsCommon(key string) bool {
	return len(key) < 2 || strings.Trim(key, "0123456789.") == "" ||
		strings.Contains(commonTable, "\n"+key+"\n")
}
