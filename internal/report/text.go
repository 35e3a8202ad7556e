package report

import "strings"

func (r *Report) writeText(o *output) {
	for _, g := range r.groups() {
		if len(g.results) == 0 {
			continue
		}
		o.text(title(g.subject), "  (", tally(g.results), ")\n")
		for _, x := range g.results {
			o.text(block(x, "  "))
		}
		o.text("\n")
	}
	o.text(r.sentence(), "\n")
}

// tally says how many results count and how many are allowed.
func tally(results []*Result) string {
	counted, allowed := 0, 0
	for _, x := range results {
		if x.Suppressed == nil {
			counted++
		} else {
			allowed++
		}
	}
	var parts []string
	if counted > 0 {
		parts = append(parts, count(counted, "finding", "findings"))
	}
	if allowed > 0 {
		parts = append(parts, count(allowed, "allowed", "allowed"))
	}
	return strings.Join(parts, ", ")
}

// block returns a result as lines that begin with indent, for people.
func block(x *Result, indent string) string {
	head := []string{x.standing()}
	for _, s := range []string{shown(x.Rule), x.where(), x.Region.String(), shown(x.Name), shown(x.Mask)} {
		if s != "" {
			head = append(head, s)
		}
	}
	if x.Suppressed != nil {
		return indent + strings.Join(append(head, "("+x.Suppressed.String()+")"), "  ") + "\n"
	}
	lines := []string{strings.Join(head, "  ")}
	deeper := strings.Repeat(" ", len(x.standing())+2)
	for _, s := range []struct{ label, text string }{{"", x.Message}, {"do: ", x.Advice}, {"fingerprint ", x.Fingerprint}} {
		if text := shown(s.text); text != "" {
			lines = append(lines, deeper+s.label+text)
		}
	}
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}
