package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/report"
)

// attack is text that means something to each reader of a report.
const attack = "\n::error::owned\r\n##[add-path]x ##vso[task.x]y ##teamcity[z] ##VSO[task.x]y " +
	"##TeamCity[z]\x00\x1b[31m]]><!--&\"'%0A,title=x::\u202e\u2066\u200b\ufffe\xff\u2028\U000e0041,"

// hostile returns the sample with an attack in each text.
func hostile() *report.Report {
	r := sample()
	for i := range r.Results {
		x := &r.Results[i]
		x.Subject = "::" + attack + x.Subject
		x.Pointer += attack
		x.Mask += attack
		x.Message = "::warning::" + attack + x.Message
		x.Advice += attack
		if x.Suppressed != nil {
			x.Suppressed.By += attack
			x.Suppressed.Why += attack
		}
	}
	r.Subjects = append(r.Subjects, attack)
	return r
}

func TestReport_Write_hostile(t *testing.T) {
	t.Parallel()
	r := hostile()
	for _, f := range formats(t) {
		text := write(t, r, f)
		for line := range strings.Lines(text) {
			if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), unprintable); i >= 0 {
				t.Errorf("%s: %q holds %q", f, line, line[i:i+4])
			}
		}
		switch f {
		case report.JSON, report.SARIF, report.GitLab:
			if !json.Valid([]byte(text)) {
				t.Errorf("%s is no JSON:\n%s", f, text)
			}
		case report.JUnit:
			parseXML(t, text)
		case report.GitHub:
			parseCommands(t, text, r)
		case report.Text:
			noCommands(t, text)
		}
	}
}

func unprintable(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// noCommands holds that no runner of GitHub, Azure or TeamCity finds a command in a text.
func noCommands(tb testing.TB, text string) {
	tb.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		lower := strings.ToLower(line)
		if strings.HasPrefix(line, "::") || strings.Contains(lower, "##[") ||
			strings.Contains(lower, "##vso[") || strings.Contains(lower, "##teamcity[") {
			tb.Errorf("%q is a command", line)
		}
	}
}

// The suites are JUnit as its readers take it.
type suites struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Suites   []struct {
		Cases []struct {
			Class    string   `xml:"classname,attr"`
			Name     string   `xml:"name,attr"`
			Failures []string `xml:"failure"`
			Out      string   `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func parseXML(tb testing.TB, text string) suites {
	tb.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	var s suites
	if err := dec.Decode(&s); err != nil {
		tb.Fatalf("%v\n%s", err, text)
	}
	if token, err := dec.Token(); err == nil {
		if space, ok := token.(xml.CharData); !ok || strings.TrimSpace(string(space)) != "" {
			tb.Errorf("behind the document stands %v", token)
		}
	} else if !errors.Is(err, io.EOF) {
		tb.Error(err)
	}
	failed := 0
	for _, c := range s.Suites[0].Cases {
		failed += len(c.Failures)
	}
	if s.Tests != len(s.Suites[0].Cases) || s.Failures != failed {
		tb.Errorf("%d tests and %d failures, where it says %d and %d", len(s.Suites[0].Cases), failed,
			s.Tests, s.Failures)
	}
	return s
}

func TestJUnit_hostile(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Subjects = []string{"a]]>\x00\x1b[1m<b>&\"'\n\u202e/c"}
	r.Results = r.Results[:2]
	for i := range r.Results {
		r.Results[i].Subject = r.Subjects[0]
		r.Results[i].Message = "\x00]]></failure><x a='\ufffe'>"
	}
	got := parseXML(t, write(t, r, report.JUnit)).Suites[0].Cases[0]
	if want := "a]]><b>&\"' /c"; got.Class != "file" || got.Name != want {
		t.Errorf("the test is %q of class %q, want %q of class file", got.Name, got.Class, want)
	}
	for _, text := range []string{got.Failures[0], got.Out} {
		if !strings.Contains(text, "]]></failure><x a=''>") {
			t.Errorf("%q lacks the message", text)
		}
	}
}

// A workflowCommand is a line as a runner of GitHub reads it.
type workflowCommand struct {
	name       string
	properties map[string]string
	data       string
}

// parseCommands reads the commands of a report, one for each result.
func parseCommands(tb testing.TB, text string, r *report.Report) []workflowCommand {
	tb.Helper()
	lines := strings.FieldsFunc(text, func(c rune) bool {
		return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", c)
	})
	if len(lines) != len(r.Results)+1 {
		tb.Fatalf("%d lines for %d results:\n%s", len(lines), len(r.Results), text)
	}
	noCommands(tb, lines[len(lines)-1])
	var all []workflowCommand
	for _, line := range lines[:len(r.Results)] {
		rest, begins := strings.CutPrefix(line, "::")
		head, data, ends := strings.Cut(rest, "::")
		name, list, _ := strings.Cut(head, " ")
		if !begins || !ends || name != "error" && name != "warning" && name != "notice" {
			tb.Fatalf("%q is no command", line)
		}
		c := workflowCommand{name: name, properties: map[string]string{}, data: unescape(data)}
		for property := range strings.SplitSeq(list, ",") {
			key, value, _ := strings.Cut(property, "=")
			if _, twice := c.properties[key]; twice {
				tb.Errorf("%q has %s twice", line, key)
			}
			c.properties[key] = unescape(value)
		}
		all = append(all, c)
	}
	return all
}

func unescape(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}

func TestGitHub_hostile(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Results = r.Results[:1]
	r.Results[0].Subject = "a,line=1::b:c%0A\n::error::d"
	r.Results[0].Message = "100%0A\r\n::warning::"
	r.Results[0].Fingerprint = ""
	got := parseCommands(t, write(t, r, report.GitHub), r)[0]
	want := workflowCommand{
		name: "error",
		properties: map[string]string{
			"file": "a,line=1::b:c%0A ::error::d", "line": "12", "col": "34",
			"title": "github-token",
		},
		data: "100%0A ::warning:: (ghp_…), at /attempts/0/learned\n" +
			"do: revoke it at github.com/settings/tokens, then leave it out of the packet",
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(workflowCommand{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGitLab_fingerprints holds that they differ and that they do not hang on what stands around.
func TestGitLab_fingerprints(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Results = append(r.Results, r.Results...)
	before := fingerprints(t, r)
	if len(before) != 12 {
		t.Fatalf("%d issues, want 12", len(before))
	}
	r.Results = r.Results[1:7]
	after := fingerprints(t, r)
	for _, fingerprint := range after {
		if !slices.Contains(before, fingerprint) {
			t.Errorf("without the first result %s is new", fingerprint)
		}
	}
}

func fingerprints(tb testing.TB, r *report.Report) []string {
	tb.Helper()
	var issues []struct{ Fingerprint string }
	if err := json.Unmarshal([]byte(write(tb, r, report.GitLab)), &issues); err != nil {
		tb.Fatal(err)
	}
	var all []string
	seen := map[string]bool{}
	for _, issue := range issues {
		if seen[issue.Fingerprint] {
			tb.Errorf("%s stands there twice", issue.Fingerprint)
		}
		seen[issue.Fingerprint] = true
		all = append(all, issue.Fingerprint)
	}
	return all
}
