package report

import "time"

// The shape of the format JSON. Members may be added; what is here stays. A member that has nothing to say is left out,
// but for the list of results. There is one result a line.

type jsonHead struct {
	Tool     string  `json:"tool"`
	Version  string  `json:"version"`
	Ruleset  string  `json:"ruleset"`
	Started  string  `json:"started"` // RFC 3339, UTC
	Ended    string  `json:"ended"`   // RFC 3339, UTC
	Subjects int     `json:"subjects"`
	Summary  summary `json:"summary"`
}

type jsonResult struct {
	Rule        string           `json:"rule"`
	Area        string           `json:"area"`    // secret, record, store or signature
	Level       string           `json:"level"`   // note, warning or error
	Subject     string           `json:"subject"` // a ref, the path of a file, or "-"
	Pointer     string           `json:"pointer,omitempty"`
	InName      bool             `json:"in_name,omitempty"`
	Region      *jsonRegion      `json:"region,omitempty"`
	Mask        string           `json:"mask,omitempty"`
	Message     string           `json:"message"`
	Advice      string           `json:"advice,omitempty"`
	Fingerprint string           `json:"fingerprint,omitempty"`
	Suppressed  *jsonSuppression `json:"suppressed,omitempty"`
}

type jsonRegion struct {
	Line      int `json:"line"`
	Column    int `json:"column,omitempty"`
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
}

type jsonSuppression struct {
	By     string `json:"by"`
	Why    string `json:"why,omitempty"`
	Until  string `json:"until,omitempty"` // RFC 3339, UTC
	Record string `json:"record,omitempty"`
}

func (r *Report) writeJSON(o *output) {
	o.open(jsonHead{
		Tool:     r.Tool,
		Version:  r.Version,
		Ruleset:  r.Ruleset,
		Started:  r.Started.UTC().Format(stamp),
		Ended:    r.Ended.UTC().Format(stamp),
		Subjects: len(r.Subjects),
		Summary:  r.summary(),
	})
	o.text(`,"results":`)
	o.array(func(yield func(any) bool) {
		for i := range r.Results {
			if !yield(newJSONResult(&r.Results[i])) {
				return
			}
		}
	})
	o.text("}\n")
}

func newJSONResult(x *Result) jsonResult {
	j := jsonResult{
		Rule:        x.Rule,
		Area:        x.Area.String(),
		Level:       x.Level.String(),
		Subject:     x.Subject,
		Pointer:     x.Pointer,
		InName:      x.InName,
		Mask:        x.Mask,
		Message:     x.Message,
		Advice:      x.Advice,
		Fingerprint: x.Fingerprint,
	}
	if x.Region != (Region{}) {
		region := jsonRegion(x.Region)
		j.Region = &region
	}
	if s := x.Suppressed; s != nil {
		j.Suppressed = &jsonSuppression{By: s.By, Why: s.Why, Record: s.Record}
		if !s.Until.IsZero() {
			j.Suppressed.Until = s.Until.UTC().Format(time.RFC3339)
		}
	}
	return j
}
