package packet_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// SPEC.
func TestNoteKind(t *testing.T) {
	t.Parallel()
	words := map[string]string{
		"insight": "learning", "learnings": "learning",
		"friction":    "pitfall",
		"instruction": "procedure", "playbook": "procedure", "pattern": "procedure",
		"observation": "fact", "project": "fact",
		"emotional": "preference", "rule": "preference", "standard": "preference", "user": "preference",
		"feedback":      "preference",
		"architectural": "decision",
		"achievements":  "achievement",
		"glossary":      "reference", "context": "reference", "summary": "reference",
	}
	for _, kind := range packet.NoteKinds() {
		words[kind] = kind
	}
	for word, want := range words {
		for _, spelling := range []string{word, strings.ToUpper(word), strings.ToUpper(word[:1]) + word[1:]} {
			if got, ok := packet.NoteKind(spelling); got != want || !ok {
				t.Errorf("NoteKind(%q) = %q, %v, want %q", spelling, got, ok, want)
			}
		}
	}
}

// TestNoteKind_none has words that hold the name of a kind or of an alias, and
// what other systems took them for.
// SPEC.
func TestNoteKind_none(t *testing.T) {
	t.Parallel()
	for _, word := range []string{
		"likely", "rapid", "mustard", "abandoned", "", " ", "fact ", " fact", "facts", "note", "skip",
		"packet", "event", "decision,", "insights",
		"ruler", "users", "patterns", "critical", "must", "api", "done", "session_summary", "task\n",
		"identity\u200b", "fаct",
	} {
		if got, ok := packet.NoteKind(word); ok || got != "" {
			t.Errorf("NoteKind(%q) = %q, %v, want none", word, got, ok)
		}
	}
}

// TestNoteKinds holds that a note may be of each kind, and of no alias of one.
func TestNoteKinds(t *testing.T) {
	t.Parallel()
	want := []string{
		"decision", "learning", "procedure", "pitfall", "preference", "reference", "achievement", "fact",
		"task", "identity",
	}
	if diff := cmp.Diff(want, packet.NoteKinds()); diff != "" {
		t.Errorf("NoteKinds (-want +got):\n%s", diff)
	}
	for _, kind := range packet.NoteKinds() {
		if got := draft(t, note(`"kind":"`+kind+`"`)).Content().Items; len(got) != 1 || got[0].Kind != kind {
			t.Errorf("a note of the kind %q has the items %+v", kind, got)
		}
	}
	for _, alias := range []string{"insight", "FACT", "playbook"} {
		if _, err := packet.Parse([]byte(note(`"kind":"`+alias+`"`)), packet.Draft); err == nil {
			t.Errorf("a note of the kind %q is accepted, want it refused", alias)
		}
	}
}

// TestWords holds that a caller cannot change the tables.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, words := range map[string]func() []string{
		"NoteKinds": packet.NoteKinds, "TaskCategories": packet.TaskCategories,
		"TaskStatuses": packet.TaskStatuses,
	} {
		before := slices.Clone(words())
		words()[0] = "changed"
		if diff := cmp.Diff(before, words()); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
}

// shared is what the full note and the full skip both have.
func shared() (packet.Anchor, packet.Scan, packet.Provenance, []packet.Cite) {
	hash := "0123456789abcdef0123456789abcdef01234567"
	return packet.Anchor{
			Branch: "fix/export", Commit: hash, Tree: "76543210fedcba9876543210fedcba9876543210",
			MergeBase: strings.Repeat("ab", 32), Dirty: true,
		},
		packet.Scan{Rules: "2026-05", Masked: 2, Overridden: []string{"abs-path"}},
		packet.Provenance{
			Agent: "an-agent", Model: "model-b", Host: "linux", AuthorModel: "model-b",
			AuthorHuman: "Ada Tester",
			SourceHash:  "sha256:" + strings.Repeat("0f", 32), Confidence: "high",
		},
		[]packet.Cite{
			{
				Path: "cmd/export/main.go", Line: 12, EndLine: 40, Commit: hash, Blob: hash,
				Note: "The loop that reads.",
			},
			{Path: "README.md"},
		}
}

