package packet

import (
	"slices"
	"strings"
	"time"
)

// Note is a view of a record that holds one small fact. What the note leaves
// out is the zero value here.
type Note struct {
	ID                           string
	CreatedAt                    time.Time
	Kind                         string // one of NoteKinds
	Text, Why, Topic             string
	Tags                         []string
	Impact, Confidence           string
	Category, Status, NextAction string // of a task
	Priority                     int    // of a task; the greatest comes first
	ExpiresAt                    time.Time
	Cites                        []Cite
	Links                        []string
	Match                        Match
	Anchor                       Anchor
	Origin                       string
	Scan                         Scan
	Provenance                   Provenance
}

// The kinds of notes that are treated in a way of their own.
const (
	NoteTask     = "task"
	NoteIdentity = "identity"
)

//nolint:gochecknoglobals // Tables that nobody writes to.
var (
	noteKinds = []string{
		"decision", "learning", "procedure", "pitfall", "preference", "reference", "achievement", "fact", NoteTask, NoteIdentity,
	}
	categories = []string{"active_work", "standing_decision", "waiting_for", "session_note"}
	statuses   = []string{"active", "paused", "completed", "archived"}

	noteShape = shape{fields: []field{
		{name: typeMember, form: formWord, words: []string{string(KindNote)}, needed: true},
		{name: "id", form: formID, needed: true, stamped: true},
		{name: "created_at", form: formTime, needed: true, stamped: true},
		{name: "kind", form: formWord, words: noteKinds, needed: true},
		{name: "text", form: formText, least: 1, most: noteText, needed: true},
		{name: "why", form: formText, most: longText},
		{name: "topic", form: formTopic, least: 1, most: 256},
		{name: "tags", form: formSlug, most: 32, items: 16},
		{name: "impact", form: formWord, words: impacts},
		{name: "confidence", form: formWord, words: confidences},
		{name: "category", form: formWord, words: categories},
		{name: "status", form: formWord, words: statuses},
		{name: "priority", form: formCount, limit: mostPriority},
		{name: "next_action", form: formText, most: longText},
		{name: "expires_at", form: formTime},
		{name: "cites", form: formObject, object: &citeShape, items: 64},
		{name: "links", form: formLine, least: 10, most: 64, items: 32},
		{name: "match", form: formObject, object: &matchShape},
		{name: "anchor", form: formObject, object: &anchorShape},
		{name: "origin", form: formWord, words: origins},
		{name: "scan", form: formObject, object: &scanShape},
		{name: "provenance", form: formObject, object: &provenanceShape},
	}}
)

// The bounds of a note.
const (
	noteText     = 2048 // characters of its text
	mostPriority = 10
)

// NoteKinds returns the kinds of notes.
func NoteKinds() []string { return slices.Clone(noteKinds) }

// TaskCategories returns what a task may be.
func TaskCategories() []string { return slices.Clone(categories) }

// TaskStatuses returns how far a task may be.
func TaskStatuses() []string { return slices.Clone(statuses) }

// NoteKind returns the kind of note that a word means, in any case: a kind, or
// what another system of memory calls it.
func NoteKind(word string) (kind string, known bool) {
	word = strings.ToLower(word)
	if slices.Contains(noteKinds, word) {
		return word, true
	}
	switch word {
	case "architectural":
		return "decision", true
	case "insight", "learnings":
		return "learning", true
	case "instruction", "playbook", "pattern":
		return "procedure", true
	case "friction":
		return "pitfall", true
	case "emotional", "rule", "standard", "user", "feedback":
		return "preference", true
	case "glossary", "context", "summary":
		return "reference", true
	case "achievements":
		return "achievement", true
	case "observation", "project":
		return "fact", true
	}
	return "", false
}

// Note returns the view of a valid note.
func (r *Record) Note() Note {
	o := r.root
	return Note{
		ID:         o.text("id"),
		CreatedAt:  o.time("created_at"),
		Kind:       o.text("kind"),
		Text:       o.text("text"),
		Why:        o.text("why"),
		Topic:      o.text("topic"),
		Tags:       o.texts("tags"),
		Impact:     o.text("impact"),
		Confidence: o.text("confidence"),
		Category:   o.text("category"),
		Status:     o.text("status"),
		Priority:   o.count("priority"),
		NextAction: o.text("next_action"),
		ExpiresAt:  o.time("expires_at"),
		Cites:      views(o, "cites", viewCite),
		Links:      o.texts("links"),
		Match:      viewMatch(o.object("match")),
		Anchor:     viewAnchor(o.object("anchor")),
		Origin:     o.text("origin"),
		Scan:       viewScan(o.object("scan")),
		Provenance: viewProvenance(o.object("provenance")),
	}
}
