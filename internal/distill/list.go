package distill

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/words"
)

// phraseTable is lists of words and phrases. Rules about sentences are English.
//
//go:embed words.txt
var phraseTable string

//nolint:gochecknoglobals // A table that nobody writes to.
var phrases = words.NewTable(phraseTable)

// containsAny tells whether a text holds one of some marks.
func containsAny(text string, marks []string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
}
