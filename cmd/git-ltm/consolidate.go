package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type consolidateOptions struct {
	apply, dryRun, json bool
	text, why           string

	groups  []string // those that are applied
	replace bool     // text takes the place of the draft
}

func newConsolidate(e *env) *cobra.Command {
	var o consolidateOptions
	cmd := &cobra.Command{
		Use:   "consolidate [--apply GROUP...]",
		Short: "Put notes that say one thing into one",
		Long: "Consolidate looks for three or more notes that share two tags, or one tag and much of their text, and shows each group\n" +
			"with the note that could stand in its place. Nothing is stored. Each sentence of that note stood in one of the sources;\n" +
			"no model writes it. Tags that name a source, and those on a fifth of all notes, bind nothing. Only notes of one author\n" +
			"come together, of one store, which end on the same day or never; a decision never meets a pitfall.\n\n" +
			"Where two notes state something differently, the group is shown with what they differ in, and cannot be applied: only\n" +
			"somebody who knows says which holds, with 'git ltm supersede' or 'git ltm contradict'. What was contradicted, and what\n" +
			"is not trusted here, is left out.\n\n" +
			"--apply stores the notes of the groups with these keys. A key stands for exactly what was shown: where the group or its\n" +
			"draft is another by now, nothing is stored. First the new note is stored, through the gate, and then the event that\n" +
			"lets sessions be shown it in place of its sources. The new note has the lowest confidence and the highest impact of\n" +
			"them, their end, their links and citations and the uses of all. They stay, searches find them, and one 'git ltm undo'\n" +
			"of the event brings them back.\n\n" +
			"--json prints an array of groups with group, cards, tags, conflict and draft; of --apply with group, id, event and\n" +
			"sources.\n\n" + exitCodes,
		Example: "  git ltm consolidate\n  git ltm consolidate --apply 3f9a0c51d2 --text 'Run the linter " +
			"with -j1 on every runner'",
		RunE: func(cmd *cobra.Command, args []string) error { return e.consolidate(cmd, o, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.apply, "apply", false, "put these groups together")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "store nothing")
	f.StringVar(&o.text, "text", "", "say it so, and not as the draft does; - is standard input: `TEXT`")
	f.StringVar(&o.why, "why", "", "the reason, kept in the event: `TEXT`")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

// errGroup says that a group is no more as it was shown.
var errGroup = errors.New("there is no such group, or it has changed")

// errConflict says that a group states something in two ways.
var errConflict = errors.New("its notes state something differently")

func (e *env) consolidate(cmd *cobra.Command, o consolidateOptions, args []string) error {
	ctx := cmd.Context()
	o.groups, o.replace = args, cmd.Flags().Changed("text")
	if err := o.check(); err != nil {
		return err
	}
	if o.text == standardInput {
		data, err := e.readStdin(ctx, maxSmallInput)
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		o.text = trimmed(data)
	}
	if o.replace && o.text == "" {
		return usagef("--text says nothing")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		bed, err := recall.Cards(ctx, m)
		if err != nil {
			return err
		}
		groups := groupsOf(bed)
		if !o.apply {
			return e.showGroups(groups, bed, o)
		}
		chosen, err := chooseGroups(groups, o.groups)
		if err != nil {
			return err
		}
		return e.applyGroups(ctx, m, bed, chosen, o)
	})
}

// check says everything that is wrong with the command line.
func (o consolidateOptions) check() error {
	var wrong []error
	switch {
	case o.apply && len(o.groups) == 0:
		wrong = append(wrong,
			errors.New("--apply takes the keys of the groups, as 'git ltm consolidate' shows them"))
	case !o.apply && len(o.groups) > 0:
		wrong = append(wrong, errors.New("groups are named with --apply"))
	}
	if !o.apply && (o.replace || o.why != "") {
		wrong = append(wrong, errors.New("--text and --why go with --apply"))
	}
	if o.replace && len(o.groups) != 1 {
		wrong = append(wrong, errors.New("--text goes with one group"))
	}
	if err := readable(o.text, o.why); err != nil {
		wrong = append(wrong, err)
	}
	return usage(wrong)
}

// chooseGroups returns the groups with some keys, all of them or none.
func chooseGroups(groups []group, keys []string) ([]group, error) {
	var chosen []group
	var wrong []error
	for _, key := range keys {
		g, ok := groupWith(groups, strings.ToLower(key))
		switch {
		case !ok:
			wrong = append(wrong, fmt.Errorf("group %q: %w", reply.Word(key), errGroup))
		case g.Conflict != "":
			wrong = append(wrong, fmt.Errorf("group %s: %w: %s", g.Key, errConflict, g.Conflict))
		case !has(chosen, g.Key):
			chosen = append(chosen, g)
		}
	}
	return chosen, errors.Join(wrong...)
}

func groupWith(groups []group, key string) (group, bool) {
	for _, g := range groups {
		if g.Key == key {
			return g, true
		}
	}
	return group{}, false
}

func has(groups []group, key string) bool {
	_, is := groupWith(groups, key)
	return is
}

// applyGroups puts groups together, one after the other. What was done before one fails stays done, and is
// told.
func (e *env) applyGroups(ctx context.Context, m *memory.Memory, bed recall.Bed, chosen []group,
	o consolidateOptions,
) error {
	done := []merged{}
	for _, g := range chosen {
		one, err := e.applyGroup(ctx, m, bed, g, o)
		if err != nil {
			return errors.Join(fmt.Errorf("group %s: %w", g.Key, err), e.printMerged(done, o))
		}
		done = append(done, one)
	}
	return e.printMerged(done, o)
}
