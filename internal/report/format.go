package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// A Format is a form that a report can be written in.
type Format string

const (
	// Text is for people: a block for each subject and a line that sums up.
	Text Format = "text"
	// JSON is the shape of our own that programs read and that a baseline is made of.
	JSON Format = "json"
	// SARIF is the Static Analysis Results Interchange Format 2.1.0 of OASIS.
	SARIF Format = "sarif"
	// JUnit is the XML that most CI systems show as a list of tests.
	JUnit Format = "junit"
	// GitHub is workflow commands, which GitHub Actions shows beside a change.
	GitHub Format = "github"
	// GitLab is a code quality report.
	GitLab Format = "gitlab"
)

// writers are what writes each format.
var writers = []struct {
	format Format
	write  func(*Report, *output)
}{
	{Text, (*Report).writeText},
	{JSON, (*Report).writeJSON},
	{SARIF, (*Report).writeSARIF},
	{JUnit, (*Report).writeJUnit},
	{GitHub, (*Report).writeGitHub},
	{GitLab, (*Report).writeGitLab},
}

// Formats returns the names of all formats.
func Formats() (names []string) {
	for _, w := range writers {
		names = append(names, string(w.format))
	}
	return names
}

// ParseFormat returns the format with the name s.
func ParseFormat(s string) (Format, error) {
	if !slices.Contains(Formats(), s) {
		return "", fmt.Errorf("unknown format %q: want one of %s", s, strings.Join(Formats(), ", "))
	}
	return Format(s), nil
}

// Write writes the report to w, secrets first. The same report always gives the same bytes. What a report
// quotes may be hostile: where people read it, it is one printable line; where programs read it, it is
// escaped.
func (r *Report) Write(w io.Writer, f Format) error {
	o := &output{w: bufio.NewWriter(w)}
	i := slices.Index(Formats(), string(f))
	if i < 0 {
		return fmt.Errorf("write report: unknown format %q", f)
	}
	writers[i].write(r.byWeight(), o)
	if o.err == nil {
		o.err = o.w.Flush()
	}
	if o.err != nil {
		return fmt.Errorf("write report as %s: %w", f, o.err)
	}
	return nil
}

// writeGitHub writes one command a result, and a last line for people. Results are annotations of their
// subjects.
func (r *Report) writeGitHub(o *output) {
	escapeData := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A") // what stands behind the second "::"
	for i := range r.Results {
		x := &r.Results[i]
		command := [...]string{"error", "error", "warning", "notice", "notice"}[x.weightOf()]
		o.writeText("::", command, " file=", escapeProperty(fileOf(x.Subject)))
		if x.Region.Line > 0 {
			o.writeText(",line=", strconv.Itoa(x.Region.Line))
			if x.Region.Column > 0 {
				o.writeText(",col=", strconv.Itoa(x.Region.Column))
			}
		}
		lines := x.whatItIs()
		if x.Suppressed != nil {
			lines += "\nallowed " + x.Suppressed.String()
		} else {
			if advice := shownSubject(x.Advice); advice != "" {
				lines += "\ndo: " + advice
			}
			if fingerprint := shownSubject(x.Fingerprint); fingerprint != "" {
				lines += "\nfingerprint " + fingerprint
			}
		}
		o.writeText(",title=", escapeProperty(shownSubject(x.Rule)), "::", escapeData.Replace(lines), "\n")
	}
	o.writeText(r.summarySentence(), "\n")
}

// escapeProperty escapes the value of a property of a command.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// writeGitLab writes the results that count: the format has no word for the others.
func (r *Report) writeGitLab(o *output) {
	seen := map[string]int{}
	o.writeArray(r.eachResult(func(x Result) any {
		if x.Suppressed != nil {
			return nil
		}
		name := x.Fingerprint // What tells a result from the others of its report, now and in a later one.
		if name == "" {
			name = fmt.Sprintf("%q %q %q %v", x.Subject, x.Rule, x.Pointer, x.Region)
		}
		seen[name]++
		if n := seen[name]; n > 1 {
			name += "\x00" + strconv.Itoa(n)
		}
		sum := sha256.Sum256([]byte(name))
		return object{
			"description": x.whatItIs(), "check_name": x.Rule, "fingerprint": hex.EncodeToString(sum[:]),
			"severity": [...]string{"critical", "major", "minor", "info"}[x.weightOf()],
			"location": object{"path": fileOf(x.Subject), "lines": object{"begin": max(x.Region.Line, 1)}},
		}
	}))
	o.writeText("\n")
}

