package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func newTask(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "task",
		Short: "List, add and finish tasks",
		Long: "A task is a note that can be changed: its category, status, priority and next action. A change is an event, of two\n" +
			"changes of one field the later counts, and nothing is overwritten: 'git ltm show ID --events' tells them all.",
		Example: "  git ltm task add 'Move the cache to the disk' --next 'Measure it first' --priority 7\n" +
			"  git ltm task ls",
	}
	cmd.AddCommand(newTaskAdd(e), newTaskList(e), newTaskSet(e), newTaskDone(e), newTaskReopen(e))
	return cmd
}

// taskFields are the flags for what can be changed of a task.
type taskFields struct {
	category, status, next string
	priority               int
}

func (t *taskFields) flags(f *pflag.FlagSet) {
	f.StringVar(&t.category, "category", "", "`CATEGORY`: "+strings.Join(packet.TaskCategories(), ", "))
	f.StringVar(&t.status, "status", "", "`STATUS`: "+strings.Join(packet.TaskStatuses(), ", "))
	f.StringVar(&t.next, "next", "", "the next action: `TEXT`")
	f.IntVar(&t.priority, "priority", 0, "from 0 to 10, the greatest comes first: `N`")
}

// change returns what the flags change of a task.
func (t *taskFields) change(f *pflag.FlagSet) packet.Change {
	c := packet.Change{Category: t.category, Status: t.status, NextAction: t.next}
	if f.Changed("priority") {
		c.Priority = &t.priority
	}
	return c
}

func newTaskAdd(e *env) *cobra.Command {
	o := noteFlags{Note: command.Note{Kind: packet.NoteTask}}
	var fields taskFields
	cmd := &cobra.Command{
		Use:   "add TITLE",
		Short: "Store a task",
		Long: "Add stores a task and prints its id alone on standard output. Without --category it is active_work, without --status\n" +
			"active. A session_note is private and ends after seven days, unless --private=false or --until say otherwise.\n\n" +
			"--json prints an object with id, ref, bytes, known, signed, dry_run and findings.",
		Example:     "  git ltm task add 'Ask for the new runner' --category waiting_for --until 2w",
		Annotations: map[string]string{makesStore: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Category, o.Status, o.Next, o.Priority = fields.category, fields.status, fields.next,
				fields.priority
			if err := o.check(e, cmd, args); err != nil {
				return err
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return saveNote(cmd.Context(), e, m, o, args[0])
			})
		},
	}
	f := cmd.Flags()
	fields.flags(f)
	o.belongs(f)
	o.about(f)
	return cmd
}

type taskListOptions struct {
	all    bool
	status string
}

func newTaskList(e *env) *cobra.Command {
	var o taskListOptions
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List tasks, the active ones with the greatest priority first",
		Long: "Ls lists what is active or paused, as the events left it: active before paused, then by priority, then the newest. A\n" +
			"pipe gets full ids and tabs between the fields: id, status, priority, category, title, next action.\n\n" +
			"--json prints an array of the objects that 'git ltm ls --kind task --json' prints.",
		Example: "  git ltm task ls --status paused",
		RunE:    func(cmd *cobra.Command, _ []string) error { return listTasks(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	f.BoolVarP(&o.all, "all", "a", false, "also what is done, archived, retracted, superseded or expired")
	f.StringVar(&o.status, "status", "", "only of this `STATUS`: "+strings.Join(packet.TaskStatuses(), ", "))
	return cmd
}

func listTasks(ctx context.Context, e *env, o taskListOptions) error {
	if o.status != "" && !slices.Contains(packet.TaskStatuses(), o.status) {
		return usagef("--status takes one of %s", strings.Join(packet.TaskStatuses(), ", "))
	}
	return e.use(ctx, func(m *memory.Memory) error {
		q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteTask}, Hidden: o.all}
		found, err := reply.List(ctx, m, []replay.Query{q}, replay.Inspected, 0)
		if err != nil {
			return err
		}
		found = command.Tasks(found, o.all, o.status)
		return printTasks(e, found, o)
	})
}

func printTasks(e *env, found []replay.Shown, o taskListOptions) error {
	if e.asJSON {
		return printListed(e, found)
	}
	columns, terminal := e.width(e.stdout)
	if terminal && len(found) == 0 {
		e.hint("there is no such task here; 'git ltm task add' stores one")
	}
	digits := idLength(found)
	for _, entry := range found {
		text := plainTaskRow(entry, e.now())
		if terminal {
			text = clean.Truncate(taskRow(entry, digits, e.now()), columns)
		}
		e.println(text)
	}
	return nil
}

func newTaskDone(e *env) *cobra.Command {
	var o eventOptions
	cmd := &cobra.Command{
		Use:     "done ID...",
		Short:   "Say that tasks are done",
		Long:    "Done closes tasks. 'git ltm task ls --all' shows them still, and 'git ltm task reopen' takes it back.",
		Example: "  git ltm task done F3A2H5P9",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTasks(cmd.Context(), e, args, func(m *memory.Memory, _ []replay.Entry) error {
				c, err := storeEvent(cmd.Context(), e, m, gate.Happen{Event: "close", Targets: args, Why: o.why})
				return tellChange(e, o, c, err, "done", "done already")
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
		Long:    "Reopen takes it back that tasks are done, and makes active what was set to completed or archived.",
		Example: "  git ltm task reopen F3A2H5P9 --why 'It fails again'",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTasks(cmd.Context(), e, args, func(m *memory.Memory, tasks []replay.Entry) error {
				c, of, err := m.ReopenTasks(cmd.Context(), tasks, o.why)
				err = tellUserStore(e, m, of, err)
				return tellChange(e, o, c, err, "reopened", "open already")
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
			"where two clones made them. A task that was done and gets another status is reopened by that.",
		Example: "  git ltm task set F3A2H5P9 --priority 9 --next 'Ask upstream'",
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
			return withTasks(cmd.Context(), e, args, func(m *memory.Memory, tasks []replay.Entry) error {
				c, of, err := m.SetTasks(cmd.Context(), tasks, change, o.why)
				err = tellUserStore(e, m, of, err)
				return tellChange(e, o, c, err, "changed", "")
			})
		},
	}
	fields.flags(cmd.Flags())
	o.common(cmd.Flags())
	return cmd
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
