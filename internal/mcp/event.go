package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// idsMost is how many records one call changes.
const idsMost = 32

func idsField(name, about string) field {
	ids := list(about, idsMost, idField(""))
	ids.least = 1
	return need(name, ids)
}

// whyField asks for the reason, which is kept in the event.
func whyField() schema {
	return schema{is: isString, about: "The reason, kept in the event", least: 1, most: 1024}
}

// changedShape is what a change is in JSON.
func changedShape() schema {
	return schema{is: isObject, open: true, fields: []field{
		may("event", text("The event that says so; nothing where nothing had to change")),
		need("changed", list("Ids", 0, text(""))), need("already", list("Ids that were so before", 0, text(""))),
	}}
}

func supersedeTool() tool {
	return tool{
		name: "supersede", title: "Replace records", does: displace, search: "replace an outdated fact, note or packet",
		about: "Say that a record takes the place of others, which lists and sessions then leave out. Nothing is deleted.",
		input: object(
			idsField("old", "Records that are replaced"), need("by", idField("The record that takes their place")),
			need("why", whyField()), repoField(),
		),
		output: changedShape(),
		run: func(ctx context.Context, c *call) (answer, error) {
			return c.happen(ctx, gate.Happen{
				Event: "supersede", Targets: c.args.texts("old"), By: []string{c.args.text("by")}, Why: c.args.text("why"),
			}, "superseded")
		},
	}
}

func removeTool() tool {
	return tool{
		name: "rm", title: "Retract records", does: displace, search: "retract a wrong record",
		about:  "Take records out of every list and session. The bytes stay, and the user can restore them; a secret is not gone by this.",
		input:  object(idsField("ids", "Records"), need("why", whyField()), repoField()),
		output: changedShape(),
		run: func(ctx context.Context, c *call) (answer, error) {
			return c.happen(ctx, gate.Happen{Event: "retract", Targets: c.args.texts("ids"), Why: c.args.text("why")}, "retracted")
		},
	}
}

// happen stores an event and tells what it did.
func (c *call) happen(ctx context.Context, h gate.Happen, did string) (answer, error) {
	change, of, err := c.m.HappenWide(ctx, h)
	if err != nil {
		return answer{}, err
	}
	return c.changed(change, of, did), nil
}

// changed tells what an event did.
func (c *call) changed(change gate.Change, of *memory.Memory, did string) answer {
	if of != c.m {
		c.notef("this repository has no such record; the user-wide memory has")
	}
	shape := reply.ChangedOf(change)
	var out strings.Builder
	for _, id := range shape.Changed {
		fmt.Fprintf(&out, "%s %s\n", did, id)
	}
	for _, id := range shape.Already {
		fmt.Fprintf(&out, "%s was so already, nothing changed\n", id)
	}
	return answer{text: out.String(), value: shape}
}

// errNotTask says that a record of another kind was given for a task.
var errNotTask = errors.New("it is of another kind")

// tasks finds tasks, and refuses what is none.
func (c *call) tasks(ctx context.Context, specs []string) ([]replay.Entry, error) {
	var all []replay.Entry
	var wrong []error
	for _, spec := range specs {
		entry, _, err := c.m.FindAnyWide(ctx, spec)
		if shown, _ := entry.Open(replay.Asked); err == nil && shown.Note().Kind != "task" {
			err = fmt.Errorf("record %s is no task: %w", entry.ID, errNotTask)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		all = append(all, entry)
	}
	return all, errors.Join(wrong...)
}
