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

	since     string   // the version of the first schema that has it; empty means the first
	published []string // the values that the published schemas know, where they know fewer
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

func (f form) wants() valueType {
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

// find returns the field of that name, or nil. A nil shape knows no member.
func (s *shape) find(name string) *field {
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

// twin returns the known name that differs from the given one only in case, or
// the empty string. All known names are in lower case.
func (s *shape) twin(name, folded string) string {
	if s == nil || name == folded {
		return ""
	}
	if s.find(folded) != nil || slices.Contains(s.reserved, folded) {
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
