package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
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
	event        string // required: the word of the event
	use          string // required: its first word names the command
	flag         string // of edit; none for rm
	help         string // required: what it says of a record
	more         string // what the command's own page says besides
	did, already string // what it prints of a record that it changed, and that was so before

	needsWhy bool   // a reason must be given
	by       string // the flag of the command that names the other record, if there is one
	label    bool   // it says how two records hang together
	ends     bool   // it says until when
	valued   bool   // the last argument is the value
}

// happenings are the events that have a command of their own.
func happenings() []eventVerb {
	return []eventVerb{
		{
			event: "retract", use: "rm ID...", help: "Remove records from every list and every clone", did: "retracted", already: "retracted already",
			more: "The text stays in the repository, and 'git ltm undo' brings the record back. --purge removes the text for good, here\n" +
				"and on the remote, as 'git ltm purge' does, which has more options. Change a secret all the same.",
		},
		{
			event: "restore", use: "restore ID...", flag: "restore", help: "Bring back what was removed, hidden or superseded",
			did: "restored", already: "neither retracted nor archived nor superseded", more: "What has expired stays so.",
		},
		{
			event: "archive", use: "archive ID...", flag: "hide", help: "Not shown automatically any more, found on request",
			did: "archived", already: "archived already",
		},
		{
			event: "close", use: "close ID...", flag: "close", help: "The thread has ended, or the task is done",
			did: "closed", already: "closed already",
		},
		{
			event: "reopen", use: "reopen ID...", flag: "reopen", help: "The thread or the task goes on after all",
			did: "reopened", already: "open already",
		},
		{
			event: "expire", use: "expire ID...", flag: "until", help: "It ends now, in 3d, on a date, tomorrow, or at a time: `WHEN`",
			did: "expires", ends: true, more: "What has ended is left out of lists, and its bytes stay.",
		},
		{
			event: "confirm", use: "confirm ID...", flag: "confirm", help: "It is still right", did: "confirmed",
			more: "That makes a record surer, and ends a contradiction. Each confirmation counts.",
		},
		{
			event: "contradict", use: "contradict ID...", flag: "wrong", help: "It is wrong, for the reason that --why gives",
			did: "contradicted", needsWhy: true, more: "That halves how sure a record is and marks it, and takes nothing away.",
		},
		{
			event: "impact", use: "impact ID low|medium|high|critical", flag: "impact",
			help: "How much depends on it, low, medium, high or critical: `LEVEL`", did: "rated", already: "rated so already", valued: true,
			more: "What is critical is never forgotten, so that word counts only here and in clones that trust your signature.",
		},
		{
			event: "digest", use: "digest ID TEXT", flag: "digest", help: "A short text beside it: `TEXT`", did: "digested", valued: true,
			more: "The record stays as it is, both are shown, and each is labelled. The last digest counts.",
		},
		{
			event: "supersede", use: "supersede OLD...", flag: "superseded-by", help: "Another record takes its place, for the reason of --why: `ID`",
			did: "superseded", already: "superseded by it already", needsWhy: true, by: "by",
			more: "They stay, and 'git ltm show' names what took their place.",
		},
		{
			event: "link", use: "link ID...", flag: "link", help: "It has to do with another record: `ID`", did: "linked", by: "to", label: true,
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
	if v.valued {
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
			h, err := v.happening(e, o, args)
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
		f.BoolVar(&purging.now, "gc", false, "with --purge: collect the bytes at once, with 'git gc --prune=now'")
	}
	if v.by != "" {
		f.StringVar(&o.by, v.by, "", "the other record: `ID`")
	}
	if v.label {
		f.StringVar(&o.label, "label", "", "in which way: `TEXT`")
	}
	if v.ends {
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
	err = e.tellChange(o, c, err, v.did, v.already)
	if err == nil && v.event == "retract" && len(c.Changed) > 0 && !e.forAgent() {
		e.say("hint", e.aimed("the text stays in the repository; to remove it for good: git ltm rm --purge "+briefing.ShortID(c.Changed[0])))
	}
	return err
}

// happening turns a command line into what happened, or says everything that is wrong with it.
func (v eventVerb) happening(e *env, o eventOptions, args []string) (gate.Happen, error) {
	h := gate.Happen{Event: v.event, Targets: args, Value: o.label, Why: o.why}
	var wrong []error
	if v.needsWhy && strings.TrimSpace(o.why) == "" {
		wrong = append(wrong, errors.New("--why takes the reason"))
	}
	if v.by != "" {
		h.By = []string{o.by}
		if o.by == "" {
			wrong = append(wrong, errors.New("--"+v.by+" names the other record"))
		}
	}
	if v.valued {
		h.Targets, h.Value = args[:1], args[1]
		if strings.TrimSpace(h.Value) == "" {
			wrong = append(wrong, errors.New("the last argument must not be empty"))
		}
		if v.event == "impact" && !packet.IsImpact(h.Value) {
			wrong = append(wrong, errors.New("the impact is low, medium, high or critical"))
		}
	}
	if v.ends {
		end, err := o.end(e.now())
		if err != nil {
			wrong = append(wrong, err)
		}
		h.Until = end
		e.tellEnd(o.until, end)
	}
	if err := readable(slices.Concat(args, []string{o.why, o.label})...); err != nil {
		wrong = append(wrong, err)
	}
	return h, usage(wrong)
}

// end reads when records end; the zero time is now.
func (o *eventOptions) end(now time.Time) (time.Time, error) {
	switch {
	case o.until == "now":
		return time.Time{}, nil
	case o.now == (o.until != ""):
		return time.Time{}, errors.New("--until or --now says when, one of them")
	case o.now:
		return time.Time{}, nil
	}
	end, err := reply.ParseFuture(o.until, now)
	if err != nil {
		return time.Time{}, fmt.Errorf("--until: %w; what has ended is said with --now", err)
	}
	return end, nil
}
