package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
)

type setupOptions struct {
	scope        string
	dryRun, undo bool
}

func newSetup(e *env) *cobra.Command {
	var o setupOptions
	cmd := &cobra.Command{
		Use:   "setup [AGENT...]",
		Short: "Tell agents of git ltm, in their own settings",
		Long: "Setup puts into the settings of each AGENT what it needs: hooks, so that a session starts where the last one stopped, hears of\n" +
			"known dead ends and leaves a draft; the server of tools 'git-ltm mcp' by the name ltm; and a skill. Without AGENT it lists\n" +
			"the agents, which are here, and what they are told.\n\n" +
			"AGENT is " + agentList() + ".\n\n" +
			"--scope says in whose files: local for you in this clone alone, which git does not see (claude-code has it, and it is the\n" +
			"default there); project for all who work on the project, in files to be committed (the default of the others); user for you\n" +
			"in every project.\n\n" +
			"What others wrote in the same files stays as it is, byte for byte. Nothing is written twice, and nothing is written where the\n" +
			"plugin of git ltm tells the agent the same. --undo takes out exactly what setup put in, at the scopes of this clone or at\n" +
			"--scope; what somebody changed since is left, and named.\n\n" + exitCodes,
		Example: "  git ltm setup\n  git ltm setup claude-code\n  git ltm setup codex gemini --scope user --dry-run\n  git ltm setup claude-code --undo",
		Args:    arguments(cobra.ArbitraryArgs),
		Annotations: map[string]string{
			notUserWide: "--user means your user-wide memory, which setup has nothing to do with; your own files of an agent are --scope user",
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			return e.setup(cmd.Context(), o, names)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.scope, "scope", "", "in whose files: `SCOPE` is local, project or user")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would change, as a unified diff")
	f.BoolVar(&o.undo, "undo", false, "take out what setup put in")
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

// setup checks the words, and does for each agent what is asked for. All are planned before the first file is written.
func (e *env) setup(ctx context.Context, o setupOptions, names []string) error {
	agents, err := e.agentsNamed(names)
	if err != nil {
		return err
	}
	site, err := e.site(ctx)
	if err != nil {
		return err
	}
	if len(agents) == 0 {
		if o.undo || o.scope != "" {
			return usagef("name the agent: %s", agentList())
		}
		return e.listAgents(site)
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
	return e.runTasks(site, all, o)
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

// tasks says at which scopes something is to be done. An undo without a scope is for those of this clone.
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
		if scope != setup.User {
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

// tellPlan prints what changed, or would, and what is left to the person.
func (e *env) tellPlan(p setup.Plan, o setupOptions) error {
	for _, c := range p.Changes {
		var err error
		if o.dryRun {
			err = e.printDiff(c.Diff())
		} else {
			_, err = fmt.Fprintf(e.stdout, "%s %s\n", signOf(c), e.printable(c.File.Path))
		}
		if err != nil {
			return err
		}
	}
	for _, s := range p.Stays {
		e.warnf("%s: %v; it stays", s.Path, s.Why)
	}
	if !p.Empty() && !o.undo {
		for _, note := range p.Notes {
			e.say("hint", note)
		}
	}
	return nil
}

// signOf says what becomes of a file.
func signOf(c setup.Change) string {
	switch {
	case c.Gone:
		return "-"
	case !c.File.Exists:
		return "+"
	}
	return "~"
}

// printDiff prints a diff that no terminal obeys and that holds no secret of the file around what changes.
func (e *env) printDiff(diff string) error {
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\n")
		rest := strings.TrimLeft(line[1:], " \t")
		shown := line[:len(line)-len(rest)] + clean.Text(e.rules.Public(clean.Text(rest)))
		if _, err := fmt.Fprintln(e.stdout, shown); err != nil {
			return err
		}
	}
	return nil
}

// tellElsewhere says that nothing is to be taken out here, and where there is something.
func (e *env) tellElsewhere(site setup.Site, all []setupTask) {
	e.say("hint", "there is nothing to take out")
	for _, t := range all {
		for _, s := range setup.Look(site, t.agent) {
			asked := slices.ContainsFunc(all, func(o setupTask) bool { return o.agent.Name == t.agent.Name && o.scope == s.Scope })
			if s.Told && !asked {
				e.say("hint", fmt.Sprintf("%s is told at the scope %s: git ltm setup %s --undo --scope %s", t.agent.Title, s.Scope, t.agent.Name, s.Scope))
				return
			}
		}
	}
}

// listAgents prints a line for each agent: its name, whether it is on this machine, and what it is told.
func (e *env) listAgents(site setup.Site) error {
	for _, a := range setup.Agents() {
		here := "-"
		if a.Found(site) {
			here = "here"
		}
		var told []string
		for _, s := range setup.Look(site, a) {
			if s.Told {
				told = append(told, string(s.Scope))
			}
		}
		if where := a.Plugin(site); where != "" {
			told = append(told, "plugin "+where)
		}
		if _, err := fmt.Fprintln(e.stdout, strings.TrimRight(fmt.Sprintf("%-12s %-5s %s", a.Name, here, e.printable(strings.Join(told, ", "))), " ")); err != nil {
			return err
		}
	}
	return nil
}

// setupOutcomes are the ways out of what may stop a set-up.
func setupOutcomes() []rule {
	return []rule{
		{isA[*setup.ScopeError], outcome{codeUsage, "leave --scope out; 'git ltm setup --help' says which there are"}},
		{isA[*setup.TwiceError], outcome{codeContested, "leave it at that; or take it out there first: the agent's own command uninstalls the plugin git-ltm, and 'git ltm setup AGENT --undo --scope SCOPE' takes out hooks"}},
		{is(setup.ErrOutside), outcome{codeFailed, "run it inside a repository with a work tree, or name --scope user"}},
		{is(setup.ErrOutward), outcome{codeFailed, "look at where it leads; your own files may be links, those of a project may not lead out of it"}},
		{is(settings.ErrMoved), outcome{codeContested, "nothing was changed; run the command again"}},
		{is(setup.ErrRecord), outcome{codeFailed, "remove it; --undo then goes by what stands in the files"}},
		{isA[*setup.FileError], outcome{codeFailed, "nothing was changed; mend the file, or move what stands in the way, and run it again"}},
	}
}

// errNoHome says that nobody knows where the files of a person are.
var errNoHome = errors.New("there is no home directory; set HOME")
