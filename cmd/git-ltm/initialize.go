package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type initOptions struct{ undo, dryRun bool }

func newInit(e *env) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init [REMOTE]",
		Short: "Let git fetch bring the memory of a remote",
		Long: "Init adds one refspec to the configuration of this clone, so that a plain git fetch brings the records of REMOTE to\n" +
			"where they can neither overwrite nor prune what is here. It prints each line that it adds.\n\n" +
			"Records go out with: git push REMOTE '" + remote.PushSpec + "'\n\n" + exitCodes,
		Example: "  git ltm init\n  git ltm init --undo",
		Args:    arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return e.init(cmd.Context(), o, name)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.undo, "undo", false, "take out what init added")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would change")
	return cmd
}

func (e *env) init(ctx context.Context, o initOptions, name string) error {
	repo, err := git.Open(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	plan, err := remote.PlanFor(ctx, repo, name)
	if err != nil {
		return err
	}
	lines, sign, apply := plan.Add, "+", plan.Apply
	if o.undo {
		lines, sign, apply = plan.Have, "-", plan.Undo
	}
	public := strings.NewReplacer(plan.Remote, e.printable(plan.Remote)) // Within a refspec a secret might not be told.
	for _, s := range lines {
		if _, err := fmt.Fprintf(e.stdout, "%s %s = %s\n", sign, e.printable(public.Replace(s.Key)), e.printable(public.Replace(s.Value))); err != nil {
			return err
		}
	}
	if len(lines) == 0 {
		e.say("hint", "there is nothing to change")
	}
	if o.dryRun {
		e.say("hint", "this was a dry run, nothing was changed")
		return nil
	}
	if err := apply(ctx, repo); err != nil {
		return err
	}
	if !o.undo && len(lines) > 0 {
		e.say("hint", fmt.Sprintf("git fetch %s brings records; git push %s '%s' sends yours", plan.Remote, plan.Remote, remote.PushSpec))
	}
	return nil
}
