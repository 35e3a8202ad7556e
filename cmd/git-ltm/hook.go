package main

import (
	"context"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/check"
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
				return e.agentHook(cmd.Context(), args)
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.guard(cmd.Context(), hook.PreReceive)
		},
	}
}

// guard judges a push.
func (e *env) guard(ctx context.Context, name hook.Name) error {
	if e.terminal(e.stdin) {
		return usagef("git runs this and writes the refs of a push to its standard input; 'git ltm hook "+
			"install %s' sets it up", name)
	}
	offers, err := name.Read(e.stdin)
	if err != nil || len(offers) == 0 {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error { return e.judgeOffers(ctx, m, offers) })
}

// judgeOffers tells what is wrong with refs on standard error.
func (e *env) judgeOffers(ctx context.Context, m *memory.Memory, offers []check.Offer) error {
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
