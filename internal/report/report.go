// Package report writes what a check found in the forms that people and CI systems read.
//
// A report is a value: what was looked at, by which rules, and what was found. The same value can be written
// as text, as JSON, as SARIF 2.1.0, as JUnit XML, as workflow commands of GitHub and as a code quality report
// of GitLab.
//
// The package is pure. It never holds a secret: a result tells the rule, the place and a mask.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/words"
)

// Level says how much a result weighs, as SARIF spells it.
type Level string

// The levels.
const (
	Note    Level = "note"    // worth knowing; it changes nothing
	Warning Level = "warning" // for a person to judge; it fails no check
	Error   Level = "error"   // fails the check
)

// Area is what a result is about. It decides the exit code of a check.
type Area string

// The areas.
const (
	Secret    Area = "secret"    // something that must not travel
	Record    Area = "record"    // a record that breaks the format: its shape, encoding, id or size
	Store     Area = "store"     // what lies around the records: stray refs, parents that are missing
	Signature Area = "signature" // who vouches for a record
)

// A Rule is one thing that a check looks for.
type Rule struct {
	ID     string // required: short name, such as "github-token"
	Area   Area   // required
	Level  Level  // required
	About  string // required: one sentence on what it finds
	Advice string // what to do about a result
}

// A Region is a part of a text: lines and columns count from 1, columns in characters, and the end is
// exclusive. The zero value is no region.
type Region struct {
	Line      int `json:"line"`
	Column    int `json:"column,omitempty"`
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
}

// A Suppression is why a result does not count.
type Suppression struct {
	By     string    `json:"by"`               // who decided, or "baseline"
	Why    string    `json:"why,omitempty"`    // the reason that was given
	Until  time.Time `json:"until,omitzero"`   // when it ends; the zero time never
	Record string    `json:"record,omitempty"` // the record that says so; empty for a baseline
}

// A Result is one thing that was found. It is also its shape in the format JSON, to which members may be
// added; what is here stays.
type Result struct {
	Rule  string `json:"rule"`  // required: the ID of a rule of the report
	Area  Area   `json:"area"`  // required
	Level Level  `json:"level"` // required
	// required: a ref, the path of a file, or "-" for standard input
	Subject string `json:"subject"`
	// the JSON pointer of the value; empty for the whole subject
	Pointer string `json:"pointer,omitempty"`
	// it is in the name of a member of what Pointer tells
	InName  bool   `json:"in_name,omitempty"`
	Region  Region `json:"region,omitzero"`  // where it is in the text of the subject
	Name    string `json:"name,omitempty"`   // for a secret: what it is called beside it
	Mask    string `json:"mask,omitempty"`   // for a secret: its public prefix and "…"
	Message string `json:"message"`          // required: what was found
	Advice  string `json:"advice,omitempty"` // what to do
	// names this very result again and again, without telling the secret
	Fingerprint string       `json:"fingerprint,omitempty"`
	Suppressed  *Suppression `json:"suppressed,omitempty"` // nil counts
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
	Results  []Result  // in the order of looking; each form has secrets first
}

// byWeight returns the report as it is written: secrets that count first, then other errors, what only warns,
// and what does not count, each in the order of looking; and of the rules those that found something.
func (r *Report) byWeight() *Report {
	w := *r
	w.Results = slices.Clone(r.Results)
	slices.SortStableFunc(w.Results, func(a, b Result) int { return a.weightOf() - b.weightOf() })
	found := map[string]bool{}
	for i := range w.Results {
		found[w.Results[i].Rule] = true
	}
	w.Rules = slices.DeleteFunc(slices.Clone(r.Rules), func(rule Rule) bool { return !found[rule.ID] })
	return &w
}

// weightOf orders results: the least comes first.
func (x *Result) weightOf() int {
	switch {
	case x.Suppressed != nil:
		return 4
	case x.Level == Error && x.Area == Secret:
		return 0
	case x.Level == Error:
		return 1
	case x.Level == Warning:
		return 2
	default:
		return 3
	}
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

// MaxBaseline is how many bytes a baseline may have.
const MaxBaseline = 16 << 20

// byBaseline is who suppresses the results of a baseline.
const byBaseline = "baseline"

// fingerprintForm is how fingerprints look: a version, and a digest in hexadecimal digits.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var fingerprintForm = words.Compiled(`^[a-z][0-9]{1,2}:[0-9a-f]{16,64}$`)

// A Baseline is a list of results that are known and do not count. The zero value is an empty list.
type Baseline struct {
	matched map[string]bool // by fingerprint; true for one that matched a result
}

// A BaselineError says what is wrong with a baseline. It quotes nothing of it.
type BaselineError struct {
	Line    int // counts from 1
	Problem string
}

func (e *BaselineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// ReadBaseline reads a list of fingerprints, one a line, in which "#" begins a comment. What is another is a
// *BaselineError.
func ReadBaseline(r io.Reader) (Baseline, error) {
	data, err := local.ReadAll(r, MaxBaseline)
	if err != nil {
		return Baseline{}, fmt.Errorf("read baseline: %w", err)
	}
	b := Baseline{matched: map[string]bool{}}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !fingerprintForm().MatchString(line) {
			return Baseline{}, fmt.Errorf("read baseline: %w", &BaselineError{number, "this is no fingerprint"})
		}
		b.matched[line] = false
	}
	return b, nil
}

// Apply suppresses the results of r that the baseline lists. A result without a fingerprint is never
// suppressed, and one that is suppressed already stays as it is.
func (b Baseline) Apply(r *Report) {
	for i := range r.Results {
		x := &r.Results[i]
		if _, known := b.matched[x.Fingerprint]; !known {
			continue
		}
		b.matched[x.Fingerprint] = true
		if x.Suppressed == nil {
			x.Suppressed = &Suppression{By: byBaseline}
		}
	}
}

// Unused returns how many entries matched no result of the reports that the baseline was applied to.
func (b Baseline) Unused() int {
	n := 0
	for _, matched := range b.matched {
		if !matched {
			n++
		}
	}
	return n
}
