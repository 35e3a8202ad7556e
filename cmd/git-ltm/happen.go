package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// happen stores an event about records of the repository, and where it has none of them, of the
// user-wide memory. What is changed lies in one memory, or nothing is changed.
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
	why, by, label, until, value string
	now, json                    bool
}

// common are the flags that all of them have.
func (o *eventOptions) common(f *pflag.FlagSet) {
	f.StringVar(&o.why, "why", "", "the reason, kept in the event: `TEXT`")
	f.BoolVar(&o.json, "json", false, "print an object with event, changed and already")
}

// tellChange prints what an event did, or returns why there is none. Where several events were
// stored, they are named.
func (e *env) tellChange(o eventOptions, c gate.Change, err error, did, already string,
	stored ...packet.ID,
) error {
	if err != nil {
		return err
	}
	for _, id := range c.Already {
		e.warnf("record %s is not changed: it is %s", id, already)
	}
	if len(stored) == 0 && c.Event != "" {
		stored = append(stored, c.Event)
	}
	if o.json {
		return e.printJSON(changed{reply.ChangedOf(c), e.undoOf(stored...)})
	}
	for _, id := range c.Changed {
		if _, err := fmt.Fprintf(e.stdout, "%s %s\n", did, id); err != nil {
			return err
		}
	}
	e.hintUndo(stored...)
	return nil
}

// changed is what an event did, and for a person what takes it back.
type changed struct {
	reply.Changed
	Undo string `json:"undo,omitempty"`
}

// undoOf is the command that takes back what was stored under some ids. Agents are given none:
// nobody asked them to take it back.
func (e *env) undoOf(ids ...packet.ID) string {
	if len(ids) == 0 || e.forAgent() {
		return ""
	}
	command := "git ltm undo"
	if e.userStore != "" {
		command = "git ltm --user undo"
	}
	for _, id := range ids {
		command += " " + briefing.ShortID(id)
	}
	return command
}

// forAgent reports whether an agent runs the command, in its shell.
func (e *env) forAgent() bool {
	_, inShell := agent.InShellOf(e.getenv)
	_, _, inSession := agent.SessionIn(e.getenv)
	return inShell || inSession
}

// hintUndo says to the person at the terminal how to take back what was stored under some ids.
func (e *env) hintUndo(ids ...packet.ID) {
	if undo := e.undoOf(ids...); undo != "" && e.terminal(e.stderr) {
		e.say("hint", "'"+undo+"' takes it back")
	}
}
