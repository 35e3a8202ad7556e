package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/local"
)

// MaxBaseline is how many bytes a baseline may have.
const MaxBaseline = 16 << 20

// byBaseline is who suppresses the results of a baseline.
const byBaseline = "baseline"

// fingerprintForm is how fingerprints look: a version, and a digest in hexadecimal digits.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var fingerprintForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][0-9]{1,2}:[0-9a-f]{16,64}$`)
})

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

// ReadBaseline reads a report in the format JSON, or a list of fingerprints, one a line, in which "#" begins
// a comment.
//
// Of a report it takes the results that counted and those that a baseline had suppressed. One that a person
// had allowed is not taken: a baseline has no end, and would make a decision for some time one for ever. What
// is neither form is a *BaselineError.
func ReadBaseline(r io.Reader) (Baseline, error) {
	data, err := local.ReadAll(r, MaxBaseline)
	if err != nil {
		return Baseline{}, fmt.Errorf("read baseline: %w", err)
	}
	b := Baseline{matched: map[string]bool{}}
	read := b.readList
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		read = b.readReport
	}
	if err := read(data); err != nil {
		return Baseline{}, fmt.Errorf("read baseline: %w", err)
	}
	return b, nil
}

func (b Baseline) readList(data []byte) error {
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if !fingerprintForm().MatchString(line) {
			return &BaselineError{
				number,
				"this is no fingerprint, nor does the file begin like a report in JSON",
			}
		}
		b.matched[line] = false
	}
	return nil
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

// readReport takes the fingerprints out of a report in the format JSON.
func (b Baseline) readReport(data []byte) error {
	p := &reportParser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	if err := p.parseDelimiter('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.dec.More() {
		at := p.dec.InputOffset()
		name, err := p.dec.Token()
		if err != nil {
			return p.broken(at)
		}
		member, _ := name.(string)
		if seen[member] {
			return p.addProblem(at, "a member of the report stands there twice")
		}
		seen[member] = true
		if err := p.parseMember(member, b); err != nil {
			return err
		}
	}
	if err := p.parseDelimiter('}'); err != nil {
		return err
	}
	at := p.dec.InputOffset()
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return p.addProblem(at, "something stands behind the report")
	}
	if !seen["tool"] || !seen["ruleset"] || !seen["results"] {
		return p.addProblem(0, "this is not a report in our format JSON: it lacks tool, ruleset or results")
	}
	return nil
}

// A reportParser walks through a report and knows its lines.
type reportParser struct {
	data []byte
	dec  *json.Decoder
}

// parseMember reads the value of a member. Members that a later version may have are passed over.
func (p *reportParser) parseMember(name string, b Baseline) error {
	if name != "results" {
		at := p.dec.InputOffset()
		if err := p.dec.Decode(new(json.RawMessage)); err != nil {
			return p.broken(at)
		}
		return nil
	}
	if err := p.parseDelimiter('['); err != nil {
		return err
	}
	for p.dec.More() {
		if err := p.parseResult(b); err != nil {
			return err
		}
	}
	return p.parseDelimiter(']')
}

func (p *reportParser) parseResult(b Baseline) error {
	at := p.dec.InputOffset()
	var x *Result
	if err := p.dec.Decode(&x); err != nil {
		return p.broken(at)
	}
	switch {
	case x == nil || x.Rule == "" || x.Subject == "":
		return p.addProblem(at, "a result lacks its rule or its subject")
	case x.Fingerprint == "":
		return nil
	case !fingerprintForm().MatchString(x.Fingerprint):
		return p.addProblem(at, "the fingerprint of a result has another form")
	case x.Suppressed == nil, x.Suppressed.By == byBaseline && x.Suppressed.Record == "":
		b.matched[x.Fingerprint] = false
	}
	return nil
}

func (p *reportParser) parseDelimiter(want json.Delim) error {
	at := p.dec.InputOffset()
	if got, err := p.dec.Token(); err != nil || got != want {
		return p.broken(at)
	}
	return nil
}

func (p *reportParser) broken(at int64) error {
	return p.addProblem(at, "this is broken JSON, or a value of another kind than a report has")
}

// addProblem returns an error for the value that begins behind the offset at.
func (p *reportParser) addProblem(at int64, text string) error {
	for at < int64(len(p.data)) && strings.IndexByte(" \t\r\n,:", p.data[at]) >= 0 {
		at++
	}
	return &BaselineError{bytes.Count(p.data[:at], []byte("\n")) + 1, text}
}
