package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type initOptions struct{ undo, ride, dryRun bool }

func newInit(e *env) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init [REMOTE...]",
		Short: "Let git fetch bring the memory of a remote",
		Long: "Init adds one refspec for each REMOTE to the configuration of this clone, so that a plain git fetch brings its records\n" +
			"to where they can neither overwrite nor prune what is here. It prints each line before it adds it.\n\n" +
			"With --ride-along memory goes too when git push goes to the remote of memory: ltm.autoSync is set, and the hook\n" +
			"pre-push is written where no other hook and no manager of hooks is; otherwise init prints the lines to add. The push\n" +
			"does not wait for it, and 'git ltm status' tells what became of it.\n\n" +
			"--undo takes out what init added, to the byte: all of it, or what belongs to each REMOTE, or to --ride-along.\n\n" +
			"'git ltm sync' needs none of this. Without it, records go out with: git push REMOTE '" + remote.PushSpec + "'\n\n" + exitCodes,
		Example: "  git ltm init\n  git ltm init origin backup\n  git ltm init --ride-along\n  git ltm init --undo",
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
	f.BoolVar(&o.ride, "ride-along", false, "let memory go along with git push")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would change")
	return cmd
}

// init shows what will change, and changes it.
func (e *env) init(ctx context.Context, repo *git.Repo, o initOptions, names []string) error {
	plans, err := e.plans(ctx, repo, o, names)
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
	var place hook.Place
	if o.ride {
		if place, err = e.planHook(ctx, repo); err != nil {
			return err
		}
		if place.Keeper == hook.Nobody && !place.Own {
			added++
		}
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
	if o.ride {
		if err := e.installRide(ctx, repo, place); err != nil {
			return err
		}
	}
	e.tellInit(plans)
	return nil
}

// plans are what is to be added for each remote, or for the default one.
func (e *env) plans(ctx context.Context, repo *git.Repo, o initOptions, names []string) ([]remote.Plan, error) {
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
	if o.ride {
		p, err := remote.PlanRide(ctx, repo)
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

// setting is a line of configuration fit to be printed. Within a refspec the name of a remote might hold a secret that no
// rule would know.
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
		if p.Remote != "" && len(p.Add) > 0 {
			e.say("hint", fmt.Sprintf("git fetch %s brings records from now on; 'git ltm sync' sends yours, too", p.Remote))
		}
	}
}

// undoInit shows what will be taken out, and takes it out.
func (e *env) undoInit(ctx context.Context, repo *git.Repo, o initOptions, names []string) error {
	undo, err := remote.UndoFor(ctx, repo, remote.UndoRequest{Remotes: names, Ride: o.ride})
	if err != nil {
		return err
	}
	if err := e.printLines("-", undo.Remove); err != nil {
		return err
	}
	if undo.Hook != "" {
		if _, err := fmt.Fprintf(e.stdout, "- %s\n", e.printable(undo.Hook)); err != nil {
			return err
		}
	}
	for _, s := range undo.Foreign {
		e.say("hint", "init did not add "+e.setting(s)+"; it goes with: "+s.Command())
	}
	if len(undo.Remove) == 0 && undo.Hook == "" {
		e.say("hint", "there is nothing to change")
	}
	if o.dryRun {
		e.say("hint", "this was a dry run, nothing was changed")
		return nil
	}
	if undo.Hook != "" {
		if err := e.uninstallRide(ctx, repo); err != nil {
			return err
		}
	}
	err = undo.Apply(ctx, repo)
	if changed, ok := errors.AsType[*remote.ChangedError](err); ok {
		e.say("hint", "look at it; whatever stands around it, this takes it out: "+changed.Command())
	}
	return err
}

// planHook says what will become of the hook that lets memory ride along.
func (e *env) planHook(ctx context.Context, repo *git.Repo) (hook.Place, error) {
	site, err := hookSite(ctx, repo)
	if err != nil {
		return hook.Place{}, err
	}
	place, err := hook.PrePush.At(site)
	if err != nil || place.Own || place.Keeper != hook.Nobody {
		return place, err
	}
	_, err = fmt.Fprintf(e.stdout, "+ %s\n", e.printable(place.Path))
	return place, err
}

// installRide writes the hook, or says what to add to the one of somebody else.
func (e *env) installRide(ctx context.Context, repo *git.Repo, place hook.Place) error {
	if place.Keeper != hook.Nobody {
		if place.Calls {
			return nil
		}
		e.warnf("%v; until it calls git ltm, no memory rides along", &hook.TakenError{Place: place})
		e.tellLines(place)
		return nil
	}
	site, err := hookSite(ctx, repo)
	if err != nil {
		return err
	}
	path, written, err := hook.PrePush.Install(site)
	if err != nil || !written {
		return err
	}
	return remote.KeepHook(ctx, repo, path)
}

// uninstallRide takes out the hook that init wrote. One that was changed since stays.
func (e *env) uninstallRide(ctx context.Context, repo *git.Repo) error {
	site, err := hookSite(ctx, repo)
	if err != nil {
		return err
	}
	_, _, err = hook.PrePush.Uninstall(site)
	if taken, ok := errors.AsType[*hook.TakenError](err); ok {
		e.warnf("%v any more, so it stays; take out what calls git ltm", taken)
		return nil
	}
	return err
}
