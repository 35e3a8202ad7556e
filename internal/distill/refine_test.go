package distill_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// unrefined is a draft with an attempt and a decision.
func unrefined() distill.Draft {
	return distill.From(transcript.Session{
		Prompts:  said("Port the parser to Go. Never touch main. See #12 and docs/grammar.md."),
		Commands: []transcript.Command{ran("make one", 1, "error: one"), ran("make one", 1, "error: one")},
		Decisions: []transcript.Decision{
			{Kind: transcript.Answered, Question: "Which?", Text: "this"},
			{Kind: transcript.Rejected, Question: "Bash: git push --force"},
			{Kind: transcript.Unknown, Question: "# Move it to Rust"},
		},
		Last: "The parser reads numbers at 80492f8.",
	}, distill.Extra{})
}

// answered is an answer with some members in the place of empty ones.
func answered(t *testing.T, members map[string]any) []byte {
	t.Helper()
	all := map[string]any{
		"goal": "", "outcome": "", "next_step": "", "attempts": []any{},
		"decisions": []any{}, "constraints": []any{}, "open_questions": []any{},
	}
	maps.Copy(all, members)
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// about is what a model says of an attempt, and settled of a decision.
func about(tried, outcome, learned string) map[string]any {
	return map[string]any{"tried": tried, "outcome": outcome, "learned": learned}
}

func settled(what, why string) map[string]any {
	return map[string]any{"what": what, "why": why, "consequences": ""}
}

func TestRefined(t *testing.T) {
	t.Parallel()
	d, err := distill.Refined(unrefined(), answered(t, map[string]any{
		"goal": "Port the parser\nto Go.", "next_step": "Port the lexer",
		"outcome": "Numbers are read (80492f8).",
		"attempts": []any{
			about("make one", "failed", "one needs two"),
			about("a table", "failed", "too large"),
		},
		"decisions":      []any{settled("One pass", "it is simpler")},
		"open_questions": []any{"Who owns the lexer?"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	p := packetOf(t, d)
	want := packet.Packet{
		Goal: "Port the parser to Go.", NextStep: "Port the lexer", Outcome: "Numbers are read (80492f8).",
		Constraints: []string{"Never touch main."}, OpenQuestions: []string{"Who owns the lexer?"},
		Decisions: []packet.Decision{{What: "One pass", Why: "it is simpler"}},
		Attempts: []packet.Attempt{
			{
				Tried: "make one", Outcome: "failed", Learned: "one needs two",
				Match: packet.Match{Command: "make one"},
			},
			{Tried: "a table", Outcome: "failed", Learned: "too large"},
		},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("refined draft (-want +got):\n%s", diff)
	}
	const model = "the model that you named"
	origins := map[string]string{
		"/goal": model, "/outcome": model, "/next_step": model, "/attempts": model, "/decisions": model,
		"/open_questions": model, "/constraints/0": "first prompt",
	}
	if diff := cmp.Diff(origins, d.Origins); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
}

// TestRefined_grounds holds SPEC: what a model says without ground is left out, and the rest stays.
func TestRefined_grounds(t *testing.T) {
	t.Parallel()
	before := unrefined()
	d, err := distill.Refined(before, answered(t, map[string]any{
		"goal":      "Port the parser of src/parse/lex.go",
		"outcome":   "git push --force ran",
		"next_step": "Look at #12",
		"attempts": []any{
			about("git push --force", "succeeded", ""),
			about("a table", "failed", "see deadbeef1"),
		},
		"decisions": []any{
			settled("Move it to Rust", "the plan was approved"),
			settled("Do not move it to Rust", "the person refused"),
			settled("Read docs/grammar.md", "LEX-108 says so"),
		},
		"constraints":    []any{"Keep docs/grammar.md", "Keep docs/other.md"},
		"open_questions": []any{"Who owns and/or reads it?"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	p, was := packetOf(t, d), packetOf(t, before)
	want := packet.Packet{
		Goal: was.Goal, NextStep: "Look at #12", Outcome: was.Outcome, Attempts: was.Attempts,
		Decisions:   []packet.Decision{{What: "Do not move it to Rust", Why: "the person refused"}},
		Constraints: []string{"Keep docs/grammar.md"}, OpenQuestions: []string{"Who owns and/or reads it?"},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("refined draft (-want +got):\n%s", diff)
	}
}

// TestRefined_completes shows that an answer may lack members: they stay as the rules made them.
func TestRefined_completes(t *testing.T) {
	t.Parallel()
	d, err := distill.Refined(unrefined(), []byte(`{"goal":"Port it all","decisions":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if p := packetOf(t, d); p.Goal != "Port it all" || len(p.Decisions) != 1 || len(p.Constraints) != 1 {
		t.Errorf("completed draft: %+v", p)
	}
}

func TestRefined_saysNothing(t *testing.T) {
	t.Parallel()
	before := unrefined()
	d, err := distill.Refined(before, answered(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, d); diff != "" {
		t.Errorf("an answer that says nothing changes the draft (-before +after):\n%s", diff)
	}
}

// TestRefined_refuses holds SPEC.
func TestRefined_refuses(t *testing.T) {
	t.Parallel()
	many := make([]any, 25)
	for i := range many {
		many[i] = "x"
	}
	for name, text := range map[string]string{
		"no JSON":           "{",
		"a list":            "[]",
		"more behind it":    string(answered(t, nil)) + "{}",
		"an unknown member": `{"goal":"","next_step":"","attempts":[],"decisions":[],"constraints":[],"open_questions":[],"id":"x"}`,
		"an unknown one below": string(
			answered(t, map[string]any{"decisions": []any{map[string]any{
				"what": "x", "why": "y",
				"consequences": "", "locked": true,
			}}})),
		"a wrong type": string(answered(t, map[string]any{"goal": 7})),
		"too long":     string(answered(t, map[string]any{"goal": strings.Repeat("x", 1025)})),
		"too many":     string(answered(t, map[string]any{"constraints": many})),
		"another outcome": string(
			answered(t, map[string]any{"attempts": []any{about("x", "maybe", "y")}})),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d, err := distill.Refined(unrefined(), []byte(text)); !errors.Is(err, distill.ErrAnswer) {
				t.Errorf("Refined takes %.80q: %s, %v", text, d.Packet, err)
			}
		})
	}
}

// TestSchema shows that the schema is JSON, wants every member and knows no other, as strict endpoints ask.
func TestSchema(t *testing.T) {
	t.Parallel()
	var walk func(path string, node map[string]any)
	walk = func(path string, node map[string]any) {
		if node["type"] == "array" {
			items, _ := node["items"].(map[string]any)
			walk(path+"[]", items)
		}
		if node["type"] != "object" {
			return
		}
		properties, _ := node["properties"].(map[string]any)
		required, _ := node["required"].([]any)
		if node["additionalProperties"] != false || len(required) != len(properties) {
			t.Errorf("%s takes other members, or wants %d of %d", path, len(required), len(properties))
		}
		for name, below := range properties {
			one, _ := below.(map[string]any)
			walk(path+"/"+name, one)
		}
	}
	var schema map[string]any
	if err := json.Unmarshal([]byte(distill.Schema), &schema); err != nil {
		t.Fatal(err)
	}
	walk("", schema)
}
