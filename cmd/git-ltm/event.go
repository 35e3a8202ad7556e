package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// eventVerb is a command that says what became of records, and the flag of edit that says the same.
// They are alike but for what stands here.
type eventVerb struct {
	event string // required: the word of the event
	use   string // required: its first word names the command
	flag  string // of edit; none for rm
	help  string // required: what it says of a record
	more  string // what the command's own page says besides
	by    string // the flag of the command that names the other record, if there is one
}

// deed is what it does.
func (v eventVerb) deed() command.Deed { return command.DeedOf(v.event) }

// happenings are the events that have a command of their own.
func happenings() []eventVerb {
	return []eventVerb{
		{
			event: "retract", use: "rm ID...", help: "Remove records from every list and every clone",
			more: "The text stays in the repository, and 'git ltm undo' brings the record back. --purge removes the text for good, here\n" +
				"and on the remote, as 'git ltm purge' does, which has more options. Change a secret all the same.",
		},
		{
			event: "restore", use: "restore ID...", flag: "restore",
			help: "Bring back what was removed, hidden or superseded",
			more: "What has expired stays so.",
		},
		{
			event: "archive", use: "archive ID...", flag: "hide",
			help: "Not shown automatically any more, found on request",
		},
		{
			event: "close", use: "close ID...", flag: "close",
			help: "The thread has ended, or the task is done",
		},
		{
			event: "reopen", use: "reopen ID...", flag: "reopen",
			help: "The thread or the task goes on after all",
		},
		{
			event: "expire", use: "expire ID...", flag: "until",
			help: "It ends now, in 3d, on a date, tomorrow, or at a time: `WHEN`",
			more: "What has ended is left out of lists, and its bytes stay.",
		},
		{
			event: "confirm", use: "confirm ID...", flag: "confirm", help: "It is still right",
			more: "That makes a record surer, and ends a contradiction. Each confirmation counts.",
		},
		{
			event: "contradict", use: "contradict ID...", flag: "wrong",
			help: "It is wrong, for the reason that --why gives",
			more: "That halves how sure a record is and marks it, and takes nothing away.",
		},
		{
			event: "impact", use: "impact ID low|medium|high|critical", flag: "impact",
			help: "How much depends on it, low, medium, high or critical: `LEVEL`",
			more: "What is critical is never forgotten, so that word counts only here and in clones that " +
				"trust your signature.",
		},
		{
			event: "digest", use: "digest ID TEXT", flag: "digest", help: "A short text beside it: `TEXT`",
			more: "The record stays as it is, both are shown, and each is labelled. The last digest counts.",
		},
		{
			event: "supersede", use: "supersede OLD...", flag: "superseded-by", by: "by",
			help: "Another record takes its place, for the reason of --why: `ID`",
			more: "They stay, and 'git ltm show' names what took their place.",
		},
		{
			event: "link", use: "link ID...", flag: "link", help: "It has to do with another record: `ID`",
			by: "to",
		},
	}
}

// eventVerbs are the commands that say what became of records.
func eventVerbs() []description {
	var all []description
	for _, v := range happenings() {
		group := events
		if v.flag == "" {
			group = changing
		}
		all = append(all, description{group, strings.Fields(v.use)[0], repository, reply.Changed{}, v.command})
	}
	return all
}

