package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type initOptions struct {
	undo, dryRun bool
	quiet        bool // nothing to undo is not worth a word
}

func newInit(e *env) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init [REMOTE...]",
		Short: "Let git fetch bring the memory of a remote",
		Long: "Init adds one refspec for each REMOTE to the configuration of this clone, so that a plain git fetch brings its records\n" +
			"to where they can neither overwrite nor prune what is here. It prints each line before it adds it.\n\n" +
			"--undo takes out what init added, to the byte: all of it, or what belongs to each REMOTE.\n\n" +
			"'git ltm sync' and 'git ltm setup' need none of this. Without it, records go out with: git " +
			"push REMOTE '" + remote.PushSpec + "'\n\n" + exitCodes,
		Example: "  git ltm init\n  git ltm init origin backup\n  git ltm init --undo",
		Args:    arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, names []string) error {
			repo, err := git.Open(cmd.Context(), e.dir, e.vars)
			if err != nil {
				return err
			}
			if o.undo {
				return e.undoInit(cmd.Context(), repo, o, names)
			}
			return e.init(cmd.Context(), repo, o, names)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.undo, "undo", false, "take out what init added")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would change")
	return cmd
}

// init shows what will change, and changes it.
func (e *env) init(ctx context.Context, repo *git.Repo, o initOptions, names []string) error {
	plans, err := plansFor(ctx, repo, names)
	if err != nil {
		return err
	}
	added := 0
	for _, p := range plans {
		if err := e.printLines("+", p.Add); err != nil {
			return err
		}
		added += len(p.Add)
	}
	if added == 0 {
		e.say("hint", "there is nothing to change")
	}
	if o.dryRun {
		e.say("hint", "this was a dry run, nothing was changed")
		return nil
	}
	for _, p := range plans {
		if err := p.Apply(ctx, repo); err != nil {
			return err
		}
	}
	e.tellInit(plans)
	return nil
}

// plansFor are what is to be added for each remote, or for the default one.
func plansFor(ctx context.Context, repo *git.Repo, names []string) ([]remote.Plan, error) {
	if len(names) == 0 {
		names = []string{""}
	}
	var plans []remote.Plan
	for _, name := range names {
		p, err := remote.PlanFor(ctx, repo, name)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// printLines prints lines of configuration.
func (e *env) printLines(sign string, lines []remote.Setting) error {
	for _, s := range lines {
		if _, err := fmt.Fprintf(e.stdout, "%s %s\n", sign, e.setting(s)); err != nil {
			return err
		}
	}
	return nil
}

// setting is a line of configuration fit to be printed. Within a refspec the name of a remote might hold a
// secret that no rule would know.
func (e *env) setting(s remote.Setting) string {
	key, value := s.Key, s.Value
	if name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".fetch"); ok && name != "" {
		public := strings.NewReplacer(name, e.printable(name))
		key, value = public.Replace(key), public.Replace(value)
	}
	return e.printable(key) + " = " + e.printable(value)
}

// tellInit says how records come and go now.
func (e *env) tellInit(plans []remote.Plan) {
	for _, p := range plans {
		if len(p.Add) > 0 {
			e.say("hint", fmt.Sprintf(
				"git fetch %s brings records from now on; 'git ltm sync' sends yours, too", p.Remote))
		}
	}
}

// undoInit shows what will be taken out, and takes it out.
func (e *env) undoInit(ctx context.Context, repo *git.Repo, o initOptions, names []string) error {
	undo, err := remote.UndoFor(ctx, repo, names)
	if err != nil {
		return err
	}
	if err := e.printLines("-", undo.Remove); err != nil {
		return err
	}
	for _, s := range undo.Foreign {
		e.say("hint", "init did not add "+e.setting(s)+"; it goes with: "+s.Command())
	}
	if len(undo.Remove) == 0 && !o.quiet {
		e.say("hint", "there is nothing to change")
	}
	if o.dryRun {
		if !o.quiet {
			e.say("hint", "this was a dry run, nothing was changed")
		}
		return nil
	}
	err = undo.Apply(ctx, repo)
	if changed, ok := errors.AsType[*remote.ChangedError](err); ok {
		e.say("hint", "look at it; whatever stands around it, this takes it out: "+changed.Command())
	}
	return err
}
