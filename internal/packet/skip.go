package packet

import "time"

// MaxSkip is how long a skip may last: 365 days and the rest of a day, because
// one that ends on a date lasts to the end of that day.
const MaxSkip = skipDays * 24 * time.Hour

const skipDays = 366

// Skip is a view of a record that says what not to do, for a while.
type Skip struct {
	ID         string
	CreatedAt  time.Time
	Item       string
	Match      Match
	Reason     string
	ExpiresAt  time.Time
	Tags       []string
	Cites      []Cite
	Anchor     Anchor
	Origin     string
	Scan       Scan
	Provenance Provenance
}

// Match says what a skip, an attempt or a note is met by. The zero value means the words
// of the skip's item, or of what was tried, and nothing of a note.
type Match struct {
	Words   string `json:"words,omitempty"`   // these words, in any order
	Path    string `json:"path,omitempty"`    // a glob of paths below the top of the repository
	Command string `json:"command,omitempty"` // the words and options of a command
	Adds    string `json:"adds,omitempty"`    // a package that is taken into use, or a text that is written
}

//nolint:gochecknoglobals // Tables that nobody writes to.
var (
	skipShape = shape{fields: []field{
		{name: typeMember, form: formWord, words: []string{string(KindSkip)}, needed: true},
		{name: "id", form: formID, needed: true, stamped: true},
		{name: "created_at", form: formTime, needed: true, stamped: true},
		{name: "item", form: formText, least: 1, most: longText, needed: true},
		{name: "match", form: formObject, object: &matchShape},
		{name: "reason", form: formText, least: 1, most: longText, needed: true},
		{name: "expires_at", form: formTime, within: "created_at", needed: true},
		{name: "tags", form: formSlug, most: 32, items: 16},
		{name: "cites", form: formObject, object: &citeShape, items: 64},
		{name: "anchor", form: formObject, object: &anchorShape},
		{name: "origin", form: formWord, words: origins},
		{name: "scan", form: formObject, object: &scanShape},
		{name: "provenance", form: formObject, object: &provenanceShape},
	}}

	matchShape = shape{fields: []field{
		{name: "words", form: formLine, least: 1, most: 512},
		{name: "path", form: formPath, least: 1, most: 512},
		{name: "command", form: formLine, least: 1, most: 512},
		{name: "adds", form: formLine, least: 1, most: 128},
	}}
)

// Skip returns the view of a valid skip.
func (r *Record) Skip() Skip { return viewOf[Skip](r.root) }
