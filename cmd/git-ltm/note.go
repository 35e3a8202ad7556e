package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// makesStore marks a command that makes the user-wide memory where there is none.
const makesStore = "makes-store"

// defaultNote is the kind of a note whose author did not say one. Nothing is guessed from its words.
const defaultNote = "fact"

type noteOptions struct {
	smallFlags
	about
	matchFlags
	kind, impact, confidence string
	batch                    bool
}

// about are the flags that say more of a small record.
type about struct {
	why, topic, expires string
	tags, cites, links  []string

	ends time.Time
}

func (a *about) flags(f *pflag.FlagSet) {
	f.StringVar(&a.why, "why", "", "the reason: `TEXT`")
	f.StringVar(&a.topic, "topic", "", "what it belongs to, such as warehouse/snowflake: `TOPIC`")
	f.StringArrayVar(&a.tags, "tag", nil, "a `TAG`, brought into lower case with hyphens; can be given again")
	f.StringVar(&a.expires, "until", "", "when it ends: 3d, 2w, a date, tomorrow, or a time: `WHEN`")
	f.StringArrayVar(&a.cites, "cite", nil, "a place in the code, from here: `PATH[:LINE[-LINE]]`")
	f.StringArrayVar(&a.links, "link", nil, "a record that it speaks of: `ID`")
}

// problems says what is wrong with the flags, and settles when the record ends.
func (a *about) problems(now time.Time) []error {
	var wrong []error
	if a.expires != "" {
		end, err := reply.ParseFuture(a.expires, now)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--until: %w", err))
		}
		a.ends = end
	}
	if err := readable(slices.Concat([]string{a.why, a.topic}, a.tags, a.cites, a.links)...); err != nil {
		wrong = append(wrong, err)
	}
	return wrong
}

