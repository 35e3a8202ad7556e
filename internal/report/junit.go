package report

import (
	"html"
	"strconv"
	"strings"
)

// writeJUnit writes one test a subject. The errors that count are its one failure, because many readers of the format
// look at the first only. All else is its output.
func (r *Report) writeJUnit(o *output) {
	groups := r.groups()
	failed := 0
	for _, g := range groups {
		if counted, _ := parts(g.results); len(counted) > 0 {
			failed++
		}
	}
	figures := attribute("tests", strconv.Itoa(len(groups))) + attribute("failures", strconv.Itoa(failed)) +
		attribute("errors", "0") + attribute("skipped", "0") +
		attribute("time", strconv.FormatFloat(r.Ended.Sub(r.Started).Seconds(), 'f', 3, 64))
	name := attribute("name", shown(r.Tool))
	began := attribute("timestamp", r.Started.UTC().Format("2006-01-02T15:04:05"))
	o.text(`<?xml version="1.0" encoding="UTF-8"?>`, "\n<testsuites", name, figures, ">\n")
	o.text("<testsuite", name, figures, began, ">\n<properties>\n")
	o.text("<property", attribute("name", "version"), attribute("value", shown(r.Version)), "/>\n")
	o.text("<property", attribute("name", "ruleset"), attribute("value", shown(r.Ruleset)), "/>\n</properties>\n")
	for _, g := range groups {
		writeCase(o, g)
	}
	o.text("<system-out>", html.EscapeString(r.sentence()), "</system-out>\n</testsuite>\n</testsuites>\n")
}

func writeCase(o *output, g group) {
	o.text("<testcase", attribute("classname", class(g.subject)), attribute("name", title(g.subject)))
	counted, rest := parts(g.results)
	if len(g.results) == 0 {
		o.text("/>\n")
		return
	}
	o.text(">\n")
	if len(counted) > 0 {
		first := counted[0]
		message := first.what()
		if more := len(counted) - 1; more > 0 {
			message += " (and " + strconv.Itoa(more) + " more)"
		}
		o.text("<failure", attribute("type", shown(first.Rule)), attribute("message", message), ">")
		writeBlocks(o, counted)
		o.text("</failure>\n")
	}
	if len(rest) > 0 {
		o.text("<system-out>")
		writeBlocks(o, rest)
		o.text("</system-out>\n")
	}
	o.text("</testcase>\n")
}

// parts returns the errors that count, and all else.
func parts(results []*Result) (counted, rest []*Result) {
	for _, x := range results {
		if x.Level == Error && x.Suppressed == nil {
			counted = append(counted, x)
		} else {
			rest = append(rest, x)
		}
	}
	return counted, rest
}

// writeBlocks writes results as text. Their lines are escaped one by one: an escaped line end would be hard to read.
func writeBlocks(o *output, results []*Result) {
	o.text("\n")
	for _, x := range results {
		for line := range strings.Lines(block(x, "")) {
			o.text(html.EscapeString(strings.TrimSuffix(line, "\n")), "\n")
		}
	}
}

// attribute writes a member of an element. What XML forbids was taken out of its value, and of all else, when that was cleaned.
func attribute(name, value string) string { return " " + name + `="` + html.EscapeString(value) + `"` }