func (v eventVerb) command(e *env) *cobra.Command {
	var o eventOptions
	purging := purgeOptions{reason: replay.ReasonOther}
	short := v.help
	if said, _, ok := strings.Cut(v.help, ": `"); ok {
		short = said
	}
	long := short + "."
	if v.flag != "" {
		long += " 'git ltm edit ID --" + v.flag + "' does the same."
	}
	example := strings.NewReplacer("ID", "F3A2H5P9", "OLD", "F3A2H5P9", "...", "", "low|medium|high|critical", "high",
		"TEXT", "'CI needs -j1'").Replace("  git ltm " + v.use)
	if v.by != "" {
		example += " --" + v.by + " 3A2H5P9Z"
	}
	if v.deed().NeedsWhy {
		example += " --why 'It was measured again'"
	}
	if v.deed().Ends {
		example += " --until 3d"
	}
	cmd := &cobra.Command{
		Use: v.use, Short: short, Example: example,
		Long: strings.TrimSuffix(long+"\n"+v.more, "\n") + "",
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.deed().Valued {
				args, o.value = args[:1], args[1]
			}
			h, err := v.happening(e, cmd.Flags(), o, args)
			if err != nil {
				return err
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				if purging.forGood {
					return purgeRecords(cmd.Context(), e, m, purging, args)
				}
				return v.store(cmd.Context(), e, m, o, h)
			})
		},
	}
	f := cmd.Flags()
	if v.event == "retract" {
		f.BoolVar(&purging.forGood, "purge", false, "remove the text for good, which cannot be undone")
		f.BoolVarP(&purging.yes, "yes", "y", false, "with --purge: do not ask")
		f.BoolVar(&purging.now, "gc", false,
			"with --purge: collect the bytes at once, with 'git gc --prune=now'")
	}
	if v.by != "" {
		f.StringVar(&o.by, v.by, "", "the other record: `ID`")
	}
	if v.deed().Labelled {
		f.StringVar(&o.label, "label", "", "in which way: `TEXT`")
	}
	if v.deed().Ends {
		f.StringVar(&o.until, "until", "", "the end: `WHEN`")
		f.BoolVar(&o.now, "now", false, "they end now")
	}
	o.common(f)
	return cmd
}

// store stores what happened and says so.
func (v eventVerb) store(ctx context.Context, e *env, m *memory.Memory, o eventOptions, h gate.Happen) error {
	c, err := storeEvent(ctx, e, m, h)
	if err == nil && v.event == "confirm" {
		recall.Used(m, e.now(), c.Changed...)
	}
	if err == nil && h.Value == "critical" {
		e.hint("other clones heed it where they trust your signature")
	}
	err = tellChange(e, o, c, err, v.deed().Did, v.deed().Already)
	if err == nil && v.event == "retract" && len(c.Changed) > 0 && !e.forAgent() {
		e.hint(e.aimed("the text stays in the repository; to remove it for good: git ltm rm --purge " +
			briefing.ShortID(c.Changed[0])))
	}
	return err
}

// happening turns a command line into what happened, or says everything that is wrong with it.
func (v eventVerb) happening(e *env, f *pflag.FlagSet, o eventOptions, ids []string) (gate.Happen, error) {
	said := command.Said{Why: o.why, By: o.by, Value: cmp.Or(o.value, o.label), Until: o.until}
	h, err := v.deed().Happening(ids, said, e.now())
	if input, ok := errors.AsType[*command.InputError](err); ok {
		for i := range input.Problems {
			input.Problems[i].Path = strings.Replace(input.Problems[i].Path, "/by", "/"+v.by, 1)
		}
	}
	wrong := wrongInput(f, err)
	if v.deed().Ends {
		if o.now == (o.until != "") {
			wrong = append(wrong, errors.New("--until or --now says when, one of them"))
		}
		tellEnd(e, o.until, h.Until)
	}
	if err := readable(append(ids, o.why, o.label, o.value)...); err != nil {
		wrong = append(wrong, err)
	}
	return h, usage(wrong)
}

// storeEvent stores an event about records of the repository, and where it has none of them, of the
// user-wide memory. What is changed lies in one memory, or nothing is changed.
func storeEvent(ctx context.Context, e *env, m *memory.Memory, h gate.Happen) (gate.Change, error) {
	c, of, err := m.HappenWide(ctx, h)
	return c, tellUserStore(e, m, of, err)
}

