package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// An issue is an element of a code quality report.
type issue struct {
	Description string        `json:"description"`
	Check       string        `json:"check_name"`
	Fingerprint string        `json:"fingerprint"`
	Severity    string        `json:"severity"`
	Location    issueLocation `json:"location"`
}

type issueLocation struct {
	Path  string     `json:"path"`
	Lines issueLines `json:"lines"`
}

type issueLines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes the results that count: the format has no word for the others.
func (r *Report) writeGitLab(o *output) {
	seen := map[string]int{}
	o.array(func(yield func(any) bool) {
		for i := range r.Results {
			x := &r.Results[i]
			if x.Suppressed == nil && !yield(newIssue(x, seen)) {
				return
			}
		}
	})
	o.text("\n")
}

func newIssue(x *Result, seen map[string]int) issue {
	name := x.name()
	seen[name]++
	if n := seen[name]; n > 1 {
		name += "\x00" + strconv.Itoa(n)
	}
	sum := sha256.Sum256([]byte(name))
	return issue{
		Description: x.what(),
		Check:       x.Rule,
		Fingerprint: hex.EncodeToString(sum[:]),
		Severity:    severity(x),
		Location:    issueLocation{Path: file(x.Subject), Lines: issueLines{Begin: max(x.Region.Line, 1)}},
	}
}

// name returns what tells a result from the others of its report, now and in a later report.
func (x *Result) name() string {
	if x.Fingerprint != "" {
		return x.Fingerprint
	}
	return fmt.Sprintf("%q %q %q %v", x.Subject, x.Rule, x.Pointer, x.Region)
}

func severity(x *Result) string {
	switch {
	case x.Level == Error && x.Area == Secret:
		return "critical"
	case x.Level == Error:
		return "major"
	case x.Level == Warning:
		return "minor"
	default:
		return "info"
	}
}
