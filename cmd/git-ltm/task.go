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

func listTasks(ctx context.Context, e *env, o taskListOptions, _ []string) error {
	if o.Status != "" && !slices.Contains(packet.TaskStatuses(), o.Status) {
		return usagef("--status takes one of %s", strings.Join(packet.TaskStatuses(), ", "))
	}
	return e.use(ctx, func(m *memory.Memory) error {
		q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteTask}, Hidden: o.All}
		found, err := reply.List(ctx, m, []replay.Query{q}, replay.Inspected, 0)
		if err != nil {
			return err
		}
		found = command.Tasks(found, o.All, o.Status)
		return printTasks(e, found)
	})
}

func printTasks(e *env, found []replay.Shown) error {
	columns, terminal := e.width(e.stdout)
	if terminal && len(found) == 0 {
		e.hint("there is no such task here; 'git ltm task add' stores one")
	}
	digits := command.IDLength(found)
	for _, entry := range found {
		text := command.PlainTaskRow(entry, e.now())
		if terminal {
			text = clean.Truncate(command.TaskRow(entry, digits, e.now()), columns)
		}
		e.println(text)
	}
	return e.printResult(listedOf(found), nil)
}

func finishTasks(ctx context.Context, e *env, o eventOptions, args []string) error {
	return withTasks(ctx, e, args, func(m *memory.Memory, _ []replay.Entry) error {
		c, err := storeEvent(ctx, e, m, gate.Happen{Event: "close", Targets: args, Why: o.Why})
		return tellChange(e, o, c, err, "done", "done already")
	})
}

func reopenTasks(ctx context.Context, e *env, o eventOptions, args []string) error {
	return withTasks(ctx, e, args, func(m *memory.Memory, tasks []replay.Entry) error {
		c, of, err := m.ReopenTasks(ctx, tasks, o.Why)
		err = tellPlace(e, m, of, c, err)
		return tellChange(e, o, c, err, "reopened", "open already")
	})
}

// takeTasks says who works on tasks: whoever makes active what is not done.
func takeTasks(ctx context.Context, e *env, o eventOptions, args []string) error {
	return withTasks(ctx, e, args, func(m *memory.Memory, tasks []replay.Entry) error {
		for _, task := range tasks {
			shown, _ := task.Open(replay.Inspected)
			if status := reply.TaskStatus(shown); status != "active" && status != "paused" {
				return usagef("task %s is %s; 'git ltm task reopen' opens it first", task.ID, status)
			}
			if by := shown.TakenBy(); by != "" {
				e.hintf("task %s was %s before", task.ID, by)
			}
		}
		c, of, err := m.SetTasks(ctx, tasks, packet.Change{Status: "active"}, o.Why)
		err = tellPlace(e, m, of, c, err)
		return tellChange(e, o, c, err, "taken", "")
	})
}

func setTasks(ctx context.Context, e *env, o taskFields, args []string) error {
	change := packet.Change{Category: o.Category, Status: o.Status, NextAction: o.Next}
	if e.isGiven("priority") {
		change.Priority = &o.Priority
	}
	if change == (packet.Change{}) {
		return usagef("name what to change: --status, --priority, --category or --next")
	}
	if err := change.Check(); err != nil {
		return asSmall(err)
	}
	if err := readable(o.Next, o.Why); err != nil {
		return &usageError{err: err}
	}
	return withTasks(ctx, e, args, func(m *memory.Memory, tasks []replay.Entry) error {
		c, of, err := m.SetTasks(ctx, tasks, change, o.Why)
		err = tellPlace(e, m, of, c, err)
		return tellChange(e, o.eventOptions, c, err, "changed", "")
	})
}

// withTasks opens the memory for a command that takes tasks only, and finds them.
func withTasks(ctx context.Context, e *env, specs []string,
	do func(*memory.Memory, []replay.Entry) error,
) error {
	return e.use(ctx, func(m *memory.Memory) error {
		tasks, err := command.FindTasks(ctx, m, specs)
		if err != nil {
			return err
		}
		return do(m, tasks)
	})
}