// Head is what stands before the results in the format JSON. Members may be added; what is here stays.
// There is one result a line.
type Head struct {
	Version  int     `json:"version"` // of this shape, as all commands print it
	Tool     string  `json:"tool"`
	Release  string  `json:"release"`
	Ruleset  string  `json:"ruleset"`
	Started  string  `json:"started"` // RFC 3339, UTC
	Ended    string  `json:"ended"`   // RFC 3339, UTC
	Subjects int     `json:"subjects"`
	Summary  summary `json:"summary"`
}

func (r *Report) writeJSON(o *output) {
	o.open(Head{
		Version:  1,
		Tool:     r.Tool,
		Release:  r.Version,
		Ruleset:  r.Ruleset,
		Started:  r.Started.UTC().Format(stamp),
		Ended:    r.Ended.UTC().Format(stamp),
		Subjects: len(r.Subjects),
		Summary:  r.summaryLine(),
	})
	o.writeText(`,"results":`)
	o.writeArray(r.eachResult(func(x Result) any {
		if x.Suppressed != nil {
			why := *x.Suppressed
			why.Until = why.Until.UTC().Truncate(time.Second)
			x.Suppressed = &why
		}
		return x
	}))
	o.writeText("}\n")
}

// eachResult yields what a form makes of each result, unless that is nil.
func (r *Report) eachResult(form func(Result) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i := range r.Results {
			if v := form(r.Results[i]); v != nil && !yield(v) {
				return
			}
		}
	}
}

// writeJUnit writes one test a subject. The errors that count are its one failure, because many readers of
// the format look at the first only. All else is its output.
func (r *Report) writeJUnit(o *output) {
	groups := r.bySubject()
	failed := 0
	for _, g := range groups {
		if counted, _ := summaryParts(g.results); len(counted) > 0 {
			failed++
		}
	}
	figures := attributeOf("tests", strconv.Itoa(len(groups))) + attributeOf("failures", strconv.Itoa(failed)) +
		attributeOf("errors", "0") + attributeOf("skipped", "0") +
		attributeOf("time", strconv.FormatFloat(r.Ended.Sub(r.Started).Seconds(), 'f', 3, 64))
	name := attributeOf("name", shownSubject(r.Tool))
	began := attributeOf("timestamp", r.Started.UTC().Format("2006-01-02T15:04:05"))
	o.writeText(`<?xml version="1.0" encoding="UTF-8"?>`, "\n<testsuites", name, figures, ">\n")
	o.writeText("<testsuite", name, figures, began, ">\n<properties>\n")
	o.writeText("<property", attributeOf("name", "version"), attributeOf("value", shownSubject(r.Version)), "/>\n")
	o.writeText("<property", attributeOf("name", "ruleset"), attributeOf("value", shownSubject(r.Ruleset)),
		"/>\n</properties>\n")
	for _, g := range groups {
		writeCase(o, g)
	}
	o.writeText("<system-out>", html.EscapeString(r.summarySentence()), "</system-out>\n</testsuite>\n</testsuites>\n")
}

func writeCase(o *output, g group) {
	class := "file" // what kind of thing it is, as the dotted name of a class, such as refs.ltm.packets
	if g.subject == standardInput {
		class = "stdin"
	} else if isRef(g.subject) {
		class = shownSubject(strings.ReplaceAll(path.Dir(g.subject), "/", "."))
	}
	o.writeText("<testcase", attributeOf("classname", class), attributeOf("name", titleOf(g.subject)))
	counted, rest := summaryParts(g.results)
	if len(g.results) == 0 {
		o.writeText("/>\n")
		return
	}
	o.writeText(">\n")
	if len(counted) > 0 {
		first := counted[0]
		message := first.whatItIs()
		if more := len(counted) - 1; more > 0 {
			message += " (and " + strconv.Itoa(more) + " more)"
		}
		o.writeText("<failure", attributeOf("type", shownSubject(first.Rule)), attributeOf("message", message), ">")
		writeBlocks(o, counted)
		o.writeText("</failure>\n")
	}
	if len(rest) > 0 {
		o.writeText("<system-out>")
		writeBlocks(o, rest)
		o.writeText("</system-out>\n")
	}
	o.writeText("</testcase>\n")
}

