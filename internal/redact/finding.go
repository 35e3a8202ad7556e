package redact

import "strings"

// Severity says what a finding means for the packet that holds it.
type Severity int

const (
	// Warn marks what a writer should know about and may keep.
	Warn Severity = iota + 1
	// Block marks what must not be stored.
	Block
)

// String returns "warn" or "block".
func (s Severity) String() string {
	switch s {
	case Warn:
		return "warn"
	case Block:
		return "block"
	default:
		return "unknown"
	}
}

// A Finding is one place that a rule found. It never holds the secret.
type Finding struct {
	Rule     string   // ID of the rule.
	Severity Severity // Severity of the rule.

	// Path is the JSON pointer of the string. When InName is true it is the
	// pointer of the object that holds the member. A step whose name itself
	// is blocked is shown masked, and a very long step or pointer is cut.
	Path   string
	InName bool // The finding is in the name of a member.

	Start, End int // Bytes of the decoded string.

	// Where the finding stands in the document: lines and columns count from
	// 1, columns in characters, and the end is exclusive.
	Line, Column, EndLine, EndColumn int

	Mask   string // Public prefix of the secret and "…".
	Why    string // What this looks like.
	Advice string // What to do about it.

	from, to int    // Bytes of the document.
	trace    string // Digest of a secret that cannot be guessed.
}

// String returns the finding on one line, without the secret.
func (f Finding) String() string {
	what := f.Rule + " (" + f.Mask + "): " + f.Why
	where := f.Path
	if f.InName {
		where = strings.TrimSpace(where + " (member name)")
	}
	if where == "" {
		return what
	}
	return where + ": " + what
}

// Blocking returns the findings that must not be stored, in their order.
func Blocking(fs []Finding) []Finding {
	var blocking []Finding
	for _, f := range fs {
		if f.Severity == Block {
			blocking = append(blocking, f)
		}
	}
	return blocking
}

// IsPlace tells whether the finding is a place on a machine, which is no secret
// to the person who works there.
func (f Finding) IsPlace() bool { return places.has(f.Rule) }
