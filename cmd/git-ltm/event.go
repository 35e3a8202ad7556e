package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// eventVerb is a command that says what became of records. They are alike but for what stands here.
type eventVerb struct {
	event         string // required: the word of the event
	use           string // required: its first word names the command
	short         string // required
	long, example string // required
	flag          string // of edit, which does the same; none for rm
	flagHelp      string
	did, already  string // what it prints of a record that it changed, and that was so before

	needsWhy bool   // a reason must be given
	by       string // the flag that names the other record, if there is one
	byHelp   string
	label    bool // it says how two records hang together
	ends     bool // it says until when
	valued   bool // the last argument is the value
}

// hiding are the events that take records out of sight, and bring them back.
func hiding() []eventVerb {
	return []eventVerb{
		{
			event: "retract", use: "rm ID...", short: "Retract records", did: "retracted", already: "retracted already",
			long: "Rm takes records out of every list and every resume, here and in each clone that receives the event. The bytes stay\n" +
				"and 'git ltm restore' takes it back. A secret is not gone by this: take it for known, and change it.",
			example: "  git ltm rm @ --why 'wrong branch'",
		},
		{
			event: "restore", use: "restore ID...", flag: "restore", flagHelp: "bring it back: what was removed, hidden or superseded",
			short: "Take it back that records were retracted, archived or superseded",
			did:   "restored", already: "neither retracted nor archived nor superseded",
			long: "Restore brings records back into lists and resumes: what was retracted, archived, superseded or consolidated. What is\n" +
				"expired stays so: 'git ltm expire --until' moves the end.",
			example: "  git ltm restore 01JDMB4W1YNJZQR7K8F3A2H5P9",
		},
		{
			event: "archive", use: "archive ID...", flag: "hide", flagHelp: "not shown automatically any more, and found on request",
			short: "Keep records, and tell nobody of them unasked", did: "archived", already: "archived already",
			long:    "Archive takes records out of what sessions are told unasked. Lists and searches find them still.",
			example: "  git ltm archive F3A2H5P9 --why 'The old build is kept for reference'",
		},
		{
			event: "close", use: "close ID...", flag: "close", flagHelp: "the thread has ended, or the task is done",
			short: "Say that a thread or a task has ended", did: "closed", already: "closed already",
			long:    "Close ends the thread of a packet, or says that a task is done. Sessions are not told of it unasked any more.",
			example: "  git ltm close @ --why 'It shipped'",
		},
		{
			event: "reopen", use: "reopen ID...", flag: "reopen", flagHelp: "it goes on after all",
			short: "Take it back that a thread or a task has ended", did: "reopened", already: "open already",
			long:    "Reopen takes a close back.",
			example: "  git ltm reopen @",
		},
		{
			event: "expire", use: "expire ID...", flag: "until", flagHelp: "when it ends: now, 3d, 2w, a date, tomorrow, or a time: `WHEN`",
			short: "Say when records end", did: "expires", ends: true,
			long: "Expire sets the end of records, whatever they say themselves: --until a length such as 3d, a date, which lasts to its\n" +
				"end here, tomorrow, or a time; or --now. What has ended is left out of lists, and its bytes stay.",
			example: "  git ltm expire F3A2H5P9 --until 2w",
		},
	}
}

// judging are the events that say how much a record counts.
func judging() []eventVerb {
	return []eventVerb{
		{
			event: "confirm", use: "confirm ID...", flag: "confirm", flagHelp: "it is still right",
			short: "Say that records are still right", did: "confirmed",
			long:    "Confirm makes records surer, and ends a contradiction. Each confirmation counts.",
			example: "  git ltm confirm F3A2H5P9 --why 'Seen again with 1.27'",
		},
		{
			event: "contradict", use: "contradict ID...", flag: "wrong", flagHelp: "it is wrong; --why says why",
			short: "Say that records are wrong", did: "contradicted", needsWhy: true,
			long: "Contradict halves how sure records are and marks them, and takes nothing away. Where something else holds now, store\n" +
				"that and use 'git ltm supersede'.",
			example: "  git ltm contradict F3A2H5P9 --why 'The flag was removed in 1.27'",
		},
		{
			event: "impact", use: "impact ID low|medium|high|critical", flag: "impact", flagHelp: "how much depends on it: low, medium, high or critical: `LEVEL`",
			short: "Say how much depends on a record", did: "rated", already: "rated so already", valued: true,
			long: "Impact sets how much depends on a record. What is critical is never forgotten, so the word counts only where somebody\n" +
				"vouches for whoever said it: here, and in clones that trust your signature.",
			example: "  git ltm impact F3A2H5P9 high",
		},
		{
			event: "digest", use: "digest ID TEXT", flag: "digest", flagHelp: "a short text beside it: `TEXT`",
			short: "Put a short text beside a record", did: "digested", valued: true,
			long: "Digest adds a short text that says what a long record says. The record stays as it was signed, both are shown, and each\n" +
				"is labelled. The last digest counts.",
			example: "  git ltm digest F3A2H5P9 'CI needs -j1'",
		},
	}
}

// relating are the events that say how records hang together.
func relating() []eventVerb {
	return []eventVerb{
		{
			event: "supersede", use: "supersede OLD...", flag: "superseded-by", flagHelp: "the record that takes its place, with --why: `ID`",
			short: "Say that another record takes the place of these", did: "superseded",
			already: "superseded by it already", needsWhy: true, by: "by", byHelp: "the record that takes their place: `NEW`",
			long: "Supersede takes records out of lists in favour of another one. They stay, and 'git ltm show' names what took their\n" +
				"place. Where two records supersede each other, the event that came last counts.",
			example: "  git ltm supersede F3A2H5P9 --by 01JDMX00 --why 'The cache moved to the disk'",
		},
		{
			event: "link", use: "link ID...", flag: "link", flagHelp: "a record that it belongs to: `ID`",
			short: "Say that records belong together", did: "linked", by: "to", byHelp: "the other record: `ID`", label: true,
			long:    "Link says that records have to do with another one, and in which way. It changes nothing else.",
			example: "  git ltm link F3A2H5P9 --to 01JDMX00 --label 'is caused by'",
		},
	}
}

// happenings are the events that a command of its own stores.
func happenings() []eventVerb { return slices.Concat(hiding(), judging(), relating()) }

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
	count := cobra.MinimumNArgs(1)
	if v.valued {
		count = cobra.ExactArgs(2)
	}
	cmd := &cobra.Command{
		Use:     v.use,
		Short:   v.short,
		Long:    v.long + "\n\n" + exitCodes,
		Example: v.example,
		Args:    arguments(count),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := v.happening(e, o, args)
			if err != nil {
				return err
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error { return v.store(cmd.Context(), e, m, o, h) })
		},
	}
	f := cmd.Flags()
	if v.by != "" {
		f.StringVar(&o.by, v.by, "", v.byHelp)
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
	return e.tellChange(o, c, err, v.did, v.already)
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
