package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/memory"
)

// happen stores an event about records of the repository, and where it has none of them, of the user-wide memory. What is
// changed lies in one memory, or nothing is changed.
func (e *env) happen(ctx context.Context, m *memory.Memory, h memory.Happen) (memory.Change, error) {
	c, err := m.Happen(ctx, h)
	if err == nil || !errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrPurged) || isRelative(h) {
		return c, asSmall(err)
	}
	user := m.User(ctx)
	if user == nil {
		return c, asSmall(err)
	}
	theirs, failure := user.Happen(ctx, h)
	if errors.Is(failure, memory.ErrNotFound) {
		return c, asSmall(err)
	}
	e.say("hint", "this repository has no such record; your user-wide memory has")
	return theirs, asSmall(failure)
}

func asSmall(err error) error {
	if err == nil {
		return nil
	}
	return &smallError{err}
}

// isRelative tells whether a record is named by its place in the list of this branch, which the user-wide memory has not.
func isRelative(h memory.Happen) bool {
	for _, specs := range [][]string{h.Targets, h.By} {
		for _, spec := range specs {
			if strings.HasPrefix(spec, "@") {
				return true
			}
		}
	}
	return false
}

// eventOptions are the flags of the commands that say what became of records.
type eventOptions struct {
	why, by, label, until string
	now, json             bool
}

// common are the flags that all of them have.
func (o *eventOptions) common(f *pflag.FlagSet) {
	f.StringVar(&o.why, "why", "", "the reason, kept in the event: `TEXT`")
	f.BoolVar(&o.json, "json", false, "print an object with event, changed and already")
}

// changed is the JSON shape of what an event did.
type changed struct {
	Event   string   `json:"event,omitempty"` // nothing where nothing had to change
	Changed []string `json:"changed"`
	Already []string `json:"already"`
}

// tellChange prints what an event did, or returns why there is none.
func (e *env) tellChange(o eventOptions, c memory.Change, err error, did, already string) error {
	if err != nil {
		return err
	}
	shape := changed{Event: string(c.Event), Changed: []string{}, Already: []string{}}
	for _, id := range c.Already {
		e.warnf("record %s is not changed: it is %s", id, already)
		shape.Already = append(shape.Already, string(id))
	}
	for _, id := range c.Changed {
		shape.Changed = append(shape.Changed, string(id))
	}
	if o.json {
		return e.printJSON(shape)
	}
	for _, id := range c.Changed {
		if _, err := fmt.Fprintf(e.stdout, "%s %s\n", did, id); err != nil {
			return err
		}
	}
	return nil
}
