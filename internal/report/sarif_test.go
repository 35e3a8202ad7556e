package report_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-ltm/git-ltm/internal/report"
)

// oasis returns the schema of SARIF. See testdata/report/README.md.
func oasis(tb testing.TB) *jsonschema.Schema {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "report", "sarif-schema-2.1.0.json"))
	if err != nil {
		tb.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const id = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if err := c.AddResource(id, doc); err != nil {
		tb.Fatal(err)
	}
	return c.MustCompile(id)
}

func validate(tb testing.TB, schema *jsonschema.Schema, text string) {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		tb.Fatalf("no JSON: %v\n%s", err, text)
	}
	if err := schema.Validate(doc); err != nil {
		tb.Errorf("no SARIF: %v\n%s", err, text)
	}
}

func TestSARIF_schema(t *testing.T) {
	t.Parallel()
	schema := oasis(t)
	bare := sample()
	bare.Rules, bare.Subjects, bare.Results, bare.Home = nil, nil, nil, ""
	odd := hostile()
	odd.Results[0].Rule = "a rule that is not of the report"
	odd.Results[0].Region = report.Region{Line: -1, Column: -1, EndLine: -1, EndColumn: -1}
	odd.Results[1].Region = report.Region{Line: 2, Column: -1, EndLine: -1, EndColumn: -1}
	for _, r := range []*report.Report{sample(), bare, odd, large(10_000)} {
		validate(t, schema, write(t, r, report.SARIF))
	}
}

// TestSARIF_schema_refuses shows that the schema would notice.
func TestSARIF_schema_refuses(t *testing.T) {
	t.Parallel()
	schema := oasis(t)
	text := write(t, sample(), report.SARIF)
	for _, change := range [][2]string{
		{`"level":"error"`, `"level":"block"`},
		{`"startLine":1}`, `"startLine":0}`},
		{`"uri":"refs/ltm/odd%20name"`, `"uri":"refs/ltm/odd%name"`},
		{`"startTimeUtc":"2026-`, `"startTimeUtc":"26-`},
		{`"kind":"external"`, `"kind":"baseline"`},
	} {
		changed := strings.ReplaceAll(text, change[0], change[1])
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(changed))
		if err != nil {
			t.Fatal(err)
		}
		if changed == text || schema.Validate(doc) == nil {
			t.Errorf("%s for %s is valid", change[1], change[0])
		}
	}
}

// A log is what tests look at in SARIF.
type log struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID         string
					Properties map[string]any
				}
			}
		}
		Results []struct {
			RuleID    string
			RuleIndex *int
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				LogicalLocations []struct{ FullyQualifiedName string }
			}
			Suppressions []any
		}
	}
}

func parseLog(tb testing.TB, text string) log {
	tb.Helper()
	var l log
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		tb.Fatalf("%v\n%s", err, text)
	}
	return l
}

func TestSARIF_rules(t *testing.T) {
	t.Parallel()
	run := parseLog(t, write(t, sample(), report.SARIF)).Runs[0]
	for i, result := range run.Results {
		if result.RuleIndex == nil || run.Tool.Driver.Rules[*result.RuleIndex].ID != result.RuleID {
			t.Errorf("result %d of rule %s points to another rule", i, result.RuleID)
		}
		if result.Suppressions == nil {
			t.Errorf("result %d does not say whether it is suppressed", i)
		}
	}
	for _, rule := range run.Tool.Driver.Rules {
		_, severe := rule.Properties["security-severity"].(string)
		if secret := rule.ID == "github-token" || rule.ID == "email"; severe != secret {
			t.Errorf("rule %s has a severity for security: %v, want %v", rule.ID, severe, secret)
		}
	}
}

// TestSARIF_uri holds that each subject comes back out of its URI, and is nothing but a path there.
func TestSARIF_uri(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		first:                  first,
		"-":                    "stdin",
		"a b/ü.json":           "a%20b/%C3%BC.json",
		"https://host/x":       "https%3A//host/x",
		"javascript:alert(1)":  "javascript%3Aalert%281%29",
		"a?b#c%20":             "a%3Fb%23c%2520",
		"../up":                "../up",
		"/etc/x":               "file:///etc/x",
		"//host/share":         "file:////host/share",
		"c:\\x\n\x1b\u202e":    "c%3A%5Cx%0A%1B%E2%80%AE",
		"not UTF-8 \xff":       "not%20UTF-8%20%FF",
		"unreserved-._~/09azZ": "unreserved-._~/09azZ",
	}
	for subject, want := range tests {
		r := sample()
		r.Results = []report.Result{{
			Rule: "format", Area: report.Record, Level: report.Error,
			Subject: subject, Message: "m",
		}}
		got := parseLog(t, write(t, r,
			report.SARIF)).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
		if got != want {
			t.Errorf("the URI of %q is %q, want %q", subject, got, want)
		}
		u, err := url.Parse(got)
		if err != nil {
			t.Errorf("%q: %v", subject, err)
			continue
		}
		if subject != "-" && u.Path != subject || u.Host != "" || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("the URI of %q is read as %+v", subject, u)
		}
	}
}

// TestSARIF_message holds that nothing in a message is a link or a placeholder.
func TestSARIF_message(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Results = r.Results[:1]
	r.Results[0].Message, r.Results[0].Mask, r.Results[0].Pointer = `[see](https://evil.example) {0} \`, "",
		""
	r.Results[0].Advice = "one\ntwo\x1b[31m\u202e"
	got := parseLog(t, write(t, r, report.SARIF)).Runs[0].Results[0].Message.Text
	if want := `\[see\](https://evil.example) {{0}} \\. What to do: one two`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