// tellUserStore says that the records that were changed are of the user-wide memory.
func tellUserStore(e *env, m, of *memory.Memory, err error) error {
	if of != m {
		e.hint("this repository has no such record; your user-wide memory has")
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
	now                          bool

	before *reply.Changed // what was changed before, where this is one of several changes
}

// common are the flags that all of them have.
func (o *eventOptions) common(f *pflag.FlagSet) {
	f.StringVar(&o.why, "why", "", "the reason, kept in the event: `TEXT`")
}

// tellChange prints what an event did, or returns why there is none. Where several events were
// stored, they are named.
func tellChange(e *env, o eventOptions, c gate.Change, err error, did, already string,
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
	shape := reply.ChangedOf(c)
	if shape.Undo = e.undoOf(stored...); o.before != nil { // Several changes are one answer.
		for _, id := range o.before.Changed {
			if !slices.Contains(shape.Changed, id) {
				shape.Changed = append(shape.Changed, id)
			}
		}
		shape.Already = append(shape.Already, o.before.Already...)
		*o.before = shape
	} else if e.asJSON {
		return e.printJSON(shape)
	}
	for _, id := range c.Changed {
		e.printf("%s %s\n", did, id)
	}
	e.hintUndo(stored...)
	return nil
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
		e.hint("'" + undo + "' takes it back")
	}
}

func newUndo(e *env) *cobra.Command {
	var o eventOptions
	var yes bool
	cmd := &cobra.Command{
		Use:   "undo [ID]...",
		Short: "Revert the newest change, or the one you name",
		Long: "Undo reverts the newest change that was made in this clone, by you or by an agent: it says which and by whom, and\n" +
			"asks on a terminal. What was saved is retracted, what was edited, hidden or closed is as before. An undo is a change\n" +
			"itself, so that undo twice leaves all as it was. A purge cannot be undone.\n\n" +
			"With the ID of an event, of 'git ltm log --json' or 'git ltm show ID --events', it reverts that one, whoever made it;\n" +
			"with the ID of a record the last change of it that was made in this clone, and where nobody made one, it retracts the\n" +
			"record.",
		Example: "  git ltm undo\n  git ltm undo F3A2H5P9",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(append(args, o.why)...); err != nil {
				return &usageError{err: err}
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				if len(args) > 0 {
					return undoNamed(cmd.Context(), e, m, o, args)
				}
				return undoNewest(cmd.Context(), e, m, o, yes)
			})
		},
	}
	o.common(cmd.Flags())
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// undoNamed takes back events, and of records what this clone did to them last. It says what that was, and
// whose.
func undoNamed(ctx context.Context, e *env, m *memory.Memory, o eventOptions, specs []string) error {
	var events, saved []string
	for _, spec := range specs {
		found, of, err := m.FindAnyWide(ctx, spec)
		if err != nil {
			events = append(events, spec) // Whatever is wrong with it is said when it is taken back.
			continue
		}
		if found.Kind() == packet.KindEvent {
			if event, why := found.Open(replay.Asked); why == "" {
				e.hint("the change that you name: " + describeEvent(e, event))
			}
			events = append(events, spec)
			continue
		}
		about, err := of.History(ctx, found.ID)
		if err != nil {
			return err
		}
		own, others, err := lastStanding(ctx, of, about)
		switch {
		case err != nil:
			return err
		case own != nil:
			e.hint("the last change of it here: " + describeEvent(e, *own))
			events = append(events, string(own.ID))
		case others != nil && (found.Life.Closed || found.Life.Resting()):
			return fmt.Errorf("a change of %s that was made in this clone: %w; others made: %s; 'git ltm "+
				"undo %s' reverts that",
				found.ID, replay.ErrNotFound, describeEvent(e, *others), others.ID)
		default:
			saved = append(saved, string(found.ID))
		}
	}
	return revertEvents(ctx, e, m, o, gate.Happen{Event: replay.UndoEvent, Targets: events},
		gate.Happen{Event: "retract", Targets: saved})
}

// lastStanding are the last of some events that nothing took back: of those that this clone made, and of what
// others made that hides or ends a record.
func lastStanding(ctx context.Context, m *memory.Memory,
	about []replay.Shown,
) (own, others *replay.Shown, err error) {
	for _, event := range slices.Backward(about) {
		if !event.Made && (others != nil || !replay.Hides(event.EventKind())) {
			continue
		}
		undone, err := m.Undone(ctx, event.ID)
		switch {
		case err != nil:
			return nil, nil, err
		case undone:
		case event.Made:
			return &event, nil, nil
		default:
			others = &event
		}
	}
	return nil, others, nil
}

