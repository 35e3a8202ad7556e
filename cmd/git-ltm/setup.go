package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

type setupOptions struct {
	agents       []string // their names
	scope        string
	dryRun, undo bool
	accept       bool
	approve      bool

	remote, trust      string // "" is to leave them, or to choose where nothing is chosen
	noShare, shareSaid bool   // --no-share, and whether it was given
	public             bool
}

// aboutUpstream reports whether the person said something of the remote of memory.
func (o setupOptions) aboutUpstream() bool { return o.remote != "" || o.trust != "" }

// aboutSharing reports whether the person said something of how memory travels.
func (o setupOptions) aboutSharing() bool { return o.shareSaid || o.public }

func newSetup(e *env) *cobra.Command {
	var o setupOptions
	cmd := &cobra.Command{
		Use:   "setup [AGENT...]",
		Short: "Connect Claude Code, Codex and other agents",
		Long: "Setup puts into the settings of each AGENT what it needs: hooks, so that a session starts where the last one stopped, hears of\n" +
			"known dead ends and leaves a draft; the server of tools 'git-ltm mcp' by the name ltm; and a skill. Without AGENT it lists\n" +
			"the agents, which are here, and what is set up.\n\n" +
			"AGENT is " + agentList() + ".\n\n" +
			"--scope says in whose files: local for you in this clone alone, which git does not see (claude-code has it, and it is the\n" +
			"default there); project for all who work on the project, in files to be committed (the default of the others); user for you\n" +
			"in every project.\n\n" +
			"In a clone it also fixes the remote that its memory is exchanged with: that of ltm.remote, else origin, else the only one, or\n" +
			"--remote. Once its address is another one, nothing goes there by itself, and a sync without a name fails, until --remote fixes\n" +
			"it anew and lets memory travel again. --trust says what agents are shown by themselves: signed, what was made here or a trusted key signed; remote, also\n" +
			"what that remote delivered unsigned, labelled as such. The default is remote where git knows who answers (ssh, https or\n" +
			"a local path) and nobody is answered without an account. ltm.trust wins over it.\n\n" +
			"What others wrote in the same files stays as it is, byte for byte. Nothing is written twice, and nothing is written where the\n" +
			"plugin of git ltm tells the agent the same. --undo takes out exactly what setup put in, at the scopes of this clone or at\n" +
			"--scope; what somebody changed since is left, and named. Without AGENT it takes out what git ltm put into this\n" +
			"clone for all of them, with its hooks and settings, and says what stays: your records, above all.\n\n" +
			"Where the repository configures a program for the way to a remote, or another way (core.sshCommand, credential.helper, url\n" +
			"and the like), setup shows that and asks whether git ltm may use it in the background; without a terminal, --accept says\n" +
			"yes. The answer is kept in ltm/agreed.json of your configuration, for these very values in this very place.\n\n" +
			"Agents ask before they call a tool. Setup shows what lets them call save and note without a question, in your own settings, and asks whether\n" +
			"to write it; --approve says yes.\n\n" + exitCodes,
		Example: "  git ltm setup\n  git ltm setup claude-code\n  git ltm setup codex gemini --scope user " +
			"--dry-run\n  git ltm setup claude-code --undo\n  git ltm setup --undo\n  git ltm setup " +
			"--remote origin\n  git ltm setup --trust signed\n  git ltm setup --accept",
		Args: arguments(cobra.ArbitraryArgs),
		Annotations: map[string]string{
			notUserWide: "--user means your user-wide memory, which setup has nothing to do with; your " +
				"own files of an agent are --scope user",
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			o.shareSaid = cmd.Flags().Changed("no-share")
			o.agents = names
			return e.setup(cmd.Context(), o, names)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.scope, "scope", "", "in whose files: `SCOPE` is local, project or user")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would change, as a unified diff")
	f.BoolVar(&o.undo, "undo", false,
		"take out what setup put in; without AGENT, everything of git ltm in this clone")
	f.StringVar(&o.remote, "remote", "", "exchange memory with `REMOTE`, at the address that it has now")
	f.StringVar(&o.trust, "trust", "", "show agents by themselves what is `TRUST`: signed, or of the remote")
	f.BoolVar(&o.noShare, "no-share", false, "let memory of this clone not travel by itself")
	f.BoolVar(&o.public, "yes-public", false, "let it travel to a remote that everybody can read")
	f.BoolVar(&o.accept, "accept", false,
		"accept the settings of this repository that are shown; with --undo, none")
	f.BoolVar(&o.approve, "approve", false, "let the agent call save and note without asking you")
	return cmd
}

// agentList names the agents.
func agentList() string {
	var names []string
	for _, a := range setup.Agents() {
		names = append(names, a.Name)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// setup checks the words, and does for each agent what is asked for. All are planned before the first file is
// written.
func (e *env) setup(ctx context.Context, o setupOptions, names []string) error {
	agents, err := e.agentsNamed(names)
	if err != nil {
		return err
	}
	if o.aboutUpstream() && (o.undo || o.scope == string(setup.User)) {
		return usagef("--remote and --trust are about a clone, and exclude --undo and --scope user")
	}
	if !slices.Contains([]upstream.Trust{"", upstream.Remote, upstream.Signed}, upstream.Trust(o.trust)) {
		return usagef("there is no trust %q; there are remote and signed%s", word(o.trust),
			trust.DidYouMean(o.trust, "remote", "signed"))
	}
	if o.undo && len(agents) == 0 && o.scope == "" && !o.accept && !o.aboutSharing() {
		return e.undoSetup(ctx, o)
	}
	site, err := e.site(ctx)
	if err != nil {
		return err
	}
	if len(agents) == 0 {
		switch {
		case o.scope != "" || o.undo && !o.accept:
			return usagef("name the agent: %s", agentList())
		case o.aboutUpstream() || o.aboutSharing():
			return errors.Join(e.settle(ctx, o), e.settleRemote(ctx, o))
		case !o.accept:
			err = e.listAgents(site)
		}
		return errors.Join(err, e.settle(ctx, o))
	}
	var all []setupTask
	for _, a := range agents {
		tasks, err := o.tasks(site, a)
		if err != nil {
			return err
		}
		all = append(all, tasks...)
	}
	for _, t := range all {
		if _, err := t.plan(site, t.agent, t.scope); err != nil {
			return fmt.Errorf("%s: %w", t.agent.Name, err)
		}
	}
	if err := e.runTasks(site, all, o); err != nil {
		return err
	}
	return errors.Join(e.settle(ctx, o), e.settleRemote(ctx, o), e.settleApprovals(site, agents, o),
		e.settleModel(ctx, o))
}

// agentsNamed finds the agents of the command line.
func (e *env) agentsNamed(names []string) ([]setup.Agent, error) {
	var agents []setup.Agent
	for _, name := range slices.Compact(names) {
		a, ok := setup.Find(name)
		if !ok {
			return nil, usagef("there is no agent %q; there are %s", word(name), agentList())
		}
		agents = append(agents, a)
	}
	return agents, nil
}

// setupTask is one agent at one scope.
type setupTask struct {
	agent setup.Agent
	scope setup.Scope
	plan  func(setup.Site, setup.Agent, setup.Scope) (setup.Plan, error)
}

// tasks says at which scopes something is to be done. An undo without a scope is for those of this clone; of
// files that the whole project shares it takes only what was put in from here.
func (o setupOptions) tasks(site setup.Site, a setup.Agent) ([]setupTask, error) {
	switch scope := setup.Scope(o.scope); {
	case !slices.Contains([]setup.Scope{"", setup.Local, setup.Project, setup.User}, scope):
		return nil, usagef("there is no scope %q; there are local, project and user", word(o.scope))
	case !o.undo && scope == "":
		return []setupTask{{a, a.Scopes[0], setup.PlanFor}}, nil
	case !o.undo:
		return []setupTask{{a, scope, setup.PlanFor}}, nil
	case scope != "":
		return []setupTask{{a, scope, setup.UndoFor}}, nil
	}
	if site.Top == "" {
		return nil, setup.ErrOutside
	}
	var all []setupTask
	for _, scope := range a.Scopes {
		if scope == setup.User {
			continue
		}
		own, err := setup.IsOwn(site, a, scope)
		if err != nil {
			return nil, err
		}
		if own || scope == setup.Local {
			all = append(all, setupTask{a, scope, setup.UndoFor})
		}
	}
	return all, nil
}

// runTasks does one after the other, since the scopes of a clone share a record.
func (e *env) runTasks(site setup.Site, all []setupTask, o setupOptions) error {
	changes := 0
	for _, t := range all {
		p, err := t.plan(site, t.agent, t.scope)
		if err == nil && !o.dryRun {
			err = p.Apply()
		}
		if err == nil {
			err = e.tellPlan(p, o)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.agent.Name, err)
		}
		changes += len(p.Changes)
	}
	switch {
	case changes == 0 && o.undo:
		e.tellElsewhere(site, all)
	case changes == 0:
		e.say("hint", "there is nothing to do")
	case o.dryRun:
		e.say("hint", "this was a dry run, nothing was changed")
	}
	return nil
}
