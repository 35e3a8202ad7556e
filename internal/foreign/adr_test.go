package foreign_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/foreign"
)

// A decision that was replaced, refused or not taken yet is left out, in each way in which people say so; one in
// force is read.
func TestParse_decisionStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]bool{
		"Accepted": true, "": true, "**Approved** on 2026-03-01": true, "Accepted (was proposed)": true,
		"~~Proposed~~ | **Accepted** | ~~Superseded~~":   true,
		"Accepted, superseded in part by [ADR 2](2.md)":  true,
		"Superceded by [10. Use cranes](0010-cranes.md)": false, "Replaced by ADR-7": false,
		"Accepted\n\nSuperseded by [4. Use barges](4.md)": false, "Proposed": false, "OPEN": false,
		"Obsoleted by ADR-3": false, "Retired": false, "On the desk of the harbour master": false,
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			text := "# 9. Load by hand\n\n## Status\n\n" + status + "\n\n## Context\n\nNo crane.\n\n## Decision\n\nWe carry.\n"
			read, err := foreign.Parse(foreign.ADR, "0009-load.md", []byte(text), options())
			if err != nil || (len(read.Drafts) == 1) != want || len(read.Drafts)+len(read.Problems) != 1 {
				t.Errorf("%d drafts, problems %v, %v; want in force: %t", len(read.Drafts), read.Problems, err, want)
			}
		})
	}
}

// A form that nobody filled in, an example within a code block and a comment are no decision.
func TestParse_decisionForm(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"template.md": "# Title\n\n## Status\n\nAccepted\n\n## Decision\n\nWe ...\n",
		"0000.md":     "# {short title}\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\ny\n",
		"0001.md":     "# 1. Boats\n\n## Status\n\nAccepted\n\n## Decision\n\n<!-- what you decided -->\n",
	} {
		read, err := foreign.Parse(foreign.ADR, name, []byte(text), options())
		if err != nil || len(read.Drafts) != 0 || len(read.Problems) != 1 {
			t.Errorf("%s: %d drafts, problems %v, %v", name, len(read.Drafts), read.Problems, err)
		}
	}
	text := "---\ntitle: Sort by draught\ndeciders: [Ada, Bob]\nstatus: accepted\n---\n## Decision Outcome\n\nBy draught.\n\n" +
		"```md\n## Decision Outcome\nan example\n## Consequences\nnone\n```\n"
	read, err := foreign.Parse(foreign.ADR, "2.md", []byte(text), options())
	if err != nil || len(read.Drafts) != 1 {
		t.Fatalf("%v, problems %v, %v", read.Drafts, read.Problems, err)
	}
	for _, want := range []string{"Sort by draught", "By draught.", `"author_human": "Ada"`, "an example"} {
		if !strings.Contains(string(read.Drafts[0].Data), want) {
			t.Errorf("it has no %q:\n%s", want, read.Drafts[0].Data)
		}
	}
}

// Front matter that Claude writes without quotation marks is read, with a colon and a number sign in it; what is
// about a person is private.
func TestParse_claudeFront(t *testing.T) {
	t.Parallel()
	text := "---\nname: Rule: knots first\ndescription: He said: check knots, see issue #7 first\nmetadata:\n  type: user\n---\nKnots.\n"
	for _, text := range []string{text, strings.NewReplacer("Rule: ", "", "said: ", "").Replace(text)} {
		read, err := foreign.Parse(foreign.Markdown, "knots.md", []byte(text), options())
		if err != nil || len(read.Drafts) != 1 {
			t.Fatalf("%v, problems %v, %v", read.Drafts, read.Problems, err)
		}
		d := read.Drafts[0]
		if !strings.Contains(string(d.Data), "issue #7 first.") || !d.Private {
			t.Errorf("private: %t\n%s", d.Private, d.Data)
		}
	}
}

// An issue of beads is one by what it has, whatever the type is called; what is no work is left out.
func TestParse_beadForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`{"id":"b-1","title":"Tar \u001b[1m\u001b[31mthe\u001b[0m hull","status":"open","type":"task","creator":"Ada"}`: 1,
		`{"id":"b-2","title":"Role","status":"open","issue_type":"task","labels":["gt:role"]}`:                          0,
		`{"id":"b-3","title":"Gone soon","status":"open","issue_type":"task","ephemeral":1}`:                            0,
	} {
		format, err := foreign.Detect("issues.jsonl", []byte(text))
		if err != nil || format != foreign.Beads {
			t.Errorf("%s: %s, %v", text, format, err)
		}
		read, err := foreign.Parse(foreign.Beads, "issues.jsonl", []byte(text), options())
		if err != nil || len(read.Drafts) != want {
			t.Errorf("%s: %d drafts, %v, %v", text, len(read.Drafts), read.Problems, err)
		}
		if want == 1 && !strings.Contains(string(read.Drafts[0].Data), "Tar the hull") {
			t.Errorf("%s", read.Drafts[0].Data)
		}
	}
}
