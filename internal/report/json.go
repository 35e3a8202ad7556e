package report

import (
	"iter"
	"time"
)

// jsonHead is what stands before the results in the format JSON. Members may be added; what is here stays. There is one result a line.
type jsonHead struct {
	Tool     string  `json:"tool"`
	Version  string  `json:"version"`
	Ruleset  string  `json:"ruleset"`
	Started  string  `json:"started"` // RFC 3339, UTC
	Ended    string  `json:"ended"`   // RFC 3339, UTC
	Subjects int     `json:"subjects"`
	Summary  summary `json:"summary"`
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
	o.array(r.each(func(x Result) any {
		if x.Suppressed != nil {
			why := *x.Suppressed
			why.Until = why.Until.UTC().Truncate(time.Second)
			x.Suppressed = &why
		}
		return x
	}))
	o.text("}\n")
}

// each yields what a form makes of each result, unless that is nil.
func (r *Report) each(form func(Result) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i := range r.Results {
			if v := form(r.Results[i]); v != nil && !yield(v) {
				return
			}
		}
	}
}
