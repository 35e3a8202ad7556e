package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
)

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
			asked := slices.ContainsFunc(all, func(o setupTask) bool {
				return o.agent.Name == t.agent.Name && o.scope == s.Scope
			})
			if s.Told && !asked {
				e.say("hint", fmt.Sprintf("%s is set up at the scope %s: git ltm setup %s --undo --scope %s",
					t.agent.Title, s.Scope, t.agent.Name, s.Scope))
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
		if _, err := fmt.Fprintln(e.stdout,
			strings.TrimRight(fmt.Sprintf("%-12s %-5s %s", a.Name, here,
				e.printable(strings.Join(told, ", "))), " ")); err != nil {
			return err
		}
	}
	return nil
}

// setupOutcomes are the ways out of what may stop a set-up.
func setupOutcomes() []rule {
	return []rule{
		{
			isA[*setup.ScopeError],
			outcome{codeUsage, "leave --scope out; 'git ltm setup --help' says which there are"},
		},
		{
			isA[*setup.TwiceError],
			outcome{
				codeContested,
				"leave it at that; or take it out there first: the agent's own command uninstalls the " +
					"plugin git-ltm, and 'git ltm setup AGENT --undo --scope SCOPE' takes out hooks",
			},
		},
		{
			is(setup.ErrOutside),
			outcome{codeFailed, "run it inside a repository with a work tree, or name --scope user"},
		},
		{
			is(setup.ErrOutward),
			outcome{codeFailed, "look at where it leads; your own files may be links, those of a project " +
				"may not lead out of it"},
		},
		{
			is(settings.ErrMoved),
			outcome{codeContested, "the files of this agent are as they were; run the command again"},
		},
		{is(setup.ErrRecord), outcome{codeFailed, "remove it; --undo then goes by what stands in the files"}},
		{
			isA[*setup.FileError],
			outcome{codeFailed, "nothing was changed; mend the file, or move what stands in the way, and " +
				"run it again"},
		},
	}
}

// errNoHome says that nobody knows where the files of a person are.
var errNoHome = errors.New("there is no home directory; set HOME")
