package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
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
func eventVerbs() []verb {
	var all []verb
	for _, v := range happenings() {
		group := events
		if v.flag == "" {
			group = changing
		}
		all = append(all, verb{group, strings.Fields(v.use)[0], v.command})
	}
	return all
}

func (v eventVerb) command(e *env) *cobra.Command {
	var o eventOptions
	purging := purgeOptions{reason: replay.ReasonOther}
	count := cobra.MinimumNArgs(1)
	if v.deed().Valued {
		count = cobra.ExactArgs(2)
	}
	short := v.help
	if said, _, ok := strings.Cut(v.help, ": `"); ok {
		short = said
	}
	long := short + "."
	if v.flag != "" {
		long += " 'git ltm edit ID --" + v.flag + "' does the same."
	}
	cmd := &cobra.Command{
		Use:   v.use,
		Short: short,
		Long:  strings.TrimSuffix(long+"\n"+v.more, "\n") + "\n\n" + exitCodes,
		Args:  arguments(count),
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
					return e.purge(cmd.Context(), m, purging, args)
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
	c, err := e.happen(ctx, m, h)
	if err == nil && v.event == "confirm" {
		recall.Used(m, e.now(), c.Changed...)
	}
	if err == nil && h.Value == "critical" {
		e.say("hint", "other clones heed it where they trust your signature")
	}
	err = e.tellChange(o, c, err, v.deed().Did, v.deed().Already)
	if err == nil && v.event == "retract" && len(c.Changed) > 0 && !e.forAgent() {
		e.say("hint", e.aimed("the text stays in the repository; to remove it for good: git ltm rm --purge "+
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
		e.tellEnd(o.until, h.Until)
	}
	if err := readable(append(ids, o.why, o.label, o.value)...); err != nil {
		wrong = append(wrong, err)
	}
	return h, usage(wrong)
}