// summaryParts returns the errors that count, and all else.
func summaryParts(results []*Result) (counted, rest []*Result) {
	for _, x := range results {
		if x.Level == Error && x.Suppressed == nil {
			counted = append(counted, x)
		} else {
			rest = append(rest, x)
		}
	}
	return counted, rest
}

// writeBlocks writes results as text. Their lines are escaped one by one: an escaped line end would be hard
// to read.
func writeBlocks(o *output, results []*Result) {
	o.writeText("\n")
	for _, x := range results {
		for line := range strings.Lines(textBlock(x, "")) {
			o.writeText(html.EscapeString(strings.TrimSuffix(line, "\n")), "\n")
		}
	}
}

// attributeOf writes a member of an element. What XML forbids was taken out of its value, and of all else, when
// that was cleaned.
func attributeOf(name, value string) string {
	return " " + name + `="` + html.EscapeString(value) + `"`
}

func (r *Report) writeText(o *output) {
	for _, g := range r.bySubject() {
		if len(g.results) == 0 {
			continue
		}
		o.writeText(titleOf(g.subject), "  (", tallyOf(g.results), ")\n")
		for _, x := range g.results {
			o.writeText(textBlock(x, "  "))
		}
		o.writeText("\n")
	}
	o.writeText(r.summarySentence(), "\n")
}

// tallyOf says how many results count and how many are allowed.
func tallyOf(results []*Result) string {
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
		parts = append(parts, countOf(counted, "finding", "findings"))
	}
	if allowed > 0 {
		parts = append(parts, countOf(allowed, "allowed", "allowed"))
	}
	return strings.Join(parts, ", ")
}

// textBlock returns a result as lines that begin with indent, for people.
func textBlock(x *Result, indent string) string {
	head := []string{x.standing()}
	for _, s := range []string{shownSubject(x.Rule), x.whereItIs(), x.Region.String(), shownSubject(x.Name), shownSubject(x.Mask)} {
		if s != "" {
			head = append(head, s)
		}
	}
	if x.Suppressed != nil {
		return indent + strings.Join(append(head, "("+x.Suppressed.String()+")"), "  ") + "\n"
	}
	lines := []string{strings.Join(head, "  ")}
	deeper := strings.Repeat(" ", len(x.standing())+2)
	for _, s := range []struct{ label, text string }{
		{"", x.Message},
		{"do: ", x.Advice},
		{"fingerprint ", x.Fingerprint},
	} {
		if text := shownSubject(s.text); text != "" {
			lines = append(lines, deeper+s.label+text)
		}
	}
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}

// object is an object of JSON.
type object = map[string]any

// An output writes the pieces of a report one after the other. After the first error it writes nothing more.
type output struct {
	w   *bufio.Writer
	err error
}

func (o *output) writeText(parts ...string) {
	for _, s := range parts {
		if o.err != nil {
			return
		}
		_, o.err = o.w.WriteString(s)
	}
}

// open writes v, an object with members, as JSON without its closing brace, so that more members can follow.
func (o *output) open(v any) { o.writeText(string(bytes.TrimSuffix(o.encodeValue(v), []byte("}")))) }

// writeArray writes values as a JSON array with one element a line.
func (o *output) writeArray(values iter.Seq[any]) {
	o.writeText("[")
	before := "\n"
	for v := range values {
		o.writeText(before)
		o.writeText(string(o.encodeValue(v)))
		before = ",\n"
	}
	o.writeText("\n]")
}

func (o *output) encodeValue(v any) []byte {
	if o.err != nil {
		return nil
	}
	var line []byte
	line, o.err = clean.JSON(v, "")
	return escapeHidden(bytes.TrimSuffix(line, []byte("\n")))
}

// escapeHidden writes each character of a JSON text that cannot be seen as \uXXXX, which means the same. The
// text is then safe to show on a terminal.
func escapeHidden(text []byte) []byte {
	if !bytes.ContainsFunc(text, isHidden) {
		return text
	}
	escaped := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case !isHidden(r):
			escaped = append(escaped, text[:size]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, high, low)
		default:
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		}
		text = text[size:]
	}
	return escaped
}

func isHidden(r rune) bool { return !strconv.IsPrint(r) }

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
