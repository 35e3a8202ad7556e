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

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// makesStore marks a command that makes the user-wide memory where there is none.
const makesStore = "makes-store"

// noteFlags are what a command says of a note, a task or a skip, and how that is stored.
type noteFlags struct {
	smallFlags
	command.Note

	match reply.Match
	cites []string

	batch, shared bool
}

// about adds the flags that all of them have.
func (o *noteFlags) about(f *pflag.FlagSet) {
	f.StringVar(&o.Why, "why", "", "the reason: `TEXT`")
	f.StringVar(&o.Until, "until", "", "when it ends: 3d, 2w, a date, tomorrow, or a time: `WHEN`")
	f.StringArrayVar(&o.Tags, "tag", nil, "a `TAG`, brought into lower case with hyphens; can be given again")
	f.StringArrayVar(&o.cites, "cite", nil, "a place in the code, from here: `PATH[:LINE[-LINE]]`")
	o.smallFlags.flags(f)
}

// belongs adds the flags that say where a note belongs.
func (o *noteFlags) belongs(f *pflag.FlagSet) {
	f.StringVar(&o.Topic, "topic", "", "what it belongs to, such as warehouse/snowflake: `TOPIC`")
	f.StringArrayVar(&o.Links, "link", nil, "a record that it speaks of: `ID`")
}

// warns adds the flags that say what agents are warned at.
func (o *noteFlags) warns(f *pflag.FlagSet) {
	f.StringVar(&o.match.Command, "command", "",
		"warn at commands that have these words and options: `COMMAND`")
	f.StringVar(&o.match.Path, "path", "", "warn at changes of these files, from here: `GLOB`")
	f.StringVar(&o.match.Adds, "adds", "", "warn where this package or text is added: `TEXT`")
	f.StringVar(&o.match.Words, "words", "", "warn at these words, in any order: `WORDS`")
}

// check settles what the flags leave open, and says everything that is wrong with the command line.
func (o *noteFlags) check(e *env, cmd *cobra.Command, args []string) error {
	o.Tags = e.slugs(o.Tags)
	wrong := wrongInput(cmd.Flags(), o.Prepare(e.now()))
	if o.IsPersonal() && !o.shared {
		o.keepHere(e, cmd)
	}
	wrong = append(o.smallFlags.problems(e), wrong...)
	said := slices.Concat(args, []string{o.Why, o.Topic, o.Next}, o.Tags, o.cites, o.Links)
	if err := readable(append(said, o.match.Words, o.match.Path, o.match.Command, o.match.Adds)...); err !=
		nil {
		wrong = append(wrong, err)
	}
	return usage(wrong)
}

// wrongInput is what is wrong with an input, each beside the flag that says it.
func wrongInput(f *pflag.FlagSet, err error) []error {
	input, ok := errors.AsType[*command.InputError](err)
	if !ok {
		return nil
	}
	var all []error
	for _, p := range input.Problems {
		name := strings.TrimPrefix(p.Path, "/")
		if f.Lookup(name) == nil {
			name = strings.TrimSuffix(name, "s")
		}
		if f.Lookup(name) != nil {
			all = append(all, fmt.Errorf("--%s: %s", name, p.Text))
		} else {
			all = append(all, errors.New(p.Text))
		}
	}
	return all
}

func newNote(e *env) *cobra.Command {
	var o noteFlags
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
	f.StringVar(&o.Kind, "kind", "fact", "what it is: `KIND`")
	f.StringVar(&o.Impact, "impact", "", "how much depends on it: low, medium or high: `LEVEL`")
	f.StringVar(&o.Confidence, "confidence", "", "how sure it is: low, medium or high: `LEVEL`")
	f.BoolVar(&o.batch, "batch", false, "read many records as JSON Lines")
	o.belongs(f)
	o.warns(f)
	o.about(f)
	return cmd
}

func (e *env) note(cmd *cobra.Command, o noteFlags, args []string) error {
	if o.batch {
		return e.noteBatch(cmd, o, args)
	}
	if err := o.check(e, cmd, args); err != nil {
		return err
	}
	return e.withText(cmd.Context(), args, func(m *memory.Memory, text string) error {
		return e.keepNote(cmd.Context(), m, o, text)
	})
}

// keepNote stores a note, a task or a skip, and prints its id. Places are named as seen from here.
func (e *env) keepNote(ctx context.Context, m *memory.Memory, o noteFlags, text string) error {
	o.Text = text
	if o.match != (reply.Match{}) {
		o.match.Path = git.Below(m.Repo().Prefix, o.match.Path)
		o.Match = &o.match
	}
	for _, place := range o.cites {
		cite := command.ParseCite(place)
		cite.Path = git.Below(m.Repo().Prefix, cite.Path)
		o.Cites = append(o.Cites, cite)
	}
	e.tellEnd(o.Until, o.Ends)
	receipts, err := command.SaveNotes(ctx, m, []command.Note{o.Note}, func(command.Note) gate.SmallRequest {
		return o.request(nil)
	})
	if err != nil {
		return &smallError{err}
	}
	e.explain(receipts[0])
	return e.acknowledge(ctx, m, receipts[0], rehearsal(o.dryRun), o.json)
}

// tellEnd shows the time that a word or a date stands for.
func (e *env) tellEnd(said string, ends time.Time) {
	if said != "" && !ends.IsZero() && said != reply.Stamp(ends) {
		e.say("hint", "it ends at "+ends.In(e.now().Location()).Format(time.RFC3339))
	}
}
