package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

func newTaskDone(e *env) *cobra.Command {
	var o eventOptions
	cmd := &cobra.Command{
		Use:     "done ID...",
		Short:   "Say that tasks are done",
		Long:    "Done closes tasks. 'git ltm task ls --all' shows them still, and 'git ltm task reopen' takes it back.\n\n" + exitCodes,
		Example: "  git ltm task done F3A2H5P9",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.onTasks(cmd.Context(), args, func(m *memory.Memory, _ []memory.Entry) error {
				c, err := e.happen(cmd.Context(), m, memory.Happen{Event: "close", Targets: args, Why: o.why})
				return e.tellChange(o, c, err, "done", "done already")
			})
		},
	}
	o.common(cmd.Flags())
	return cmd
}

func newTaskReopen(e *env) *cobra.Command {
	var o eventOptions
	cmd := &cobra.Command{
		Use:     "reopen ID...",
		Short:   "Say that tasks are not done after all",
		Long:    "Reopen takes it back that tasks are done, and makes active what was set to completed or archived.\n\n" + exitCodes,
		Example: "  git ltm task reopen F3A2H5P9 --why 'It fails again'",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.onTasks(cmd.Context(), args, func(m *memory.Memory, tasks []memory.Entry) error {
				c, err := e.reopen(cmd.Context(), m, tasks, o.why)
				return e.tellChange(o, c, err, "reopened", "open already")
			})
		},
	}
	o.common(cmd.Flags())
	return cmd
}

func newTaskSet(e *env) *cobra.Command {
	var o eventOptions
	var fields taskFields
	cmd := &cobra.Command{
		Use:   "set ID...",
		Short: "Change the status, priority, category or next action of tasks",
		Long: "Set changes the fields that are given and leaves the others. Of two changes of one field the later counts, also\n" +
			"where two clones made them. A task that was done and gets another status is reopened by that.\n\n" + exitCodes,
		Example: "  git ltm task set F3A2H5P9 --priority 9 --next 'Ask upstream'",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			change := fields.change(cmd.Flags())
			if change == (packet.Change{}) {
				return usagef("name what to change: --status, --priority, --category or --next")
			}
			if err := change.Check(); err != nil {
				return asSmall(err)
			}
			if err := readable(fields.next, o.why); err != nil {
				return &usageError{err}
			}
			return e.onTasks(cmd.Context(), args, func(m *memory.Memory, tasks []memory.Entry) error {
				c, err := e.taskSet(cmd.Context(), m, tasks, change, o.why)
				return e.tellChange(o, c, err, "changed", "")
			})
		},
	}
	fields.flags(cmd.Flags())
	o.common(cmd.Flags())
	return cmd
}

// onTasks opens the memory for a command that takes tasks only, and finds them.
func (e *env) onTasks(ctx context.Context, specs []string, do func(*memory.Memory, []memory.Entry) error) error {
	return e.use(ctx, func(m *memory.Memory) error {
		isTask := func(entry memory.Entry) bool { return entry.Note.Kind == packet.NoteTask }
		tasks, err := e.only(ctx, m, packet.NoteTask, specs, isTask)
		if err != nil {
			return err
		}
		return do(m, tasks)
	})
}

// taskSet changes fields of tasks.
func (e *env) taskSet(ctx context.Context, m *memory.Memory, tasks []memory.Entry, change packet.Change, why string) (memory.Change, error) {
	if change.Status != "" && change.Status != "completed" {
		closed := slices.DeleteFunc(slices.Clone(tasks), func(t memory.Entry) bool { return !t.Life.Closed })
		if len(closed) > 0 {
			if _, err := e.happen(ctx, m, memory.Happen{Event: "reopen", Targets: idsOf(closed), Why: why}); err != nil {
				return memory.Change{}, err
			}
		}
	}
	value, err := change.Value()
	if err != nil {
		return memory.Change{}, err
	}
	return e.happen(ctx, m, memory.Happen{Event: "set", Targets: idsOf(tasks), Value: value, Why: why})
}

// reopen makes tasks active: those that were closed, and those whose status was set aside.
func (e *env) reopen(ctx context.Context, m *memory.Memory, tasks []memory.Entry, why string) (memory.Change, error) {
	var closed, aside []memory.Entry
	for _, t := range tasks {
		switch t.Note.After(t.Life.Set).Status {
		case "completed", "archived":
			aside = append(aside, t)
		default:
			closed = append(closed, t)
		}
	}
	var done memory.Change
	var err error
	if len(closed) > 0 {
		done, err = e.happen(ctx, m, memory.Happen{Event: "reopen", Targets: idsOf(closed), Why: why})
	}
	if len(aside) == 0 || err != nil {
		return done, err
	}
	c, err := e.taskSet(ctx, m, aside, packet.Change{Status: "active"}, why)
	done.Event, done.Changed = c.Event, append(done.Changed, c.Changed...)
	return done, err
}

// idsOf names records by their whole ids.
func idsOf(entries []memory.Entry) []string {
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = string(entry.ID)
	}
	return ids
}
