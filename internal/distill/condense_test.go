package distill_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// step is one thing of a condensed session.
type step struct{ Who, Text string }

// condensedOf is what a model is told of a session.
func condensedOf(t *testing.T, s transcript.Session) (all []step, size int) {
	t.Helper()
	var told struct{ Session []step }
	if err := json.Unmarshal(distill.From(s, distill.Extra{}).Facts, &told); err != nil {
		t.Fatal(err)
	}
	for _, s := range told.Session {
		size += len(s.Who) + len(s.Text)
	}
	return told.Session, size
}

// TestFrom_condensed shows what a model is told, in order: what the person and the agent said, refusals,
// commits, failures.
func TestFrom_condensed(t *testing.T) {
	t.Parallel()
	all, _ := condensedOf(t, transcript.Session{
		Prompts: []transcript.Said{
			{Text: "Port the parser <b>", N: 1},
			{Text: "not that one", Corrects: true, N: 6},
		},
		Words: []transcript.Word{{Text: "I look.", N: 2}, {Text: "Done.", N: 9}},
		Commands: []transcript.Command{
			{Text: "make x", Failed: true, Output: "error: no rule", N: 3},
			{Text: "make y", N: 4},
		},
		Decisions: []transcript.Decision{{Kind: transcript.Rejected, Question: "Bash: rm x", N: 5}},
		Commits:   []transcript.Commit{{ID: "80492f8", Subject: "lex: read", N: 8}},
	})
	var got []string
	for _, s := range all {
		got = append(got, s.Who+": "+s.Text)
	}
	want := "person: Port the parser <b>|agent: I look.|failed: make x: error: no rule|person, refusing " +
		"Bash: rm x: no reason given|" +
		"person, correcting: not that one|commit: 80492f8 lex: read|agent: Done."
	if strings.Join(got, "|") != want {
		t.Errorf("condensed:\n%s\nwant:\n%s", strings.Join(got, "|"), want)
	}
}

// TestFrom_condensedIsBounded shows that what gives way first is a summary, and last what the person said.
func TestFrom_condensedIsBounded(t *testing.T) {
	t.Parallel()
	var s transcript.Session
	for i := range 400 {
		s.Words = append(s.Words, transcript.Word{Text: strings.Repeat("agent ", 300), N: 4 * i},
			transcript.Word{Text: strings.Repeat("summary ", 300), Summary: true, N: 4*i + 1})
	}
	s.Prompts = []transcript.Said{{Text: strings.Repeat("person ", 100), N: 2000}}
	all, size := condensedOf(t, s)
	text := ""
	for _, s := range all {
		text += s.Text
	}
	if size > 60<<10 || strings.Contains(text, "summary") || strings.Count(text, "person") != 100 ||
		strings.Count(text, "agent") < 400 {
		t.Errorf("%d bytes, %d words of the agent, %d of the person", size, strings.Count(text, "agent"),
			strings.Count(text, "person"))
	}
}
