package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
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
			return e.onTasks(cmd.Context(), args, func(m *memory.Memory, _ []replay.Entry) error {
				c, err := e.happen(cmd.Context(), m, gate.Happen{Event: "close", Targets: args, Why: o.why})
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
			return e.onTasks(cmd.Context(), args, func(m *memory.Memory, tasks []replay.Entry) error {
				c, of, err := m.ReopenTasks(cmd.Context(), tasks, o.why)
				err = e.ofUser(m, of, err)
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
				return &usageError{err: err}
			}
			return e.onTasks(cmd.Context(), args, func(m *memory.Memory, tasks []replay.Entry) error {
				c, of, err := m.SetTasks(cmd.Context(), tasks, change, o.why)
				err = e.ofUser(m, of, err)
				return e.tellChange(o, c, err, "changed", "")
			})
		},
	}
	fields.flags(cmd.Flags())
	o.common(cmd.Flags())
	return cmd
}

// onTasks opens the memory for a command that takes tasks only, and finds them.
func (e *env) onTasks(ctx context.Context, specs []string,
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
