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

type listOptions struct {
	command.Question

	Format string
}

func runList(ctx context.Context, e *env, m *memory.Memory, o listOptions, _ []string) error {
	queries, err := o.Queries(e.now())
	wrong := refusals(append(wrongInput(e, err), command.CheckFormat(o.Format)))
	wrong.when(o.Limit < 0, "--limit takes a number, 0 for no bound")
	wrong.when(e.asJSON && o.Format != "", "--json and --format exclude each other")
	if err := usage(wrong); err != nil {
		return err
	}
	found, left, err := o.Current(ctx, m, queries, replay.Inspected)
	if err != nil {
		return err
	}
	switch {
	case len(found) == 0 && command.LeftOutText(left) != "":
		e.hintf("nothing but %s: git ltm ls --all", command.LeftOutText(left))
	case left.Hidden > 0:
		defer e.hintf("%s; --all lists that, too", command.LeftOutText(left))
	case len(found) > 0 || o.Format != "" || e.asJSON:
	case o.Path != "" && !o.Narrows():
		e.hintf("no record names %[1]s; 'git ltm recall %[1]s' finds what speaks of it, or was written down "+
			"when it changed", reply.Word(o.Path))
	case slices.Contains(strings.Fields(e.line.CommandPath()), "skip"): // It has no filters.
		e.hint("no skips yet: git ltm skip add TEXT --why WHY --until 3d")
	case o.Narrows() || o.Path != "":
		e.hint("nothing here fits; 'git ltm ls' without filters lists everything, 'git ltm recall WORDS' " +
			"searches the texts, and 'git ltm sync' brings what is new at the remote")
	default:
		e.hint(nothingYet)
	}
	err = printList(ctx, e, m, found, o)
	if o.Limit > 0 && len(found) == o.Limit && !e.isGiven("limit") {
		e.hintf("no more than %d are listed; --limit 0 lists all", o.Limit)
	}
	return err
}

const nothingYet = "nothing is here yet; 'git ltm note' and 'git ltm save' store something, and " +
	"'git ltm sync' brings what the remote holds"

func printList(ctx context.Context, e *env, m *memory.Memory, found []replay.Shown, o listOptions) error {
	if o.Format == "" && e.isTerminal(e.stdout) && !e.asJSON {
		p := e.newPage(ctx, m)
		r := rowsOf(e, found, p.Columns)
		for _, entry := range found {
			putRow(e, p, r, entry)
		}
		if marks := explainMarks(found); marks != "" {
			defer e.hint(marks)
		}
		return e.showPage(ctx, p)
	}
	for _, entry := range found {
		text := command.PlainRow(entry, e.now())
		if o.Format != "" {
			text = command.FormatEntry(o.Format, entry, e.now())
		}
		e.println(text)
	}
	return e.printResult(listedOf(found), nil)
}

// listedOf are records as a list has them.
func listedOf(found []replay.Shown) (list []reply.Listed) {
	for _, entry := range found {
		list = append(list, reply.ListedOf(entry))
	}
	return list
}

type logOptions struct {
	Limit         int
	Since, Author string
}

func runLog(ctx context.Context, e *env, m *memory.Memory, o logOptions, _ []string) error {
	since, _, err := command.Question{Since: o.Since}.Span(e.now())
	wrong := refusals(wrongInput(e, err))
	wrong.when(o.Limit < 0, "--limit takes a number, 0 for no bound")
	if err := usage(wrong); err != nil {
		return err
	}
	all, err := command.Tale(ctx, m, command.TaleQuery{Limit: o.Limit, Author: o.Author, Since: since})
	columns, terminal := e.width(e.stdout)
	switch {
	case len(all) > 0 || err != nil || e.asJSON:
	case o.Author+o.Since != "":
		e.hint("no change here fits; 'git ltm log' without --author and --since lists all")
	default:
		e.hint(nothingYet)
	}
	for _, h := range all {
		switch {
		case e.asJSON:
			err = errors.Join(err, e.printLine(command.HappeningJSON(h)))
		case terminal:
			title := ""
			if len(h.Targets) > 0 && h.Targets[0] != string(h.ID) {
				title = titleOf(ctx, m, h.Targets[0])
			}
			done, said := command.HappeningRow(h, title, e.now())
			if row := done + said; columns >= 70 || clean.Width(row) <= columns {
				done, said = row, ""
			}
			e.println(clean.TruncateWith(done, columns, e.ellipsis()))
			if said = strings.TrimPrefix(said, ": "); said != "" { // Else a narrow terminal shows nothing of it.
				e.println(clean.TruncateWith(strings.Repeat(" ", 10)+said, columns, e.ellipsis()))
			}
		default:
			e.println(command.HappeningLine(h, command.Subject(h)))
		}
	}
	return err
}