func newNote(e *env) *cobra.Command {
	var o noteOptions
	cmd := &cobra.Command{
		Use:   "note [TEXT]",
		Short: "Save one fact, decision or pitfall",
		Long: "Note stores one thing that later sessions should know, and prints its id alone on standard output. The text is the\n" +
			"argument, or standard input, or on a terminal what you write in your editor. Write an instruction with its reason,\n" +
			"not a log.\n\n" +
			"The kinds are " + strings.Join(packet.NoteKinds(), ", ") + ".\n" +
			"Other words that memory systems use, such as insight, friction or instruction, stand for one of them. Without --kind\n" +
			"it is a fact. An identity is private unless --private=false is given.\n\n" +
			"With --command, --path, --adds or --words, agents are warned of it at each call that meets it, as of a skip without an\n" +
			"end.\n\n" +
			"With --batch it reads JSON Lines from a FILE or standard input: one note or skip a line, with the members\n" +
			"that 'git ltm show --json' shows. Type, id and time can be left out, and expires_at can be 3d or a date. Lines that\n" +
			"pass are stored together, and their ids printed in the same order; each other line is named with what is wrong with it.\n" +
			"Where both are, the exit code is 8.\n\n" +
			"Where another record says the same already, it is stored all the same, and behind the id a warning names the command\n" +
			"that replaces the old one. It is compared with what the index of questions holds. 'git ltm lint' says what could be\n" +
			"better about a note.\n\n" +
			"--json prints an object with id, ref, bytes, known, signed, dry_run and findings, and of a dry run duplicates where\n" +
			"others say the same; of a batch an array of them.\n\n" + exitCodes,
		Example: "  git ltm note --kind pitfall --tag ci 'Run the linter with -j1' --why 'It needs 4 GB a job'\n" +
			"  git ltm note --batch facts.jsonl",
		Args:        arguments(cobra.MaximumNArgs(1)),
		Annotations: map[string]string{makesStore: ""},
		RunE:        func(cmd *cobra.Command, args []string) error { return e.note(cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.kind, "kind", defaultNote, "what it is: `KIND`")
	f.StringVar(&o.impact, "impact", "", "how much depends on it: low, medium or high: `LEVEL`")
	f.StringVar(&o.confidence, "confidence", "", "how sure it is: low, medium or high: `LEVEL`")
	f.BoolVar(&o.batch, "batch", false, "read many records as JSON Lines")
	o.about.flags(f)
	o.matchFlags.flags(f)
	o.smallFlags.flags(f)
	return cmd
}

func (e *env) note(cmd *cobra.Command, o noteOptions, args []string) error {
	if o.batch {
		return e.noteBatch(cmd, o, args)
	}
	if kind, _ := packet.NoteKind(o.kind); kind == packet.NoteIdentity {
		o.keepHere(e, cmd)
	}
	if err := e.checkNote(&o, args); err != nil {
		return err
	}
	return e.withText(cmd.Context(), args, func(m *memory.Memory, text string) error {
		note := draftNote{Kind: o.kind, Text: text, Impact: o.impact, Confidence: o.confidence, Match: o.match(m.Repo().Prefix)}
		return e.keepNote(cmd.Context(), m, note, o.about, o.smallFlags)
	})
}

// checkNote says everything that is wrong with the command line.
func (e *env) checkNote(o *noteOptions, args []string) error {
	wrong := slices.Concat(o.smallFlags.problems(e), o.about.problems(e.now()))
	kind, known := packet.NoteKind(o.kind)
	if !known {
		wrong = append(wrong, errors.New("--kind takes one of "+strings.Join(packet.NoteKinds(), ", ")))
	}
	o.kind = kind
	switch o.impact {
	case "", "low", "medium", "high":
	case "critical":
		wrong = append(wrong, errCritical)
	default:
		wrong = append(wrong, errors.New("--impact takes low, medium or high"))
	}
	switch o.confidence {
	case "", "low", "medium", "high":
	default:
		wrong = append(wrong, errors.New("--confidence takes low, medium or high"))
	}
	if err := readable(append(args, o.words, o.path, o.command, o.adds)...); err != nil {
		wrong = append(wrong, err)
	}
	return usage(wrong)
}

// errCritical says that a note is not critical by its own words.
var errCritical = errors.New("nothing is critical by its own word: store it, then 'git ltm impact ID critical', which has an effect where your key is trusted")

// draftNote is the JSON shape of a note before the gate fills in the rest.
type draftNote struct {
	Type       packet.Kind    `json:"type"`
	Kind       string         `json:"kind"`
	Text       string         `json:"text"`
	Why        string         `json:"why,omitempty"`
	Topic      string         `json:"topic,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Impact     string         `json:"impact,omitempty"`
	Confidence string         `json:"confidence,omitempty"`
	Category   string         `json:"category,omitempty"`
	Status     string         `json:"status,omitempty"`
	Priority   int            `json:"priority,omitempty"`
	NextAction string         `json:"next_action,omitempty"`
	ExpiresAt  string         `json:"expires_at,omitempty"`
	Match      *reply.Match   `json:"match,omitempty"`
	Cites      []composedCite `json:"cites,omitempty"`
	Links      []string       `json:"links,omitempty"`
}

// keepNote stores a note with what the flags say of it.
func (e *env) keepNote(ctx context.Context, m *memory.Memory, note draftNote, a about, s smallFlags) error {
	links, err := e.linked(ctx, m, s.reach, a.links)
	if err != nil {
		return err
	}
	note.Type = packet.KindNote
	note.Why, note.Topic, note.Tags, note.Links = a.why, a.topic, e.slugs(a.tags), links
	note.Cites, note.ExpiresAt = below(m.Repo().Prefix, a.cites), reply.Stamp(a.ends)
	e.tellEnd(a.expires, a.ends)
	return e.keep(ctx, m, s, note)
}

// tellEnd shows the time that a word or a date stands for.
func (e *env) tellEnd(said string, ends time.Time) {
	if said != "" && !ends.IsZero() && said != reply.Stamp(ends) {
		e.say("hint", "it ends at "+ends.In(e.now().Location()).Format(time.RFC3339))
	}
}
