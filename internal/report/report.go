// Package report writes what a check found in the forms that people and CI systems read.
//
// A report is a value: what was looked at, by which rules, and what was found. The same value can be written as text, as
// JSON, as SARIF 2.1.0, as JUnit XML, as workflow commands of GitHub and as a code quality report of GitLab.
//
// The package is pure. It never holds a secret: a result tells the rule, the place and a mask.
package report

import "time"

// Level says how much a result weighs.
type Level int

const (
	// Note is worth knowing and changes nothing.
	Note Level = iota + 1
	// Warning is for a person to judge. It fails no check.
	Warning
	// Error fails the check.
	Error
)

// String returns "note", "warning" or "error", as SARIF spells them.
func (l Level) String() string {
	switch l {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	default:
		return "none"
	}
}

// Area is what a result is about. It decides the exit code of a check.
type Area int

const (
	// Secret is something that must not travel.
	Secret Area = iota + 1
	// Record is a record that breaks the format: its shape, encoding, id or size.
	Record
	// Store is what lies around the records: stray refs, parents that are missing.
	Store
	// Signature is who vouches for a record.
	Signature
)

// String returns "secret", "record", "store" or "signature".
func (a Area) String() string {
	switch a {
	case Secret:
		return "secret"
	case Record:
		return "record"
	case Store:
		return "store"
	case Signature:
		return "signature"
	default:
		return "none"
	}
}

// A Rule is one thing that a check looks for.
type Rule struct {
	ID     string // required: short name, such as "github-token"
	Area   Area   // required
	Level  Level  // required
	About  string // required: one sentence on what it finds
	Advice string // what to do about a result
}

// A Region is a part of a text: lines and columns count from 1, columns in characters, and the end is exclusive. The
// zero value is no region.
type Region struct {
	Line, Column       int
	EndLine, EndColumn int
}

// A Suppression is why a result does not count.
type Suppression struct {
	By     string    // who decided, or "baseline"
	Why    string    // the reason that was given
	Until  time.Time // when it ends; the zero time never
	Record string    // the record that says so; empty for a baseline
}

// A Result is one thing that was found.
type Result struct {
	Rule        string       // required: the ID of a rule of the report
	Area        Area         // required
	Level       Level        // required
	Subject     string       // required: a ref, the path of a file, or "-" for standard input
	Pointer     string       // the JSON pointer of the value; empty for the whole subject
	InName      bool         // it is in the name of a member of what Pointer tells
	Region      Region       // where it is in the text of the subject
	Mask        string       // for a secret: its public prefix and "…"
	Message     string       // required: what was found
	Advice      string       // what to do
	Fingerprint string       // names this very result again and again, without telling the secret
	Suppressed  *Suppression // nil counts
}

// A Report is what one check found.
type Report struct {
	Tool     string    // required: the name of the program
	Version  string    // required: its version
	Ruleset  string    // required: the version of the rules for secrets
	Home     string    // where the program is explained, a URL; empty leaves it out
	Started  time.Time // required
	Ended    time.Time // required
	Rules    []Rule    // required: the rules that were asked, in a fixed order
	Subjects []string  // required: what was looked at, in the order of looking
	Results  []Result  // in the order of subjects
}

// Counted returns the results that are not suppressed.
func (r *Report) Counted() []Result {
	var counted []Result
	for i := range r.Results {
		if r.Results[i].Suppressed == nil {
			counted = append(counted, r.Results[i])
		}
	}
	return counted
}
