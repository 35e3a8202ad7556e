package packet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

func stored(tb testing.TB, name string) *packet.Record {
	tb.Helper()
	r, err := packet.Parse(vector(tb, "valid", name+".json"), packet.Stored)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestRecord_Packet(t *testing.T) {
	t.Parallel()
	hash := "0123456789abcdef0123456789abcdef01234567"
	want := packet.Packet{
		Version:   "0.3",
		ID:        "01J9ZQ4M8T3V5X7Y9A1C3E5G7H",
		CreatedAt: time.Date(2024, 10, 12, 8, 30, 0, 0, time.UTC),
		Goal:      "Stop the nightly export from timing out.",
		NextStep:  "Run the export with a batch of 500.",
		Provenance: packet.Provenance{
			Agent: "an-agent", Model: "model-b", Host: "linux",
			AuthorHuman: "R. Okafor",
		},
		Anchor: packet.Anchor{
			Branch: "fix/export", Commit: hash, Tree: "76543210fedcba9876543210fedcba9876543210",
			MergeBase: strings.Repeat("ab", 32), Dirty: true,
		},
		Cites: []packet.Cite{
			{
				Path: "cmd/export/main.go", Line: 12, EndLine: 40, Commit: hash, Blob: hash,
				Note: "The loop that reads.",
			},
			{Path: "README.md"},
		},
		ExpiresAt:  time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC),
		Supersedes: []string{"01J9ZQ4M8T3V5X7Y9A1C3E5G7F"},
		Parents:    []string{"01J9ZQ4M8T3V5X7Y9A1C3E5G7E", "3f2b8c1e-0c5b-4f6e-9a57-1d1f3f6f2a10"},
		Paths:      []string{"cmd/export", ".github/workflows/nightly.yml"},
		Impact:     "critical",
		Origin:     "agent",
		Scan:       packet.Scan{Rules: "2026-05", Masked: 2, Overridden: []string{"abs-path"}},
	}
	if diff := cmp.Diff(want, stored(t, "version-0.3-full").Packet()); diff != "" {
		t.Errorf("Packet (-want +got):\n%s", diff)
	}
}

func TestRecord_Packet_published(t *testing.T) {
	t.Parallel()
	got := stored(t, "published-0.2-full").Packet()
	if got.ParentID != "01J9ZQ4M8T3V5X7Y9A1C3E5G7G" ||
		got.Project != (packet.Project{Name: "ledger-export", Ref: "main"}) {
		t.Errorf("parent %q, project %v", got.ParentID, got.Project)
	}
	if len(got.Constraints) != 2 || len(got.SuccessCriteria) != 1 || len(got.OpenQuestions) != 1 ||
		len(got.Tags) != 3 {
		t.Errorf("lists of %+v", got)
	}
	if d := got.Decisions; len(d) != 2 || !d[0].Locked || d[0].Consequences == "" || d[1].Locked {
		t.Errorf("decisions %+v", d)
	}
	if m := got.Methods; len(m) != 1 || m[0].Name != "find-the-slow-tenant" || m[0].WhenApplicable == "" ||
		m[0].How == "" {
		t.Errorf("methods %+v", m)
	}
	if a := got.Attempts; len(a) != 3 || a[0].Confidence != "high" || a[0].Learned == "" ||
		a[2].Tried != "Read from the replica." {
		t.Errorf("attempts %+v", a)
	}
}

// SPEC.
func TestAttempt_Failed(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[string]bool{
		"succeeded": false, "failed": true, "partial": true, "Succeeded": true, "succeeded, mostly": true,
		"builds, then crashes": true, "": true,
	} {
		if got := (packet.Attempt{Outcome: outcome}).Failed(); got != want {
			t.Errorf("Failed with the outcome %q = %v, want %v", outcome, got, want)
		}
	}
}

func TestCite_String(t *testing.T) {
	t.Parallel()
	for want, cite := range map[string]packet.Cite{
		"a/b.go":      {Path: "a/b.go", EndLine: 9},
		"a/b.go:3":    {Path: "a/b.go", Line: 3, EndLine: 3},
		"a/b.go:3-10": {Path: "a/b.go", Line: 3, EndLine: 10, Note: "n"},
	} {
		if got := cite.String(); got != want {
			t.Errorf("%#v is %q, want %q", cite, got, want)
		}
	}
}

func TestRecord_Event(t *testing.T) {
	t.Parallel()
	want := packet.Event{
		ID:         "01J9ZQ4M8T3V5X7Y9A1C3E5G7J",
		CreatedAt:  time.Date(2024, 10, 13, 8, 30, 0, 0, time.UTC),
		Event:      "supersede",
		Targets:    []string{"01J9ZQ4M8T3V5X7Y9A1C3E5G7H"},
		By:         []string{"01J9ZQ4M8T3V5X7Y9A1C3E5G7K"},
		Value:      "x",
		Why:        "The newer one has the numbers.",
		Provenance: packet.Provenance{Agent: "a", Host: "h"},
	}
	if diff := cmp.Diff(want, stored(t, "event-full").Event()); diff != "" {
		t.Errorf("Event (-want +got):\n%s", diff)
	}
	until := time.Date(2025, 1, 31, 23, 59, 59, 0, time.UTC)
	if got := stored(t, "event-allow").Event().ExpiresAt; !got.Equal(until) {
		t.Errorf("ExpiresAt = %v, want %v", got, until)
	}
}

// TestPacket_next holds SPEC: none is no step.
func TestPacket_next(t *testing.T) {
	t.Parallel()
	for step, want := range map[string]string{
		"none": "", "None": "", "none of it": "none of it",
		"Ship": "Ship",
	} {
		if got := (packet.Packet{NextStep: step}).Next(); got != want {
			t.Errorf("the next step of %q is %q, want %q", step, got, want)
		}
	}
}