type showOptions struct {
	Raw, Events bool
	As          string
}

func runShow(ctx context.Context, e *env, m *memory.Memory, o showOptions, args []string) error {
	if o.As != "" && o.As != "0.2" {
		return usagef("--as takes 0.2")
	}
	found, of, err := m.FindAnyWide(ctx, args[0])
	if err != nil {
		return err
	}
	e.fromUser(m, of, found)
	entry, err := found.MustOpen(replay.Inspected)
	if err != nil {
		return err
	}
	if of == m && entry.Kind() != packet.KindEvent {
		recall.Used(m, e.now(), entry.ID)
	}
	switch {
	case o.Events && !e.asJSON:
		return printEvents(ctx, e, of, entry)
	case o.As != "": // The published form cannot hold all.
		if entry.Kind() != packet.KindPacket {
			return usagef("--as is for packets; record %s is of another kind", entry.ID)
		}
		older, changed := entry.Record().Downgrade()
		if len(changed) > 0 {
			e.warnf("left out or changed for format 0.2: %s", strings.Join(changed, " "))
		}
		return e.writeOut(older.Encode(), nil)
	case o.Raw:
		return e.writeOut(entry.Data(), nil)
	case e.asJSON:
		whole, err := command.WholeOf(ctx, of, entry)
		return e.printResult(whole, err)
	}
	undone, err := of.Undone(ctx, entry.ID)
	if err != nil {
		return err
	}
	e.print(reply.Describe(entry, e.now()).String())
	if undone {
		e.println("Life:       undone by a later event, so that it does not count")
	}
	old, is, err := of.Replaced(ctx, entry.ID)
	if is {
		e.println(strings.TrimSpace("Replaces:   " + string(old.ID) + " " + titleOf(ctx, of, string(old.ID))))
	}
	return err
}

// printEvents prints what became of a record, the oldest first, and before it what became of those that it replaced.
func printEvents(ctx context.Context, e *env, m *memory.Memory, entry replay.Shown) error {
	chain := []replay.Shown{entry}
	for range command.MostEdits {
		old, is, err := m.Replaced(ctx, chain[0].ID)
		if err != nil {
			return err
		}
		shown, why := old.Open(replay.Inspected)
		if !is || why != "" {
			break
		}
		chain = slices.Insert(chain, 0, shown)
	}
	for _, entry := range chain {
		made := command.StoredAs(entry)
		made.Why = entry.Text("") // What it says is not asked for.
		e.println(command.HappeningLine(made, string(entry.ID)))
		about, err := m.History(ctx, entry.ID)
		if err != nil {
			return err
		}
		for _, event := range about {
			e.println(command.HappeningLine(event.Happening(), string(event.ID)))
		}
	}
	return nil
}

// refusals are what is wrong with a command line, all said at once.
type refusals []error

// when refuses the line where something holds.
func (r *refusals) when(holds bool, format string, args ...any) {
	if holds {
		*r = append(*r, fmt.Errorf(format, args...))
	}
}

// usage joins what is wrong with a command line into one error.
func usage(problems []error) error {
	if err := errors.Join(problems...); err != nil {
		return &usageError{err: err}
	}
	return nil
}

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
		e.hint(none + ": git ltm task add TEXT")
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
	ends, perhaps, err := command.DeadEnds(ctx, m, r, does, plan, command.Question{Trusted: o.Trusted}.Reading())
	if err != nil {
		return err
	}
	if o.Quiet {
		e.stdout, e.stderr, o.ExitCode = io.Discard, io.Discard, true
	}
	if err := printDeadEnds(e, o, ends); err != nil {
		return err
	}
	if len(ends) > 0 && o.ExitCode {
		return fmt.Errorf("%s: %w", command.Counted(len(ends), "known dead end"), errMet)
	}
	if len(ends) > 0 || e.asJSON {
		return nil
	}
	if len(perhaps) == 0 || e.forAgent() { // An agent is given nothing that is not met.
		e.hint("nothing found that forbids it")
		return nil
	}
	return printDeadEnds(e, o, perhaps)
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
		if d.Reason != "" {
			met = "  reason: " + d.Reason + "\n" + met
		}
		e.printf("%s: %s%s\n%s  (%s)\n", kind,
			ends[i].Known.Text.Origin().Doubt(), d.Text, met, strings.Join(about, ", "))
	}
	return e.printResult(list, nil)
}
