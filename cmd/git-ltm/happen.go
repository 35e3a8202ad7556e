package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// happen stores an event about records of the repository, and where it has none of them, of the user-wide memory. What is
// changed lies in one memory, or nothing is changed.
func (e *env) happen(ctx context.Context, m *memory.Memory, h gate.Happen) (gate.Change, error) {
	c, of, err := m.HappenWide(ctx, h)
	return c, e.ofUser(m, of, err)
}

// ofUser says that the records that were changed are of the user-wide memory.
func (e *env) ofUser(m, of *memory.Memory, err error) error {
	if of != m {
		e.say("hint", "this repository has no such record; your user-wide memory has")
	}
	return asSmall(err)
}

func asSmall(err error) error {
	if err == nil {
		return nil
	}
	return &smallError{err}
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

// tellChange prints what an event did, or returns why there is none.
func (e *env) tellChange(o eventOptions, c gate.Change, err error, did, already string) error {
	if err != nil {
		return err
	}
	for _, id := range c.Already {
		e.warnf("record %s is not changed: it is %s", id, already)
	}
	if o.json {
		return e.printJSON(reply.ChangedOf(c))
	}
	for _, id := range c.Changed {
		if _, err := fmt.Fprintf(e.stdout, "%s %s\n", did, id); err != nil {
			return err
		}
	}
	return nil
}
