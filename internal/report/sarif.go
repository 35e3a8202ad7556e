package report

import "strings"

// sarifSchema is the address of the schema that our output is checked against.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// writeSARIF writes a log with one run. There is no snippet: a snippet would hold the secret.
func (r *Report) writeSARIF(o *output) {
	o.writeText(`{"$schema":"`, sarifSchema, `","version":"2.1.0","runs":[`+"\n")
	rules, index := []object{}, map[string]int{}
	for i := range r.Rules {
		index[r.Rules[i].ID] = i
		rules = append(rules, sarifRule(&r.Rules[i]))
	}
	driver := object{
		"name": r.Tool, "version": r.Version, "rules": rules,
		"properties": object{"ruleset": r.Ruleset},
	}
	if r.Home != "" {
		driver["informationUri"] = r.Home
	}
	began, ended := r.Started.UTC().Format(stamp), r.Ended.UTC().Format(stamp)
	o.open(object{
		"tool":        object{"driver": driver},
		"invocations": []object{{"executionSuccessful": true, "startTimeUtc": began, "endTimeUtc": ended}},
		// What stands before the last slash is the category, by which the next run replaces this one.
		"automationDetails": object{"id": r.Tool + "/" + began},
		"columnKind":        "unicodeCodePoints",
		"properties":        object{"summary": r.summarySentence()},
	})
	o.writeText(`,"results":`)
	o.writeArray(r.eachResult(func(x Result) any { return sarifResult(&x, index) }))
	o.writeText("}\n]}\n")
}

func sarifRule(rule *Rule) object {
	help := rule.Advice
	if help == "" {
		help = rule.About
	}
	properties := object{"tags": []string{string(rule.Area)}}
	if rule.Area == Secret {
		// The figure by which GitHub shows a result as a security alert: high, medium or low.
		severity := map[Level]string{Error: "8.0", Warning: "4.0", Note: "1.0"}[rule.Level]
		properties = object{"security-severity": severity, "tags": []string{"security", "secret"}}
	}
	return object{
		"id": rule.ID, "shortDescription": sarifMessage(rule.About),
		"fullDescription": sarifMessage(rule.About), "help": sarifMessage(help),
		"defaultConfiguration": object{"level": rule.Level}, "properties": properties,
	}
}

// sarifResult always has its list of suppressions: an empty one says that the result counts.
func sarifResult(x *Result, index map[string]int) object {
	text, suppressions := x.whatItIs(), []object{}
	if advice := shownSubject(x.Advice); advice != "" {
		text += ". What to do: " + advice
	}
	if x.Suppressed != nil {
		suppressions = append(suppressions,
			object{
				"kind": "external", "status": "accepted",
				"justification": "allowed " + x.Suppressed.String(),
			})
	}
	s := object{
		"ruleId": x.Rule, "level": x.Level, "message": sarifMessage(text),
		"locations": []object{sarifLocation(x)}, "suppressions": suppressions,
	}
	if i, ok := index[x.Rule]; ok {
		s["ruleIndex"] = i
	}
	if x.Fingerprint != "" {
		s["partialFingerprints"] = object{"ltmFinding/v1": x.Fingerprint}
	}
	return s
}

func sarifLocation(x *Result) object {
	region := object{"startLine": 1}
	if g := x.Region; g.Line > 0 {
		region["startLine"] = g.Line
		for name, n := range map[string]int{
			"startColumn": g.Column, "endLine": g.EndLine,
			"endColumn": g.EndColumn,
		} {
			if n > 0 {
				region[name] = n
			}
		}
	}
	l := object{"physicalLocation": object{
		"artifactLocation": object{"uri": uriOf(x.Subject)},
		"region":           region,
	}}
	if x.Pointer != "" {
		kind := "value"
		if x.InName {
			kind = "object"
		}
		l["logicalLocations"] = []object{{"fullyQualifiedName": x.Pointer, "kind": kind}}
	}
	return l
}

// sarifMessage returns hostile text as a message without links and placeholders: section 3.11 of the format
// gives a meaning to brackets and braces.
func sarifMessage(s string) object {
	meant := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}")
	return object{"text": meant.Replace(shownSubject(s))}
}
