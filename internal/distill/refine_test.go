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

// unrefined is a draft with two attempts and a decision.
func unrefined() distill.Draft {
	return distill.From(transcript.Session{
		Prompts:   said("Port the parser to Go. Never touch main."),
		Commands:  []transcript.Command{ran("make one", 1, "error: one"), ran("make two", 2, "error: two")},
		Decisions: []transcript.Decision{{Kind: transcript.Answered, Question: "Which?", Text: "this"}},
	}, distill.Extra{})
}

// answered is an answer with some members in the place of empty ones.
func answered(t *testing.T, members map[string]any) []byte {
	t.Helper()
	all := map[string]any{"goal": "", "next_step": "", "attempts": []any{}, "decisions": []any{}, "constraints": []any{}, "open_questions": []any{}}
	maps.Copy(all, members)
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// about is what a model says of an attempt.
func about(number int, tried, outcome, learned string) map[string]any {
	return map[string]any{"number": number, "tried": tried, "outcome": outcome, "learned": learned}
}

func TestRefined(t *testing.T) {
	t.Parallel()
	d, err := distill.Refined(unrefined(), answered(t, map[string]any{
		"goal": "Port the parser\nto Go.", "next_step": "Port the lexer",
		"attempts":       []any{about(2, "something else", "succeeded", "two needs one"), about(0, "a table", "failed", "too large")},
		"decisions":      []any{map[string]any{"what": "One pass", "why": "it is simpler", "consequences": ""}},
		"open_questions": []any{"Who owns the lexer?"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	p := packetOf(t, d)
	want := packet.Packet{
		Goal: "Port the parser to Go.", NextStep: "Port the lexer", Constraints: []string{"Never touch main."}, OpenQuestions: []string{"Who owns the lexer?"},
		Decisions: []packet.Decision{{What: "One pass", Why: "it is simpler"}},
		Attempts:  []packet.Attempt{{Tried: "make two", Outcome: "failed", Learned: "two needs one"}, {Tried: "a table", Outcome: "failed", Learned: "too large"}},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("refined draft (-want +got):\n%s", diff)
	}
	const model = "the model that you named"
	origins := map[string]string{
		"/goal": model, "/next_step": model, "/attempts/0": "command, exit 2; learned: " + model, "/attempts/1": model, "/decisions": model,
		"/open_questions": model, "/constraints/0": "first prompt",
	}
	if diff := cmp.Diff(origins, d.Origins); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
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
		"no JSON":                      "{",
		"a list":                       "[]",
		"more behind it":               string(answered(t, nil)) + "{}",
		"an unknown member":            `{"goal":"","next_step":"","attempts":[],"decisions":[],"constraints":[],"open_questions":[],"id":"x"}`,
		"an unknown one below":         string(answered(t, map[string]any{"decisions": []any{map[string]any{"what": "x", "why": "y", "consequences": "", "locked": true}}})),
		"a missing member":             `{"goal":"x"}`,
		"null":                         `{"goal":null,"next_step":"","attempts":[],"decisions":[],"constraints":[],"open_questions":[]}`,
		"a wrong type":                 string(answered(t, map[string]any{"goal": 7})),
		"too long":                     string(answered(t, map[string]any{"goal": strings.Repeat("x", 1025)})),
		"too many":                     string(answered(t, map[string]any{"constraints": many})),
		"an attempt that is not there": string(answered(t, map[string]any{"attempts": []any{about(3, "", "failed", "x")}})),
		"one below none":               string(answered(t, map[string]any{"attempts": []any{about(-1, "", "failed", "x")}})),
		"one twice":                    string(answered(t, map[string]any{"attempts": []any{about(1, "", "failed", "x"), about(1, "", "failed", "y")}})),
		"another outcome":              string(answered(t, map[string]any{"attempts": []any{about(0, "x", "maybe", "y")}})),
		"control characters":           string(answered(t, map[string]any{"constraints": []any{"a\x1b[31mb"}})),
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
