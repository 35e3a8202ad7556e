package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/report"
)

// pushCodes is the part of a help text that lists the exit codes of a guard.
const pushCodes = "Exit codes: 0 the push may go on, 1 the guard could not look, 2 wrong usage, 3 secret found, 6 invalid record\n" +
	"or ref. Where several fit, 3 comes before 6. Git refuses the push for any of them but 0."

func newHook(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Guard pushes, as a hook of git",
		Long: "Hook stands where memory leaves a clone, or arrives in a repository that others push to, and refuses what 'git ltm\n" +
			"check' would find: secrets, invalid records, and refs that are none. It guards against git push, which knows of no\n" +
			"scan.",
		Example: "  git ltm hook install pre-push\n  git -C /srv/project.git ltm hook install pre-receive",
		Args:    noCommand,
		RunE:    func(*cobra.Command, []string) error { return usagef("name a hook, or install") },
	}
	cmd.AddCommand(newPrePush(e), newPreReceive(e), newHookInstall(e), newHookUninstall(e))
	return cmd
}

func newPrePush(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "pre-push [REMOTE [URL]]",
		Short: "Refuse a push that holds what must not travel",
		Long: "Pre-push is for the hook of that name. It reads the refs of a push from standard input and judges those that have to\n" +
			"do with memory, by their names here and there. Deletions pass. Of other refs it looks at nothing: such a push does not\n" +
			"even open the repository.\n\n" +
			"GIT_LTM_DISABLE=1 silences it, as 'git push --no-verify' does.\n\n" + pushCodes,
		Example: "  exec git-ltm hook pre-push \"$@\"",
		Args:    arguments(cobra.MaximumNArgs(2)),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.guard(cmd.Context(), hook.PrePush) },
	}
}

func newPreReceive(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "pre-receive",
		Short: "Refuse to receive what must not travel",
		Long: "Pre-receive is for the hook of that name in a repository that others push to. It reads the refs of a push from standard\n" +
			"input and judges those of memory, while git still holds their objects apart. Records are written once: another object\n" +
			"under a name that is there is refused. Deletions pass. One bad ref refuses the whole push.\n\n" +
			"It does not heed GIT_LTM_DISABLE, which might be the pusher's.\n\n" + pushCodes,
		Example:     "  exec git-ltm hook pre-receive \"$@\"",
		Args:        arguments(cobra.NoArgs),
		Annotations: map[string]string{wakeful: ""},
		RunE:        func(cmd *cobra.Command, _ []string) error { return e.guard(cmd.Context(), hook.PreReceive) },
	}
}

// guard judges a push.
func (e *env) guard(ctx context.Context, name hook.Name) error {
	if e.terminal(e.stdin) {
		return usagef("git runs this and writes the refs of a push to its standard input; 'git-ltm hook install %s' sets it up", name)
	}
	offers, err := name.Read(e.stdin)
	if err != nil || len(offers) == 0 {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error { return e.judgeOffers(ctx, m, offers) })
}

// judgeOffers tells what is wrong with refs on standard error.
func (e *env) judgeOffers(ctx context.Context, m *memory.Memory, offers []memory.Offer) error {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	rules, err := m.Rules(ctx)
	if err != nil {
		return err
	}
	v := &pushVerdict{verdict: verdict{progress: e.progress("checked"), Report: report.Report{
		Tool: "git-ltm", Version: release, Home: home, Started: e.now(),
	}}}
	v.scannedBy(rules, slices.Concat(memory.PushRules(), rules.Check()))
	for c, err := range m.CheckOffers(ctx, offers) {
		if err != nil {
			v.progress.end()
			return err
		}
		v.add(c)
	}
	v.progress.end()
	v.Ended = e.now()
	if v.found == (foundError{}) {
		return nil
	}
	if err := v.Write(e.stderr, report.Text); err != nil {
		return err
	}
	if v.untold > 0 {
		e.warnf("%d more results are not listed", v.untold)
	}
	return &refusedError{v.found}
}

// maxTold is how many results are told. What arrives may be made to be endless.
const maxTold = 1000

// A pushVerdict is a verdict that keeps what refuses a push, and no more of it than anybody reads.
type pushVerdict struct {
	verdict
	found  foundError
	untold int
}

// add takes what was found about one ref. Of refs that may travel nothing is told.
func (v *pushVerdict) add(c memory.Checked) {
	one := verdict{Report: report.Report{Results: c.Results}}
	found, refused := errors.AsType[*foundError](one.err())
	if refused {
		v.found.secrets += found.secrets
		v.found.others += found.others
	} else {
		c.Results = nil
	}
	if over := len(v.Results) + len(c.Results) - maxTold; over > 0 {
		v.untold += over
		c.Results = c.Results[:len(c.Results)-over]
	}
	v.verdict.add(c)
}

// refusedError is a push that does not pass.
type refusedError struct{ found foundError }

func (e *refusedError) Error() string { return "this push is refused: " + e.found.Error() }

// leaveOut is the way out of a refused push.
const leaveOut = "mend what is listed, or leave it out: git push REMOTE 'refs/ltm/*' '^REF'"

// refusedSecret tells a push that holds a secret.
func refusedSecret(err error) bool {
	refused, ok := errors.AsType[*refusedError](err)
	return ok && refused.found.secrets > 0
}

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
