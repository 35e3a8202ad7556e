package main

import (
	"cmp"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// settleApprovals shows what lets each agent call our tools save and note without a question, and writes it
// where the person agrees. What it wrote goes with all else that setup did.
func (e *env) settleApprovals(site setup.Site, agents []setup.Agent, o setupOptions) error {
	if o.undo {
		return nil
	}
	for _, a := range agents {
		if at, n := transcript.Remembered(site.Home, e.getenv, transcript.Format(a.Name), site.Main()); n >
			0 && site.Top != "" {
			e.say("hint", fmt.Sprintf("%s remembers %s about this project by itself; to have that here, "+
				"for you alone: git ltm import --private %s",
				a.Title, counted(n, "thing"), e.printable(quoted(at))))
		}
		scope := cmp.Or(setup.Scope(o.scope), a.Scopes[0])
		p, err := setup.PlanApprovals(site, a, scope)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		if p.Empty() {
			if how := a.ByHand(scope); how != "" {
				e.say("hint", how)
			}
			continue
		}
		asks := !o.approve && !o.dryRun && e.terminal(e.stdin) && e.terminal(e.stderr)
		agreed := o.approve && !o.dryRun
		if asks || o.dryRun {
			for _, c := range p.Changes {
				if err := e.printDiff(c.Diff()); err != nil {
					return err
				}
			}
		}
		if asks {
			if agreed, err = e.agreed("May " + a.Title +
				" call the tools save and note of git ltm without asking you?"); err != nil {
				return err
			}
		}
		if !agreed {
			e.say("hint", fmt.Sprintf(
				"%s asks before each save; to allow it: git ltm setup %s --scope %s --approve", a.Title,
				a.Name, scope))
			continue
		}
		if err := p.Apply(); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		if err := e.tellPlan(p, o); err != nil {
			return err
		}
	}
	return nil
}
