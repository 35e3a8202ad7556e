package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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
			"is two lines that call git-ltm. A hook that is there is never changed: then install prints the line to add to it.\n\n" + exitCodes,
		Example: "  git ltm hook install pre-push\n  git -C /srv/project.git ltm hook install pre-receive",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.placeHook(cmd.Context(), args[0], hook.Name.Install, "it is installed already")
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
			return e.placeHook(cmd.Context(), args[0], hook.Name.Uninstall, "there is no such hook")
		},
	}
}

// placeHook puts a hook where git looks for it, or takes it from there.
func (e *env) placeHook(ctx context.Context, arg string, place func(hook.Name, string) (string, bool, error), idle string) error {
	name := hook.Name(arg)
	if !name.Known() {
		return usagef("there is no hook %q: want pre-push or pre-receive", arg)
	}
	repo, err := git.Open(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	dir, err := repo.HooksDir(ctx)
	if err != nil {
		return err
	}
	path, changed, err := place(name, dir)
	if taken, ok := errors.AsType[*hook.TakenError](err); ok {
		e.say("hint", "to call git ltm from it, add this line before anything that reads standard input: "+taken.Line)
	}
	if err != nil {
		return err
	}
	if !changed {
		e.say("hint", idle+": "+path)
		return nil
	}
	if !strings.HasPrefix(dir, repo.CommonDir+string(filepath.Separator)) {
		e.say("hint", "core.hooksPath led there; other repositories may share it")
	}
	_, err = fmt.Fprintln(e.stdout, clean.Line(path))
	return err
}
