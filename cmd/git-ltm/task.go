package main

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// taskFields are the flags for what can be changed of a task.
type taskFields struct {
	eventOptions
	Category, Status, Next string
	Priority               int
}

type taskListOptions struct {
	All    bool
	Status string
}

func listTasks(ctx context.Context, e *env, m *memory.Memory, o taskListOptions, _ []string) error {
	if o.Status != "" && !slices.Contains(packet.TaskStatuses(), o.Status) {
		return usagef("--status takes one of %s", strings.Join(packet.TaskStatuses(), ", "))
	}
	q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteTask}, Hidden: o.All}
	found, err := reply.List(ctx, m, []replay.Query{q}, replay.Inspected, 0)
	if err != nil {
		return err
	}
	found = command.Tasks(found, o.All, o.Status)
	columns, terminal := e.width(e.stdout)
	if len(found) == 0 && !e.asJSON {
		none := "no open tasks"
		if o.All || o.Status != "" {
			none = "there is no such task here"
		}
		e.hint(none + "; 'git ltm task add' stores one")
	}
	digits := command.IDLength(found)
	for _, entry := range found {
		text := command.PlainTaskRow(entry, e.now())
		if terminal {
			text = clean.TruncateWith(command.TaskRow(entry, digits, e.now()), columns, e.ellipsis())
		}
		e.println(text)
	}
	return e.printResult(listedOf(found), nil)
}

// changeTasks finds tasks, changes them, and says what was done to each.
func changeTasks(ctx context.Context, e *env, m *memory.Memory, o eventOptions, specs []string, did, already string,
	change func(tasks []replay.Entry) (gate.Change, *memory.Memory, error),
) error {
	tasks, err := command.FindTasks(ctx, m, specs)
	if err != nil {
		return err
	}
	c, of, err := change(tasks)
	return tellChange(e, o, c, tellPlace(e, m, of, c, err), did, already)
}

// endTasks stores that tasks are over, or go on after all, in words of tasks.
func endTasks(event, did, already string,
) func(context.Context, *env, *memory.Memory, eventOptions, []string) error {
	return func(ctx context.Context, e *env, m *memory.Memory, o eventOptions, args []string) error {
		return changeTasks(ctx, e, m, o, args, did, already,
			func(tasks []replay.Entry) (gate.Change, *memory.Memory, error) {
				h := gate.Happen{Event: event, Why: o.Why}
				for _, task := range tasks {
					h.Targets = append(h.Targets, string(task.ID))
				}
				return command.DeedOf(event).Store(ctx, m, h, e.now())
			})
	}
}

// takeTasks says who works on tasks: whoever makes active what is not done.
func takeTasks(ctx context.Context, e *env, m *memory.Memory, o eventOptions, args []string) error {
	return changeTasks(ctx, e, m, o, args, "taken", "",
		func(tasks []replay.Entry) (gate.Change, *memory.Memory, error) {
			for _, task := range tasks {
				shown, _ := task.Open(replay.Inspected)
				if status := reply.TaskStatus(shown); status != "active" && status != "paused" {
					return gate.Change{}, m, usagef("task %s is %s; 'git ltm task reopen' opens it first",
						task.ID, status)
				}
				if by := shown.TakenBy(); by != "" {
					e.hintf("task %s was %s before", task.ID, by)
				}
			}
			return m.SetTasks(ctx, tasks, packet.Change{Status: "active"}, o.Why)
		})
}

func setTasks(ctx context.Context, e *env, m *memory.Memory, o taskFields, args []string) error {
	change := packet.Change{Category: o.Category, Status: o.Status, NextAction: o.Next}
	if e.isGiven("priority") {
		change.Priority = &o.Priority
	}
	if change == (packet.Change{}) {
		return usagef("name what to change: --status, --priority, --category or --next")
	}
	if err := change.Check(); err != nil {
		return err
	}
	if err := usage([]error{checkUTF8(o.Next, o.Why)}); err != nil {
		return err
	}
	return changeTasks(ctx, e, m, o.eventOptions, args, "changed", "",
		func(tasks []replay.Entry) (gate.Change, *memory.Memory, error) {
			return m.SetTasks(ctx, tasks, change, o.Why)
		})
}
