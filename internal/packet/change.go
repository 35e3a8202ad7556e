package packet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Change is what an event of the kind "set" changes of a task. What is empty
// stays as it was.
type Change struct {
	Status     string
	Priority   *int
	NextAction string
	Category   string
}

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
	c.object(o, &changeShape)
	for _, m := range unknownMembers(o, &changeShape) {
		c.at.enter(m.name)
		c.refuse("is not a member of a change")
		c.at.leave()
	}
	if len(c.problems) > 0 {
		return Change{}, fmt.Errorf("%w: %w", ErrChange, &InvalidError{c.problems})
	}
	return viewChange(o), nil
}

func viewChange(o object) Change {
	c := Change{Status: o.text("status"), NextAction: o.text("next_action"), Category: o.text("category")}
	if o.find("priority") != nil {
		c.Priority = new(o.count("priority"))
	}
	return c
}

// Check says everything that is wrong with a change, as [ParseChange] does.
func (c Change) Check() error {
	_, err := c.Value()
	return err
}

// Value returns the change as an event holds it: JSON on one line. The error is
// that of [ParseChange], which reads it back.
func (c Change) Value() (string, error) {
	o := object{}.
		with("status", stringValue(c.Status)).
		with("next_action", stringValue(c.NextAction)).
		with("category", stringValue(c.Category))
	if c.Priority != nil {
		o = o.with("priority", value{is: isNumber, text: strconv.Itoa(*c.Priority)})
	}
	e := encoder{flat: true}
	e.object(o, &changeShape, 1)
	text := string(e.buf)
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
