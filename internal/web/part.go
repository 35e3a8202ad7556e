package web

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// ofPacket tells a packet: the next step first, then what was settled, what failed, and what goes.
func (r *record) ofPacket(x exhibit) {
	p := x.Packet()
	if full := clean.Text(p.Goal); full != r.Title {
		r.lead("Goal", full)
	}
	r.lead("Next step", p.Next())
	r.lead("How it ended", clean.Text(p.Outcome))
	r.texts("Done when", p.SuccessCriteria)
	r.texts("Constraints", p.Constraints)
	var decisions, attempts, methods []item
	for _, d := range p.Decisions {
		i := item{Text: d.What, Fields: []field{{"Why", d.Why}, {"Breaks otherwise", d.Consequences}}}
		if d.Locked {
			i.Tag, i.Class = "locked", plain
		}
		decisions = append(decisions, i)
	}
	for _, a := range p.Attempts {
		i := item{Text: a.Tried, Fields: []field{{"Learned", a.Learned}, {"Confidence", a.Confidence}}}
		switch outcome := clean.Line(a.Outcome); {
		case !a.Failed():
			i.Tag, i.Class = outcome, good
		case len(outcome) > 0 && len(outcome) <= 16:
			i.Tag, i.Class = outcome, bad
		default:
			i.Tag, i.Class = "failed", bad
			i.Fields = append([]field{{"Outcome", a.Outcome}}, i.Fields...)
		}
		attempts = append(attempts, i)
	}
	for _, m := range p.Methods {
		methods = append(methods, item{Text: m.Name, Fields: []field{{"When", m.WhenApplicable}, {"How", m.How}}})
	}
	r.part("Decisions", decisions)
	r.part("Attempts", attempts)
	r.part("Methods", methods)
	r.texts("Open questions", p.OpenQuestions)
	r.texts("Paths", p.Paths)
	r.texts("Secrets that the author allowed", p.Scan.Overridden)
}

// texts adds a part of plain texts.
func (r *record) texts(title string, texts []string) {
	var items []item
	for _, t := range texts {
		items = append(items, item{Text: t})
	}
	r.part(title, items)
}

// part adds a part where it says something. All that it says is cleaned.
func (r *record) part(title string, items []item) {
	var kept []item
	for _, i := range items {
		if i.Text = clean.Text(i.Text); i.Text == "" {
			continue
		}
		var fields []field
		for _, f := range i.Fields {
			if f.Text = clean.Text(f.Text); strings.TrimSpace(f.Text) != "" {
				fields = append(fields, f)
			}
		}
		i.Fields = fields
		kept = append(kept, i)
	}
	if len(kept) > 0 {
		r.Parts = append(r.Parts, part{title, kept})
	}
}
