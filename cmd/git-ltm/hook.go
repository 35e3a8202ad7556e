package main

import (
	"context"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/report"
)

// guardPush judges a push.
func guardPush(name hook.Name) func(context.Context, *env, []string) error {
	return func(ctx context.Context, e *env, _ []string) error {
		if e.isTerminal(e.stdin) {
			return usagef("git runs this and writes the refs of a push to its standard input; 'git ltm hook "+
				"install %s' sets it up", name)
		}
		offers, err := name.Read(e.stdin)
		if err != nil || len(offers) == 0 {
			return err
		}
		return e.useMemory(ctx, func(m *memory.Memory) error { return judgeOffers(ctx, e, m, offers) })
	}
}

// judgeOffers tells what is wrong with refs on standard error.
func judgeOffers(ctx context.Context, e *env, m *memory.Memory, offers []check.Offer) error {
	rules, err := m.RuleSource().Whole(ctx)
	if err != nil {
		return err
	}
	v := &pushVerdict{verdict: newVerdict(e)}
	v.Ruleset, v.Rules = rules.Version(), slices.Concat(check.PushRules(), check.Rules(rules))
	for c, err := range m.Intake().CheckOffers(ctx, offers) {
		if err != nil {
			v.progress.end()
			return err
		}
		v.addRef(c)
	}
	v.progress.end()
	v.Ended, v.found.stored = e.now(), false // What to do is another thing before it is stored.
	if v.found == (foundError{}) {
		return nil
	}
	if err := v.Write(e.stderr, report.Text); err != nil {
		return err
	}
	if v.untold > 0 {
		e.warnf("%d more results are not listed", v.untold)
	}
	v.found.kept = noPush
	return &v.found
}

// placeHook puts a hook where git looks for it, or takes it from there.
func placeHook(
	place func(hook.Name, hook.Site) (string, bool, error), tell func(*env, hook.Place), idle string,
) func(context.Context, *env, []string) error {
	return func(ctx context.Context, e *env, args []string) error {
		name := hook.Name(args[0])
		if !name.Known() {
			return usagef("there is no hook %q: want pre-push or pre-receive", args[0])
		}
		repo, err := git.Find(ctx, e.dir, e.vars)
		if err != nil {
			return err
		}
		site, err := hookSite(ctx, repo)
		if err != nil {
			return err
		}
		path, changed, err := place(name, site)
		if taken, ok := errors.AsType[*hook.TakenError](err); ok {
			tell(e, taken.Place)
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
		e.hint("take the line out of " + p.Path + " that calls git-ltm; the rest is not git ltm's")
		return
	}
	e.hint("it does not call git ltm itself, so there is nothing to take out of it")
}

// tellLines says what to add, so that a hook which somebody else keeps calls git ltm.
func (e *env) tellLines(p hook.Place) {
	e.hint("let that hook begin, before anything reads standard input, with this line: " + p.Name.Line())
	e.hint("docs/ci.md says how with husky, lefthook and pre-commit")
}

// maxTold is how many results are told. What arrives may be made to be endless.
const maxTold = 1000

// A pushVerdict is a verdict that keeps what refuses a push, and no more of it than anybody reads.
type pushVerdict struct {
	*verdict
	found  foundError
	untold int
}

// addRef takes what was found about one ref. Of refs that may travel nothing is told.
func (v *pushVerdict) addRef(c check.Checked) {
	if !v.found.count(report.Report{Results: c.Results}) {
		c.Results = nil
	}
	if over := len(v.Results) + len(c.Results) - maxTold; over > 0 {
		v.untold += over
		c.Results = c.Results[:len(c.Results)-over]
	}
	v.verdict.addChecked(c)
}

// noPush begins to say why a push does not pass, and leaveOut is the way out.
const (
	noPush   = "this push is refused: "
	leaveOut = "mend what is listed, or leave it out: 'git ltm sync' sends all that passes"
)
