package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
)

func newHookInstall(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "install HOOK",
		Short: "Write a hook that guards pushes",
		Long: "Install writes the hook pre-push or pre-receive where git looks for it, core.hooksPath included, and prints its path. It\n" +
			"is two lines that call git-ltm. A hook that is there is never changed, nor a file of the work tree, nor what husky,\n" +
			"lefthook or pre-commit keep: then install prints the lines to add, and to which file.\n\n" +
			exitCodes,
		Example: "  git ltm hook install pre-push\n  git -C /srv/project.git ltm hook install pre-receive",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.placeHook(cmd.Context(), args[0], hook.Name.Install, e.tellLines,
				"it is installed already")
		},
	}
}

func newHookUninstall(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "uninstall HOOK",
		Short:   "Take out a hook that install wrote",
		Long:    "Uninstall removes the hook that install wrote, and prints its path. A hook with one other byte in it stays.\n\n" + exitCodes,
		Example: "  git ltm hook uninstall pre-push",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.placeHook(cmd.Context(), args[0], hook.Name.Uninstall, e.tellOwnLine,
				"there is no such hook")
		},
	}
}

// placeHook puts a hook where git looks for it, or takes it from there.
func (e *env) placeHook(ctx context.Context, arg string,
	place func(hook.Name, hook.Site) (string, bool, error), tell func(hook.Place), idle string,
) error {
	name := hook.Name(arg)
	if !name.Known() {
		return usagef("there is no hook %q: want pre-push or pre-receive", arg)
	}
	repo, err := git.Open(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	site, err := hookSite(ctx, repo)
	if err != nil {
		return err
	}
	path, changed, err := place(name, site)
	if taken, ok := errors.AsType[*hook.TakenError](err); ok {
		tell(taken.Place)
	}
	if err != nil {
		return err
	}
	if !changed {
		e.say("hint", idle+": "+path)
		return nil
	}
	if site.Shared {
		e.say("hint", "core.hooksPath led there; other repositories may share it")
	}
	_, err = fmt.Fprintln(e.stdout, clean.Line(path))
	return err
}

// hookSite is where a repository has its hooks.
func hookSite(ctx context.Context, repo *git.Repo) (hook.Site, error) {
	dir, err := repo.HooksDir(ctx)
	if err != nil {
		return hook.Site{}, err
	}
	return hook.Site{Dir: dir, WorkTree: repo.WorkTree, GitDir: repo.CommonDir}.Resolve(), nil
}

// tellOwnLine says what of a hook that somebody else keeps is to be taken out by hand.
func (e *env) tellOwnLine(p hook.Place) {
	if p.Calls {
		e.say("hint", "take the line out of "+p.File+" that calls git-ltm; the rest is not git ltm's")
		return
	}
	e.say("hint", "it does not call git ltm, so there is nothing to take out")
}

// tellLines says what to add to which file, so that a hook which somebody else keeps calls git ltm.
func (e *env) tellLines(p hook.Place) {
	if p.Keeper == hook.PreCommit {
		e.say("hint", "pre-commit reads the standard input of git itself, so that no hook of its own can "+
			"guard a push")
		return
	}
	if lines := strings.TrimSuffix(p.Lines, "\n"); !strings.Contains(lines, "\n") {
		in := ""
		if p.File != p.Path {
			in = " to " + p.File
		}
		e.say("hint", "to call git ltm from it, add this line"+in+
			" before anything that reads standard input: "+lines)
		return
	}
	what := "add these lines to " + p.File
	if p.Keeper == hook.Checkout {
		what = "write this to " + p.File + ", and make it executable"
	}
	e.say("hint", "to call git ltm from it, "+what+":")
	_, _ = fmt.Fprint(e.stderr, p.Lines) // Nobody else is left to tell.
}
