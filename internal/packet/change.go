package packet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Change is what an event of the kind "set" changes of a task. What is empty
// stays as it was.
type Change struct {
	Status     string `json:"status,omitempty"`
	Priority   *int   `json:"priority,omitempty"`
	NextAction string `json:"next_action,omitempty"`
	Category   string `json:"category,omitempty"`
}

// ErrChange says that a text is no change of a task.
var ErrChange = errors.New("not a change of a task")

// ParseChange reads the value of an event.
func ParseChange(value string) (Change, error) {
	var c Change
	d := json.NewDecoder(bytes.NewReader([]byte(value)))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil || d.More() {
		return Change{}, ErrChange
	}
	return c, c.Check()
}

// Check says everything that is wrong with a change.
func (c Change) Check() error {
	var wrong []error
	word := func(name, value string, words []string) {
		if value != "" && !slices.Contains(words, value) {
			wrong = append(wrong, fmt.Errorf("%w: %s must be one of %s", ErrChange, name, strings.Join(words, ", ")))
		}
	}
	word("status", c.Status, statuses)
	word("category", c.Category, categories)
	if c.Priority != nil && (*c.Priority < 0 || *c.Priority > mostPriority) {
		wrong = append(wrong, fmt.Errorf("%w: priority must be a whole number from 0 to %d", ErrChange, mostPriority))
	}
	if utf8.RuneCountInString(c.NextAction) > longText {
		wrong = append(wrong, fmt.Errorf("%w: next_action must be at most %d characters long", ErrChange, longText))
	}
	return errors.Join(wrong...)
}

// Value returns the change as an event holds it.
func (c Change) Value() (string, error) {
	data, err := json.Marshal(c)
	return string(data), err
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
	n.Status, n.NextAction = cmp.Or(c.Status, n.Status), cmp.Or(c.NextAction, n.NextAction)
	n.Category = cmp.Or(c.Category, n.Category)
	if c.Priority != nil {
		n.Priority = *c.Priority
	}
	return n
}

// IsImpact tells the words that say how much depends on a record.
func IsImpact(word string) bool { return slices.Contains(impacts, word) }
