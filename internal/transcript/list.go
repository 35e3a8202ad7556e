package transcript

import (
	_ "embed"

	"github.com/git-ltm/git-ltm/internal/words"
)

// phraseTable is lists of what clients call and say things.
//
//go:embed words.txt
var phraseTable string

//nolint:gochecknoglobals // A table that nobody writes to.
var phrases = words.NewTable(phraseTable)
