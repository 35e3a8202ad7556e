package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
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
			func([]replay.Entry) (gate.Change, *memory.Memory, error) {
				return command.DeedOf(event).Store(ctx, m, gate.Happen{Event: event, Targets: args, Why: o.Why}, e.now())
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

type skipCheckOptions struct {
	Command                  string
	Paths                    []string
	ExitCode, Quiet, Trusted bool
}

func runSkipCheck(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall,
	o skipCheckOptions, args []string,
) error {
	does := agent.Call{Command: o.Command, Paths: o.Paths}
	plan := strings.Join(args, " ")
	if does.Command+plan == "" && len(does.Paths) == 0 {
		return usagef("name what is about to be done: TEXT, --command or --path")
	}
	ends, err := command.DeadEnds(ctx, m, r, does, plan, command.Question{Trusted: o.Trusted}.Reading())
	if err != nil {
		return err
	}
	if o.Quiet {
		e.stdout, e.stderr, o.ExitCode = io.Discard, io.Discard, true
	}
	if err := printDeadEnds(e, o, ends); err != nil {
		return err
	}
	if len(ends) == 0 && !e.asJSON {
		return tellPerhaps(ctx, e, r, o, strings.TrimSpace(does.Command+" "+plan))
	}
	if len(ends) > 0 && o.ExitCode {
		return fmt.Errorf("%s: %w", command.Counted(len(ends), "known dead end"), errMet)
	}
	return nil
}

// tellPerhaps says that nothing forbids what somebody is about to do, and to a person which skips share words with
// it: agents and pipes are given nothing that is not met.
func tellPerhaps(ctx context.Context, e *env, r *recall.Recall, o skipCheckOptions, words string) error {
	var ends []recall.DeadEnd
	if words != "" && e.forPerson() {
		var err error
		if ends, err = r.Perhaps(ctx, words, command.Question{Trusted: o.Trusted}.Reading()); err != nil {
			return err
		}
	}
	if len(ends) == 0 {
		e.hint("nothing found that forbids it")
		return nil
	}
	return printDeadEnds(e, o, ends)
}

// errMet says that an action meets a known dead end.
var errMet = errors.New("this did not work before")

func printDeadEnds(e *env, o skipCheckOptions, ends []recall.DeadEnd) error {
	var list []reply.DeadEnd
	for _, end := range ends {
		list = append(list, reply.DeadEndOf(end, command.Question{Trusted: o.Trusted}.Reading()))
	}
	for i, d := range list {
		kind, met := d.Kind, fmt.Sprintf("  met by %s: %s (%s)\n", d.By, strings.Join(d.On, " "), d.Sure)
		switch {
		case d.Certain:
			met = strings.Replace(met, ")\n", ", certain)\n", 1)
		case d.Sure == "perhaps":
			if kind, met = "perhaps: "+kind, ""; len(d.On) > 0 {
				met = "  met by the words " + strings.Join(d.On, " ") + "\n"
			}
		}
		about := []string{
			d.ID, strings.ReplaceAll(d.Author, ",", ";"),
			briefing.Age(ends[i].Known.Created, e.now()), d.Standing,
		}
		if d.Draft {
			about[3] = "draft, not reviewed"
		}
		if d.Store != "" {
			about = append(about, d.Store)
		}
		e.printf("%s: %s%s\n  reason: %s\n%s  (%s)\n", kind,
			ends[i].Known.Text.Origin().Doubt(), d.Text, d.Reason, met, strings.Join(about, ", "))
	}
	return e.printResult(list, nil)
}
