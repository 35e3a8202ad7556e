package distill_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// expected is what a draft of a transcript has to say, as a person reads it there. Lists hold words that one
// item has.
type expected struct {
	Goal        string   `json:"goal"` // the words that the goal has to hold
	Kept        []string `json:"kept"` // commands that the attempts hold
	Dropped     []string `json:"dropped"`
	Decisions   []string `json:"decisions"`
	Constraints []string `json:"constraints"`
	Questions   []string `json:"questions"`
	Next        string   `json:"next"`   // "" where nothing was left
	Closed      bool     `json:"closed"` // surely nothing was left
	Outcome     string   `json:"outcome"`
	Corrected   []string `json:"corrected"` // what the summary tells of the person
	Absent      []string `json:"absent"`    // what the draft must not hold
}

// corpus reads the transcripts that the readers are tested with, and what is expected of each.
func corpus(t *testing.T) map[string]expected {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]expected
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// sessionOf reads one of them, masked as the memory masks it.
func sessionOf(t *testing.T, name string) transcript.Session {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "transcript", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	client, _, _ := strings.Cut(name, "/")
	if client == "claude" {
		client = string(transcript.ClaudeCode)
	}
	s, err := transcript.Read(t.Context(), file, transcript.Format(client))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(distill.Below(s))
	if err != nil {
		t.Fatal(err)
	}
	masked, _, err := redact.BuiltIn().Mask(data)
	if err != nil {
		t.Fatal(err)
	}
	s = transcript.Session{}
	if err := json.Unmarshal(masked, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestQuality compares drafts with what people read in the transcripts, which are written after classes of
// real sessions.
func TestQuality(t *testing.T) {
	t.Parallel()
	for name, want := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := distill.From(sessionOf(t, name), distill.Extra{})
			p := packetOf(t, d)
			if !holds(p.Goal, want.Goal) {
				t.Errorf("goal %q, want %q", p.Goal, want.Goal)
			}
			if next := cmp.Or(want.Next, "none"); !holds(plainStep(p), next) {
				t.Errorf("next step %q, want %q", p.NextStep, next)
			}
			if closed := p.NextStep == packet.NoNextStep; closed != want.Closed {
				t.Errorf("next step %q; is it closed: %t", p.NextStep, closed)
			}
			if !holds(p.Outcome, want.Outcome) {
				t.Errorf("outcome %q, want %q", p.Outcome, want.Outcome)
			}
			var tried, made []string
			for _, a := range p.Attempts {
				tried = append(tried, a.Tried)
			}
			for _, m := range p.Decisions {
				made = append(made, m.What)
			}
			all := func(kind string, got, want []string) {
				for _, w := range want {
					if !slices.ContainsFunc(got, func(g string) bool { return holds(g, w) }) {
						t.Errorf("%s: %q is not among %q", kind, w, got)
					}
				}
			}
			all("attempts", tried, want.Kept)
			all("decisions", made, want.Decisions)
			all("constraints", p.Constraints, want.Constraints)
			all("open questions", p.OpenQuestions, want.Questions)
			all("summary", strings.Split(d.Summary, "\n"), want.Corrected)
			if len(tried) != len(want.Kept) {
				t.Errorf("attempts %q, want %d; %q are none", tried, len(want.Kept), want.Dropped)
			}
			clean(t, name, d, want)
		})
	}
}

// holds tells whether a text says what it should.
func holds(got, want string) bool {
	return strings.Contains(strings.ToLower(got), strings.ToLower(want))
}

// clean fails for a draft that holds a secret, or a word that git ltm told the session.
func clean(t *testing.T, name string, d distill.Draft, want expected) {
	t.Helper()
	data, err := json.Marshal(struct {
		Packet  json.RawMessage
		Origins map[string]string
		Summary string
	}{d.Packet, d.Origins, d.Summary})
	if err != nil {
		t.Fatal(err)
	}
	found, err := redact.BuiltIn().Scan(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range redact.Blocking(found) {
		t.Errorf("%s: the draft holds a secret: %s", name, f)
	}
	for _, text := range append(want.Absent, "<ltm-", "additionalContext", "hook_context", "system-reminder",
		"QUINCE") {
		if strings.Contains(string(data), text) {
			t.Errorf("%s: the draft holds %q", name, text)
		}
	}
}
