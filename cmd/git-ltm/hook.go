package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/version"
)

// pushCodes is the part of a help text that lists the exit codes of a guard.
const pushCodes = "Exit codes: 0 the push may go on, 1 the guard could not look, 2 wrong usage, 3 secret found, 4 signature not good\n" +
	"enough, 6 invalid record or ref. Where several fit, the lower counts. Git refuses the push for any " +
	"of them but 0."

func newHook(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook HOST EVENT",
		Short: "Answer agents at their work, and guard pushes",
		Long: "Hook is called by agents and by git; 'git ltm setup' and 'git ltm hook install' let them.\n\n" +
			"For an agent it reads what the agent says of an event, as JSON from standard input, and prints one JSON object in the\n" +
			"form of that agent, or nothing: what counts here at the start of a session, what is known about a prompt, and before a\n" +
			"tool is called, that the same did not work before. Each thing is said once in a session. It is advice and permits or\n" +
			"forbids nothing. When an agent has answered, or its session ends, a draft packet is left: 'git ltm save --draft'.\n\n" +
			"HOST is " + hostWords() + " for\nwhichever of them calls. EVENT is " + eventLines() +
			",\nor what the agent calls it.\n\n" +
			"For an agent the exit code is 0 whatever happens, and GIT_LTM_DISABLE=1 silences it; 'git ltm status' tells what went\n" +
			"wrong last. The hooks of git stand where memory leaves a clone, or arrives in a repository that others push to, and\n" +
			"refuse what 'git ltm check' would find: git push knows of no scan.",
		Example: "  git-ltm hook claude-code session-start\n  git ltm hook install pre-push\n  git -C " +
			"/srv/project.git ltm hook install pre-receive",
		Args: arguments(cobra.MaximumNArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return usagef("name an agent and an event, a hook of git, or install")
			case 1:
				return noCommand(cmd, args)
			default:
				return answerAgent(cmd.Context(), e, args)
			}
		},
	}
	cmd.AddCommand(newPrePush(e), newPreReceive(e), newHookInstall(e), newHookUninstall(e))
	return cmd
}

func newPrePush(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "pre-push [REMOTE [URL]]",
		Short: "Refuse a push that holds what must not travel",
		Long: "Pre-push is for the hook of that name. It reads the refs of a push from standard input and judges those that have to\n" +
			"do with memory, by their names here and there. Deletions pass. Of other refs it looks at nothing: a push without memory\n" +
			"does not read the repository.\n\n" +
			"GIT_LTM_DISABLE=1 silences it, as 'git push --no-verify' does.\n\n" + pushCodes,
		Example: "  exec git-ltm hook pre-push \"$@\"",
		RunE:    func(cmd *cobra.Command, _ []string) error { return guardPush(cmd.Context(), e, hook.PrePush) },
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
		Annotations: map[string]string{wakeful: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return guardPush(cmd.Context(), e, hook.PreReceive)
		},
	}
}

// guardPush judges a push.
func guardPush(ctx context.Context, e *env, name hook.Name) error {
	if e.terminal(e.stdin) {
		return usagef("git runs this and writes the refs of a push to its standard input; 'git ltm hook "+
			"install %s' sets it up", name)
	}
	offers, err := name.Read(e.stdin)
	if err != nil || len(offers) == 0 {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error { return judgeOffers(ctx, e, m, offers) })
}

// judgeOffers tells what is wrong with refs on standard error.
func judgeOffers(ctx context.Context, e *env, m *memory.Memory, offers []check.Offer) error {
	debug.SetGCPercent(garbage)
	rules, err := m.RuleSource().Whole(ctx)
	if err != nil {
		return err
	}
	v := &pushVerdict{verdict: verdict{progress: e.progress("checked"), Report: report.Report{
		Tool: "git-ltm", Version: version.Release, Home: home, Started: e.now(),
	}}}
	v.scannedBy(rules, slices.Concat(check.PushRules(), check.Rules(rules)))
	for c, err := range m.Intake().CheckOffers(ctx, offers) {
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

func newHookInstall(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "install HOOK",
		Short: "Write a hook that guards pushes",
		Long: "Install writes the hook pre-push or pre-receive where git looks for it, core.hooksPath included, and prints its path. It\n" +
			"is two lines that call git-ltm. A hook that is there is never changed, nor a file of the work tree, nor what husky,\n" +
			"lefthook or pre-commit keep: then install prints the lines to add, and to which file.",
		Example: "  git ltm hook install pre-push\n  git -C /srv/project.git ltm hook install pre-receive",
		RunE: func(cmd *cobra.Command, args []string) error {
			return placeHook(cmd.Context(), e, args[0], hook.Name.Install, e.tellLines,
				"it is installed already")
		},
	}
}

func newHookUninstall(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "uninstall HOOK",
		Short:   "Take out a hook that install wrote",
		Long:    "Uninstall removes the hook that install wrote, and prints its path. A hook with one other byte in it stays.",
		Example: "  git ltm hook uninstall pre-push",
		RunE: func(cmd *cobra.Command, args []string) error {
			return placeHook(cmd.Context(), e, args[0], hook.Name.Uninstall, e.tellOwnLine,
				"there is no such hook")
		},
	}
}

// placeHook puts a hook where git looks for it, or takes it from there.
func placeHook(ctx context.Context, e *env, arg string,
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
	done := command.HookFile{Path: clean.Line(path), Changed: changed}
	if !changed {
		e.hint(idle + ": " + path)
		return e.printResult(done, nil)
	}
	if site.Shared {
		e.hint("core.hooksPath led there; other repositories may share it")
	}
	e.println(done.Path)
	return e.printResult(done, nil)
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
		e.hint("take the line out of " + p.File + " that calls git-ltm; the rest is not git ltm's")
		return
	}
	e.hint("it does not call git ltm, so there is nothing to take out")
}

// tellLines says what to add to which file, so that a hook which somebody else keeps calls git ltm.
func (e *env) tellLines(p hook.Place) {
	if p.Keeper == hook.PreCommit {
		e.hint("pre-commit reads the standard input of git itself, so that no hook of its own can " +
			"guard a push")
		return
	}
	if lines := strings.TrimSuffix(p.Lines, "\n"); !strings.Contains(lines, "\n") {
		in := ""
		if p.File != p.Path {
			in = " to " + p.File
		}
		e.hint("to call git ltm from it, add this line" + in +
			" before anything that reads standard input: " + lines)
		return
	}
	what := "add these lines to " + p.File
	if p.Keeper == hook.Checkout {
		what = "write this to " + p.File + ", and make it executable"
	}
	e.hint("to call git ltm from it, " + what + ":")
	_, _ = fmt.Fprint(e.stderr, p.Lines) // Nobody else is left to tell.
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
func (v *pushVerdict) add(c check.Checked) {
	one := verdict{Report: report.Report{Results: c.Results}}
	found, refused := errors.AsType[*foundError](one.err())
	if refused {
		v.found.secrets += found.secrets
		v.found.unsigned += found.unsigned
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
const leaveOut = "mend what is listed, or leave it out: 'git ltm sync' sends all that passes"

// refusedUnsigned tells a push that holds a signature that is not good enough.
func refusedUnsigned(err error) bool {
	refused, ok := errors.AsType[*refusedError](err)
	return ok && refused.found.unsigned > 0
}

// refusedSecret tells a push that holds a secret.
func refusedSecret(err error) bool {
	refused, ok := errors.AsType[*refusedError](err)
	return ok && refused.found.secrets > 0
}
