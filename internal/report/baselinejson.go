package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// readReport takes the fingerprints out of a report in the format JSON.
func (b Baseline) readReport(data []byte) error {
	p := &reportParser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	if err := p.delimiter('{'); err != nil {
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
			return p.problem(at, "a member of the report stands there twice")
		}
		seen[member] = true
		if err := p.member(member, b); err != nil {
			return err
		}
	}
	if err := p.delimiter('}'); err != nil {
		return err
	}
	at := p.dec.InputOffset()
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return p.problem(at, "something stands behind the report")
	}
	if !seen["tool"] || !seen["ruleset"] || !seen["results"] {
		return p.problem(0, "this is not a report in our format JSON: it lacks tool, ruleset or results")
	}
	return nil
}

// A reportParser walks through a report and knows its lines.
type reportParser struct {
	data []byte
	dec  *json.Decoder
}

// member reads the value of a member. Members that a later version may have are passed over.
func (p *reportParser) member(name string, b Baseline) error {
	if name != "results" {
		at := p.dec.InputOffset()
		if err := p.dec.Decode(new(json.RawMessage)); err != nil {
			return p.broken(at)
		}
		return nil
	}
	if err := p.delimiter('['); err != nil {
		return err
	}
	for p.dec.More() {
		if err := p.result(b); err != nil {
			return err
		}
	}
	return p.delimiter(']')
}

func (p *reportParser) result(b Baseline) error {
	at := p.dec.InputOffset()
	var x *Result
	if err := p.dec.Decode(&x); err != nil {
		return p.broken(at)
	}
	switch {
	case x == nil || x.Rule == "" || x.Subject == "":
		return p.problem(at, "a result lacks its rule or its subject")
	case x.Fingerprint == "":
		return nil
	case !fingerprintForm().MatchString(x.Fingerprint):
		return p.problem(at, "the fingerprint of a result has another form")
	case x.Suppressed == nil, x.Suppressed.By == byBaseline && x.Suppressed.Record == "":
		b.matched[x.Fingerprint] = false
	}
	return nil
}

func (p *reportParser) delimiter(want json.Delim) error {
	at := p.dec.InputOffset()
	if got, err := p.dec.Token(); err != nil || got != want {
		return p.broken(at)
	}
	return nil
}

func (p *reportParser) broken(at int64) error {
	return p.problem(at, "this is broken JSON, or a value of another kind than a report has")
}

// problem returns an error for the value that begins behind the offset at.
func (p *reportParser) problem(at int64, text string) error {
	for at < int64(len(p.data)) && strings.IndexByte(" \t\r\n,:", p.data[at]) >= 0 {
		at++
	}
	return &BaselineError{bytes.Count(p.data[:at], []byte("\n")) + 1, text}
}
