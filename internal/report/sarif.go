package report

import "strings"

// sarifSchema is the address of the schema that our output is checked against.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

func (r *Report) writeSARIF(o *output) {
	o.text(`{"$schema":"`, sarifSchema, `","version":"2.1.0","runs":[`+"\n")
	o.open(r.sarifRun())
	o.text(`,"results":`)
	index := make(map[string]int, len(r.Rules))
	for i := range r.Rules {
		index[r.Rules[i].ID] = i
	}
	o.array(func(yield func(any) bool) {
		for i := range r.Results {
			if !yield(newSARIFResult(&r.Results[i], index)) {
				return
			}
		}
	})
	o.text("}\n]}\n")
}

func (r *Report) sarifRun() sarifRun {
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name:           r.Tool,
			Version:        r.Version,
			InformationURI: r.Home,
			Rules:          make([]sarifRule, 0, len(r.Rules)),
			Properties:     map[string]string{"ruleset": r.Ruleset},
		}},
		Invocations: []sarifInvocation{{
			Successful: true,
			Start:      r.Started.UTC().Format(stamp),
			End:        r.Ended.UTC().Format(stamp),
		}},
		// What stands before the last slash is the category, by which the next run replaces this one.
		Automation: sarifAutomation{ID: r.Tool + "/" + r.Started.UTC().Format(stamp)},
		ColumnKind: "unicodeCodePoints",
	}
	for i := range r.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newSARIFRule(&r.Rules[i]))
	}
	return run
}

func newSARIFRule(rule *Rule) sarifRule {
	help := rule.Advice
	if help == "" {
		help = rule.About
	}
	s := sarifRule{
		ID:            rule.ID,
		Short:         newSARIFMessage(rule.About),
		Full:          newSARIFMessage(rule.About),
		Help:          newSARIFMessage(help),
		Configuration: sarifConfiguration{Level: rule.Level.String()},
		Properties:    sarifRuleProperties{Tags: []string{rule.Area.String()}},
	}
	if rule.Area == Secret {
		s.Properties = sarifRuleProperties{Severity: securitySeverity(rule.Level), Tags: []string{"security", "secret"}}
	}
	return s
}

// securitySeverity is the figure by which GitHub shows a result as a security alert: high, medium or low.
func securitySeverity(l Level) string {
	switch l {
	case Error:
		return "8.0"
	case Warning:
		return "4.0"
	default:
		return "1.0"
	}
}

func newSARIFResult(x *Result, index map[string]int) sarifResult {
	s := sarifResult{
		RuleID:       x.Rule,
		Level:        x.Level.String(),
		Message:      newSARIFMessage(x.what()),
		Locations:    []sarifLocation{newSARIFLocation(x)},
		Suppressions: []sarifSuppression{},
	}
	if i, ok := index[x.Rule]; ok {
		s.RuleIndex = &i
	}
	if advice := shown(x.Advice); advice != "" {
		s.Message = newSARIFMessage(x.what() + ". What to do: " + advice)
	}
	if x.Fingerprint != "" {
		s.Fingerprints = map[string]string{"ltmFinding/v1": x.Fingerprint}
	}
	if x.Suppressed != nil {
		s.Suppressions = append(s.Suppressions, sarifSuppression{
			Kind:          "external",
			Status:        "accepted",
			Justification: "allowed " + x.Suppressed.String(),
		})
	}
	return s
}

func newSARIFLocation(x *Result) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = uri(x.Subject)
	l.Physical.Region.StartLine = 1
	if g := x.Region; g.Line > 0 {
		l.Physical.Region = sarifRegion{
			StartLine:   g.Line,
			StartColumn: max(g.Column, 0),
			EndLine:     max(g.EndLine, 0),
			EndColumn:   max(g.EndColumn, 0),
		}
	}
	if x.Pointer != "" {
		kind := "value"
		if x.InName {
			kind = "object"
		}
		l.Logical = []sarifLogical{{Name: x.Pointer, Kind: kind}}
	}
	return l
}

// newSARIFMessage returns hostile text as a message without links and placeholders: section 3.11 of the format gives a
// meaning to brackets and braces.
func newSARIFMessage(s string) sarifMessage {
	meant := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}")
	return sarifMessage{Text: meant.Replace(shown(s))}
}
