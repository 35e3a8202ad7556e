package distill_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// expected is what a draft of a transcript has to say, as a person reads it there.
type expected struct {
	Goal   string   `json:"goal"`   // the words that the goal has to hold; "" where the session states none
	Failed []string `json:"failed"` // commands that lead to a dead end, in words that what was tried holds
	Mended []string `json:"mended"` // commands that failed and were mended later, or that only looked: the draft holds none of them
	Next   string   `json:"next"`   // words of the next step; "" where the session states none
	Absent []string `json:"absent"` // what git ltm told, and what else the draft must not hold
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
	data, err := json.Marshal(distill.Below(distill.Whole(s)))
	if err != nil {
		t.Fatal(err)
	}
	masked, _, err := redact.Mask(data)
	if err != nil {
		t.Fatal(err)
	}
	s = transcript.Session{}
	if err := json.Unmarshal(masked, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestQuality measures drafts against what people read in the transcripts. The bounds are those of the project: the goal is right
// in four of five sessions, nine of ten dead ends are found, and no draft holds a secret or a word that git ltm told.
func TestQuality(t *testing.T) {
	t.Parallel()
	all := corpus(t)
	goals, ends, found, wrong, nexts, told := 0, 0, 0, 0, 0, 0
	for name, want := range all {
		d := distill.From(sessionOf(t, name), distill.Extra{})
		p := packetOf(t, d)
		if holds(p.Goal, want.Goal) {
			goals++
		} else {
			t.Logf("%s: goal %q, want %q", name, p.Goal, want.Goal)
		}
		var tried []string
		for _, a := range p.Attempts {
			tried = append(tried, a.Tried)
		}
		for _, f := range want.Failed {
			if ends++; strings.Contains(strings.Join(tried, "\n"), f) {
				found++
			} else {
				t.Logf("%s: the dead end %q is not among %q", name, f, tried)
			}
		}
		for _, f := range want.Mended {
			if strings.Contains(strings.Join(tried, "\n"), f) {
				wrong++
				t.Errorf("%s: %q is no dead end, and the draft holds it", name, f)
			}
		}
		if told++; holds(p.NextStep, want.Next) {
			nexts++
		} else {
			t.Logf("%s: next step %q, want %q", name, p.NextStep, want.Next)
		}
		clean(t, name, d, want)
	}
	t.Logf("%d transcripts: goal right in %d, %d of %d dead ends found, %d that are none, next step right in %d of %d", len(all), goals, found, ends, wrong, nexts, told)
	if goals*10 < len(all)*8 {
		t.Errorf("the goal is right in %d of %d transcripts, want four of five", goals, len(all))
	}
	if found*10 < ends*9 {
		t.Errorf("%d of %d dead ends are found, want nine of ten", found, ends)
	}
}

// holds tells whether a text says what it should, or nothing where it should not.
func holds(got, want string) bool {
	if want == "" {
		return got == ""
	}
	return strings.Contains(strings.ToLower(got), strings.ToLower(want))
}

// clean fails for a draft that holds a secret, or a word that git ltm told the session.
func clean(t *testing.T, name string, d distill.Draft, want expected) {
	t.Helper()
	data, err := json.Marshal(struct {
		Packet, Facts json.RawMessage
		Origins       map[string]string
		Summary       string
	}{d.Packet, d.Facts, d.Origins, d.Summary})
	if err != nil {
		t.Fatal(err)
	}
	found, err := redact.Scan(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range redact.Blocking(found) {
		t.Errorf("%s: the draft holds a secret: %s", name, f)
	}
	for _, text := range append(want.Absent, "<ltm-", "additionalContext", "hook_context", "system-reminder", "QUINCE") {
		if strings.Contains(string(data), text) {
			t.Errorf("%s: the draft holds %q", name, text)
		}
	}
}
