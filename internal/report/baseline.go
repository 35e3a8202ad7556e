package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/words"
)

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