// describeEvent says what an event did, to what, by whom and when.
func describeEvent(e *env, s replay.Shown) string {
	event := s.Event()
	told := describeChange(e,
		replay.Happening{
			ID: s.ID, At: event.CreatedAt, What: event.Event, Targets: event.Targets,
			Why: s.Text(event.Why),
		})
	if s.Made {
		return told
	}
	return told + " (" + string(s.Verdict.Standing) + ", not made in this clone)"
}

// errUnchanged says that the person did not agree.
var errUnchanged = errors.New("nothing was changed")

// undoNewest takes back the newest change that this clone made.
func undoNewest(ctx context.Context, e *env, m *memory.Memory, o eventOptions, yes bool) error {
	made, err := newestMade(ctx, m)
	if err != nil {
		return err
	}
	if len(made) == 0 {
		return fmt.Errorf("a change that was made in this clone: %w", replay.ErrNotFound)
	}
	last := made[0]
	undo := gate.Happen{Event: replay.UndoEvent, Targets: []string{string(last.ID)}}
	switch {
	case last.What == replay.PurgeEvent:
		return usagef("the newest change is a purge of %s, which cannot be undone; 'git ltm undo ID' "+
			"reverts an older one", clean.Line(subject(last)))
	case last.What == replay.AllowEvent, last.What == replay.DisallowEvent:
		return fmt.Errorf("the newest change of %s: %w", clean.Line(subject(last)), gate.ErrAllowance)
	case isSave(last):
		undo.Event = "retract"
	case last.What == "supersede" && len(made) > 1 && isSave(made[1]) &&
		slices.Equal(last.By, []string{string(made[1].ID)}):
		// It was saved to take the place of the other, which takes it back.
		undo = gate.Happen{Event: "supersede", Targets: last.By, By: last.Targets[:1]}
	}
	e.hint("the newest change here: " + describeChange(e, last))
	if e.interactive() && !yes && e.askPerson("Revert it? [y/N] ") != 'y' {
		return errUnchanged
	}
	return revertEvents(ctx, e, m, o, undo)
}

// newestMade returns the newest changes that this clone made, two where there are.
func newestMade(ctx context.Context, m *memory.Memory) ([]replay.Happening, error) {
	for _, limit := range []int{50, 0} {
		all, err := tale(ctx, m, limit)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(h replay.Happening) bool { return !h.Made })
		if len(all) > 1 || limit == 0 {
			return all[:min(2, len(all))], nil
		}
	}
	return nil, nil
}

// isSave tells a record that was stored from what became of one.
func isSave(h replay.Happening) bool { return len(h.Targets) == 1 && h.Targets[0] == string(h.ID) }

// describeChange says what was done, to what, by whom and when.
func describeChange(e *env, h replay.Happening) string {
	text := clean.Line(h.What)
	var of []string
	for _, target := range h.Targets {
		of = append(of, briefing.ShortID(packet.ID(clean.Line(target))))
	}
	text += " " + strings.Join(of[:min(3, len(of))], " ") + " by " + clean.Line(h.Why.Origin().By()) + ", " +
		briefing.Age(h.At, e.now())
	if why := whyOf(h); why != "" {
		text += ": " + why
	}
	return text
}

// revertEvents stores what takes changes back, as far as there is something to.
func revertEvents(ctx context.Context, e *env, m *memory.Memory, o eventOptions, undo ...gate.Happen) error {
	var all gate.Change
	var stored []packet.ID
	for _, h := range undo {
		if h.Why = o.why; len(h.Targets) == 0 {
			continue
		}
		c, err := storeEvent(ctx, e, m, h)
		if err != nil {
			return err
		}
		all.Changed, all.Already = append(all.Changed, c.Changed...), append(all.Already, c.Already...)
		if c.Event != "" {
			stored, all.Event = append(stored, c.Event), c.Event
		}
	}
	return tellChange(e, o, all, nil, "undone", "undone already", stored...)
}