func TestRecord_Note(t *testing.T) {
	t.Parallel()
	anchor, scan, provenance, cites := shared()
	want := packet.Note{
		ID:         "01J9ZQ4M8T3V5X7Y9A1C3E5G7N",
		CreatedAt:  time.Date(2024, 10, 13, 8, 30, 0, 0, time.UTC),
		Kind:       "procedure",
		Text:       "Read the largest tenant through a server-side cursor:\n\tset the batch to 500 first.",
		Why:        "The driver keeps the whole result in memory otherwise.",
		Topic:      "warehouse/snow_flake/v2-1",
		Tags:       []string{"export", "batch-size"},
		Impact:     "high",
		Confidence: "medium",
		ExpiresAt:  time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC),
		Cites:      cites,
		Links:      []string{"01J9ZQ4M8T3V5X7Y9A1C3E5G7H", "3f2b8c1e-0c5b-4f6e-9a57-1d1f3f6f2a10"},
		Anchor:     anchor,
		Origin:     "agent",
		Scan:       scan,
		Provenance: provenance,
	}
	if diff := cmp.Diff(want, stored(t, "note-full").Note()); diff != "" {
		t.Errorf("Note (-want +got):\n%s", diff)
	}
}

func TestRecord_Note_task(t *testing.T) {
	t.Parallel()
	want := packet.Note{
		ID:         "01J9ZQ4M8T3V5X7Y9A1C3E5G7N",
		CreatedAt:  time.Date(2024, 10, 13, 8, 30, 0, 0, time.UTC),
		Kind:       packet.NoteTask,
		Text:       "Measure the export of the largest tenant.",
		Category:   "waiting_for",
		Status:     "paused",
		Priority:   10,
		NextAction: "Ask for an account on the staging database.",
		ExpiresAt:  time.Date(2024, 12, 31, 23, 59, 59, 0, time.UTC),
	}
	if diff := cmp.Diff(want, stored(t, "note-task").Note()); diff != "" {
		t.Errorf("Note (-want +got):\n%s", diff)
	}
}

func TestRecord_Skip(t *testing.T) {
	t.Parallel()
	anchor, scan, provenance, cites := shared()
	want := packet.Skip{
		ID:         "01J9ZQ4M8T3V5X7Y9A1C3E5G7S",
		CreatedAt:  time.Date(2024, 10, 13, 8, 30, 0, 0, time.UTC),
		Item:       "Do not raise the statement timeout.",
		Match:      packet.Match{Words: "statement timeout", Path: "cmd/export/**/*.go", Command: "psql -c"},
		Reason:     "The proxy cuts the connection at ten minutes.",
		ExpiresAt:  time.Date(2025, 1, 31, 23, 59, 59, 0, time.UTC),
		Tags:       []string{"export"},
		Cites:      cites,
		Anchor:     anchor,
		Origin:     "agent",
		Scan:       scan,
		Provenance: provenance,
	}
	if diff := cmp.Diff(want, stored(t, "skip-full").Skip()); diff != "" {
		t.Errorf("Skip (-want +got):\n%s", diff)
	}
	if got := stored(t, "skip-match-empty").Skip().Match; got != (packet.Match{}) {
		t.Errorf("an empty match is %+v", got)
	}
}

// TestSkip_span holds that the time of a stored skip is judged when both its
// ends are known, in a draft too.
// SPEC.
func TestSkip_span(t *testing.T) {
	t.Parallel()
	made := time.Date(2024, 10, 13, 8, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		end  time.Time
		fits bool
	}{
		{"a second before", made.Add(-time.Second), false},
		{"at once", made, true},
		{"a year", made.AddDate(1, 0, 0), true},
		{"the longest", made.Add(packet.MaxSkip), true},
		{"a second longer", made.Add(packet.MaxSkip + time.Second), false},
	} {
		r := draft(t, `{"type":"skip","item":"i","reason":"r","expires_at":"`+tt.end.Format(time.RFC3339)+
			`"}`)
		if err := r.Set("created_at", made); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(packet.Draft); (err == nil) != tt.fits {
			t.Errorf("%s: Validate: %v, want it accepted: %v", tt.name, err, tt.fits)
		}
	}
}
