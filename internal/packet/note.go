package packet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
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
		"decision", "learning", "procedure", "pitfall", "preference", "reference", "achievement", "fact",
		NoteTask, NoteIdentity,
	}
	categories = []string{"active_work", "standing_decision", "waiting_for", "session_note"}
	statuses   = []string{"active", "paused", "completed", "archived"}

	noteShape = shape{fields: []field{
		{name: typeMember, form: formWord, words: []string{string(KindNote)}, needed: true},
		{name: "id", form: formID, needed: true, stamped: true},
		{name: "created_at", form: formTime, needed: true, stamped: true},
		{name: "kind", form: formWord, words: noteKinds, needed: true},
		{name: "text", form: formText, least: 1, most: MaxNoteText, needed: true},
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

// MaxNoteText is how many characters the text of a note has at most.
const MaxNoteText = 2048

// mostPriority is the highest priority of a task.
const mostPriority = 10

// NoteKinds returns the kinds of notes.
func NoteKinds() []string { return slices.Clone(noteKinds) }

// Outcomes returns what may have come of an attempt. Other words count as a failure.
func Outcomes() []string { return slices.Clone(outcomes) }

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
func (r *Record) Note() Note { return viewOf[Note](r.root) }

// Change is what an event of the kind "set" changes of a task. What is empty
// stays as it was.
type Change struct {
	Status     string `json:"status,omitempty"`
	Priority   *int   `json:"priority,omitempty"`
	NextAction string `json:"next_action,omitempty"`
	Category   string `json:"category,omitempty"`
}

// TakesTask tells that who makes the change works on the task.
func (c Change) TakesTask() bool { return c.Status == "active" }

// ErrChange says that a text is no change of a task.
var ErrChange = errors.New("not a change of a task")

//nolint:gochecknoglobals // A table that nobody writes to.
var changeShape = shape{fields: []field{
	{name: "status", form: formWord, words: statuses},
	{name: "priority", form: formCount, limit: mostPriority},
	{name: "next_action", form: formText, most: longText},
	{name: "category", form: formWord, words: categories},
}}

// ParseChange reads the value of an event, by the rules that hold for the text
// of a record. It accepts no other members than those of a change. The error is
// [ErrChange] with everything that is wrong.
func ParseChange(value string) (Change, error) {
	o, err := readObject([]byte(value))
	if err != nil {
		return Change{}, fmt.Errorf("%w: %w", ErrChange, err)
	}
	c := checker{mode: Stored}
	c.checkObject(o, &changeShape)
	for _, m := range unknownMembers(o, &changeShape) {
		c.at.enter(m.name)
		c.addProblem("is not a member of a change")
		c.at.leave()
	}
	if len(c.problems) > 0 {
		return Change{}, fmt.Errorf("%w: %w", ErrChange, &InvalidError{c.problems})
	}
	change := Change{
		Status: o.textOf("status"), NextAction: o.textOf("next_action"), Category: o.textOf("category"),
	}
	if priority := o.findValue("priority"); priority != nil {
		change.Priority = new(priority.asInt())
	}
	return change, nil
}

// Check says everything that is wrong with a change, as [ParseChange] does.
func (c Change) Check() error {
	_, err := c.Value()
	return err
}

// Value returns the change as an event holds it: JSON on one line. The error is
// that of [ParseChange], which reads it back.
func (c Change) Value() (string, error) {
	if !utf8.ValidString(c.NextAction) { // The marshaller would put U+FFFD in its place.
		return "", fmt.Errorf("%w: next_action is %w", ErrChange, errNotUTF8)
	}
	data, _ := clean.JSON(c, "") // It is made of plain types.
	text := strings.TrimSuffix(string(data), "\n")
	if _, err := ParseChange(text); err != nil {
		return "", err
	}
	return text, nil
}

// Then returns the change followed by a later one, of which each field counts
// that it sets.
func (c Change) Then(later Change) Change {
	return Change{
		Status:     cmp.Or(later.Status, c.Status),
		Priority:   cmp.Or(later.Priority, c.Priority),
		NextAction: cmp.Or(later.NextAction, c.NextAction),
		Category:   cmp.Or(later.Category, c.Category),
	}
}

// After returns the task as a change leaves it.
func (n Note) After(c Change) Note {
	n.Status = cmp.Or(c.Status, n.Status)
	n.NextAction = cmp.Or(c.NextAction, n.NextAction)
	n.Category = cmp.Or(c.Category, n.Category)
	if c.Priority != nil {
		n.Priority = *c.Priority
	}
	return n
}

// IsImpact tells the words that say how much depends on a record.
func IsImpact(word string) bool { return slices.Contains(impacts, word) }
