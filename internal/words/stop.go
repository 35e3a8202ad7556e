package words

import (
	_ "embed"
	"strings"
)

// stopTable is the words that say nothing by themselves, each between line breaks.
//
//go:embed stop.txt
var stopTable string

// IsStop reports whether a word in lower case says nothing by itself.
func IsStop(word string) bool { return strings.Contains(stopTable, "\n"+withoutApostrophes(word)+"\n") }
