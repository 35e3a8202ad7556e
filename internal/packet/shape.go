package packet

import (
	"slices"
	"strings"
)

// A shape is the table of the members that an object may have. The order of the
// fields is the order of the canonical encoding.
type shape struct {
	fields []field
	// reserved are names that are not in the table, but which no member may
	// resemble but for its case.
	reserved []string
}

// A field is a row of the table: one member, and what its value must be.
type field struct {
	name string // required
	form form   // required; of each item where the field is a list

	least, most int      // characters of a string; least is the smallest number too
	limit       int      // the greatest number; zero means maxCount
	fewest      int      // items of a list
	items       int      // most items of a list; zero means that it is not one
	words       []string // the values of a word
	object      *shape   // the members of an object
	above       string   // the member that this number must not be below
	within      string   // the member after which this time comes, by at most MaxSkip

	needed   bool // the member must be there
	stamped  bool // it may be missing in a draft
	personal bool // it may be missing in a sketch

	since string // the version of the first schema that has it; empty means the first
}

// A form is what a single value must look like.
type form uint8

const (
	formText   form = iota // any text
	formLine               // text without a line break or a tab
	formWord               // one of a few words
	formSlug               // lower-case letters, digits and hyphens
	formTime               // RFC 3339
	formID                 // a ULID
	formObject             // an object with a table of its own
	formFlag               // true or false
	formCount              // a whole number
	formCommit             // the hash of a git object
	formDigest             // sha256: and 64 digits
	formPath               // a path within the repository
	formTopic              // segments of lower-case letters, digits, _ and -, with slashes between them
)

func (f form) wantedType() valueType {
	switch f {
	case formObject:
		return isObject
	case formFlag:
		return isBool
	case formCount:
		return isNumber
	default:
		return isString
	}
}

// findField returns the field of that name, or nil. A nil shape knows no member.
func (s *shape) findField(name string) *field {
	if s == nil {
		return nil
	}
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

// findTwin returns the known name that differs from the given one only in case, or
// the empty string. All known names are in lower case.
func (s *shape) findTwin(name, folded string) string {
	if s == nil || name == folded {
		return ""
	}
	if s.findField(folded) != nil || slices.Contains(s.reserved, folded) {
		return folded
	}
	return ""
}

// foldName returns the name in lower case: the ASCII letters, and the two other
// characters that readers with Unicode folding take for an ASCII letter.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '\u017F': // long s
			return 's'
		case r == '\u212A': // Kelvin sign
			return 'k'
		}
		return r
	}, name)
}

// The tables below are the packet of the versions 0.1, 0.2 and 0.3 in one. A
// packet may use every member whatever version it states; what an older reader
// would say to that is the business of Downgrade.

const (
	v2 = "0.2"
	v3 = "0.3"

	longText = 1024
	maxCount = 1<<31 - 1
)

//nolint:gochecknoglobals // Tables that nobody writes to.
var (
	versions    = []string{"0.1", "0.2", "0.3"}
	outcomes    = []string{"succeeded", "failed", "partial"}
	confidences = []string{"low", "medium", "high"}
	impacts     = []string{"low", "medium", "high", "critical"}
	origins     = []string{"user", "agent", "tool", "import"}

	packetShape = shape{reserved: []string{"type"}, fields: []field{
		{name: "ltm_version", form: formWord, words: versions, needed: true, stamped: true},
		{name: "id", form: formLine, least: 10, most: 64, needed: true, stamped: true},
		{name: "parent_id", form: formLine, least: 10, most: 64, since: v2},
		{name: "created_at", form: formTime, needed: true, stamped: true},
		{name: "project", form: formObject, object: &projectShape},
		{name: "goal", form: formText, least: 1, most: longText, needed: true, personal: true},
		{name: "success_criteria", form: formText, most: longText, items: 16, since: v2},
		{name: "constraints", form: formText, most: longText, items: 32},
		{name: "decisions", form: formObject, object: &decisionShape, items: 64},
		{name: "methods", form: formObject, object: &methodShape, items: 32, since: v2},
		{name: "attempts", form: formObject, object: &attemptShape, items: 64},
		{name: "open_questions", form: formText, most: longText, items: 32},
		{name: "next_step", form: formText, least: 1, most: longText, needed: true, personal: true},
		{name: "outcome", form: formText, most: longText, since: v3},
		{name: "tags", form: formSlug, most: 32, items: 16},
		{name: "provenance", form: formObject, object: &provenanceShape},
		{name: "anchor", form: formObject, object: &anchorShape, since: v3},
		{name: "cites", form: formObject, object: &citeShape, items: 64, since: v3},
		{name: "expires_at", form: formTime, since: v3},
		{name: "supersedes", form: formLine, least: 10, most: 64, items: 32, since: v3},
		{name: "parents", form: formLine, least: 10, most: 64, items: 16, since: v3},
		{name: "paths", form: formPath, least: 1, most: longText, items: 128, since: v3},
		{name: "impact", form: formWord, words: impacts, since: v3},
		{name: "origin", form: formWord, words: origins, since: v3},
		{name: "scan", form: formObject, object: &scanShape, since: v3},
	}}

	projectShape = shape{fields: []field{
		{name: "name", form: formText, most: 128},
		{name: "ref", form: formText, most: 256},
	}}

	decisionShape = shape{fields: []field{
		{name: "what", form: formText, most: longText, needed: true},
		{name: "why", form: formText, most: longText, needed: true},
		{name: "consequences", form: formText, most: longText, since: v2},
		{name: "locked", form: formFlag},
	}}

	methodShape = shape{fields: []field{
		{name: "name", form: formSlug, most: 128, needed: true},
		{name: "when_applicable", form: formText, most: longText, needed: true},
		{name: "how", form: formText, most: 2048, needed: true},
	}}

	attemptShape = shape{fields: []field{
		{name: "tried", form: formText, most: longText, needed: true},
		{name: "outcome", form: formText, least: 1, most: longText, needed: true},
		{name: "learned", form: formText, most: longText},
		{name: "confidence", form: formWord, words: confidences, since: v2},
		{name: "match", form: formObject, object: &matchShape, since: v3},
	}}

	// The last three members are those of the example that announced the protocol.
	// No published schema has them.
	provenanceShape = shape{fields: []field{
		{name: "author_model", form: formText, most: 128},
		{name: "author_human", form: formText, most: 128},
		{name: "source_hash", form: formDigest},
		{name: "confidence", form: formWord, words: confidences},
		{name: "agent", form: formText, most: 128, since: v3},
		{name: "model", form: formText, most: 128, since: v3},
		{name: "host", form: formText, most: 128, since: v3},
	}}

	anchorShape = shape{fields: []field{
		{name: "branch", form: formLine, least: 1, most: 255},
		{name: "commit", form: formCommit},
		{name: "tree", form: formCommit},
		{name: "merge_base", form: formCommit},
		{name: "dirty", form: formFlag},
	}}

	citeShape = shape{fields: []field{
		{name: "path", form: formPath, least: 1, most: longText, needed: true},
		{name: "line", form: formCount, least: 1},
		{name: "end_line", form: formCount, least: 1, above: "line"},
		{name: "commit", form: formCommit},
		{name: "blob", form: formCommit},
		{name: "note", form: formText, most: longText},
	}}

	scanShape = shape{fields: []field{
		{name: "rules", form: formLine, least: 1, most: 64},
		{name: "masked", form: formCount},
		{name: "overridden", form: formLine, least: 1, most: 64, items: 64},
	}}
)
