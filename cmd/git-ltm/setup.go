package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

type setupOptions struct {
	agents       []string // their names
	Scope        string
	DryRun, Undo bool
	Diff         bool
	Accept       bool
	Approve      bool

	Remote, Trust      string // "" is to leave them, or to choose where nothing is chosen
	NoShare, shareSaid bool   // --no-share, and whether it was given
	YesPublic          bool

	repo *git.Repo // nil outside of any
	done *command.Setup
}

func runSetup(ctx context.Context, e *env, o setupOptions, names []string) error {
	o.shareSaid, o.agents = e.isGiven("no-share"), names
	o.done = &command.Setup{DryRun: o.DryRun}
	return e.printResult(o.done, setUp(ctx, e, o))
}

// aboutUpstream reports whether the person said something of the remote of memory.
func (o setupOptions) aboutUpstream() bool { return o.Remote != "" || o.Trust != "" }

// aboutSharing reports whether the person said something of how memory travels.
func (o setupOptions) aboutSharing() bool { return o.shareSaid || o.YesPublic }

// setUp checks the words, and does for each agent what is asked for. All are planned before the first file is
// written.
func setUp(ctx context.Context, e *env, o setupOptions) error {
	agents, err := findAgents(o.agents)
	if err != nil {
		return err
	}
	repo, missing := git.Find(ctx, e.dir, e.vars)
	if missing == nil {
		o.repo = repo
	} else if !errors.Is(missing, git.ErrNotRepository) {
		return missing
	}
	if o.aboutUpstream() && (o.Undo || o.Scope == string(setup.User)) {
		return usagef("--remote and --trust are about a clone, and exclude --undo and --scope user")
	}
	if !slices.Contains([]upstream.Trust{"", upstream.Remote, upstream.Signed}, upstream.Trust(o.Trust)) {
		return usagef("there is no trust %q; there are remote and signed%s", reply.Word(o.Trust),
			trust.DidYouMean(o.Trust, "remote", "signed"))
	}
	everything := o.Undo && len(agents) == 0 && o.Scope == "" && !o.Accept && !o.aboutSharing()
	if missing != nil && (everything || o.aboutUpstream()) {
		return missing
	}
	site, err := findSite(ctx, e)
	if err != nil {
		return err
	}
	switch {
	case everything:
		return undoSetup(ctx, e, site, o)
	case len(agents) > 0:
	case o.Scope != "" || o.Undo && !o.Accept:
		return usagef("name the agent: %s", command.AgentList())
	case o.aboutUpstream() || o.aboutSharing():
		return errors.Join(settleConsent(ctx, e, o), settleRemote(ctx, e, site, o))
	default:
		if !o.Accept {
			listAgents(e, site, o)
		}
		return settleConsent(ctx, e, o)
	}
	var all []setupTask
	told := false
	for _, a := range agents {
		tasks, err := o.planTasks(site, a)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			_, err := t.plan(site, t.agent, t.scope)
			twice := errors.Is(err, setup.ErrTwice)
			switch {
			case twice && o.Scope == "": // It is told, and what is left is about this clone.
				e.hintf("%v; no file is changed for it here", err)
				told = true
			case err != nil:
				return fmt.Errorf("%s: %w", t.agent.Name, err)
			default:
				all = append(all, t)
			}
		}
	}
	changes, err := applyTasks(e, site, all, o)
	switch {
	case err != nil:
		return err
	case changes == 0 && o.Undo:
		e.hint("there is nothing to take out")
		for a, scope := range setup.Told(site) {
			of := func(t setupTask) bool { return t.agent.Name == a.Name }
			here := func(t setupTask) bool { return of(t) && t.scope == scope }
			if slices.ContainsFunc(all, of) && !slices.ContainsFunc(all, here) {
				e.hintf("%s is set up at the scope %s: git ltm setup %s --undo --scope %s", a.Title, scope, a.Name,
					scope)
				break
			}
		}
	case changes == 0 && !told:
		e.hint("the files of " + strings.Join(o.agents, ", ") + " are set up already")
	}
	return errors.Join(settleConsent(ctx, e, o), settleRemote(ctx, e, site, o),
		settleApprovals(e, site, agents, o), nameModel(ctx, e, o))
}

// findAgents finds the agents of the command line.
func findAgents(names []string) ([]setup.Agent, error) {
	var agents []setup.Agent
	for _, name := range slices.Compact(names) {
		a, ok := setup.Find(name)
		if !ok {
			return nil, usagef("there is no agent %q; there are %s", reply.Word(name), command.AgentList())
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

// planTasks says at which scopes something is to be done. An undo without a scope is for those of this clone; of
// files that the whole project shares it takes only what was put in from here.
func (o setupOptions) planTasks(site setup.Site, a setup.Agent) ([]setupTask, error) {
	switch scope := setup.Scope(o.Scope); {
	case !slices.Contains([]setup.Scope{"", setup.Local, setup.Project, setup.User}, scope):
		return nil, usagef("there is no scope %q; there are local, project and user", reply.Word(o.Scope))
	case !o.Undo && scope == "":
		return []setupTask{{a, a.Scopes[0], setup.PlanFor}}, nil
	case !o.Undo:
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

// applyTasks does one after the other, since the scopes of a clone share a record, and counts what changed.
func applyTasks(e *env, site setup.Site, all []setupTask, o setupOptions) (changes int, err error) {
	for _, t := range all {
		p, err := t.plan(site, t.agent, t.scope)
		if err == nil && !o.DryRun {
			err = p.Apply()
		}
		if err != nil {
			return changes, fmt.Errorf("%s: %w", t.agent.Name, err)
		}
		tellPlan(e, p, o)
		changes += len(p.Changes)
	}
	return changes, nil
}

// tellPlan prints what changed, or would, and what is left to the person.
func tellPlan(e *env, p setup.Plan, o setupOptions) {
	for _, c := range p.Changes {
		file := command.SetupFile{Path: e.printable(c.File.Path), Did: "changed"}
		sign := "~"
		switch {
		case c.Gone:
			file.Did, sign = "removed", "-"
		case !c.File.Exists:
			file.Did, sign = "added", "+"
		}
		o.done.Files = append(o.done.Files, file)
		if o.Diff {
			printDiff(e, c.Diff())
		} else {
			_, diff, _ := strings.Cut(c.Diff(), "\n@@")
			e.printf("%s %s (+%d -%d lines)\n", sign, file.Path, strings.Count(diff, "\n+"), strings.Count(diff, "\n-"))
		}
	}
	for _, s := range p.Stays {
		e.warnf("%s: %v; it stays", s.Path, s.Why)
	}
	if !p.Empty() && !o.Undo {
		for _, note := range p.Notes {
			e.hint(note)
		}
	}
}

// printDiff prints a diff that no terminal obeys and that holds no secret of the file around what changes.
func printDiff(e *env, diff string) {
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\n")
		rest := strings.TrimLeft(line[1:], " \t")
		shown := line[:len(line)-len(rest)] + clean.Text(e.rules.Public(clean.Text(rest)))
		e.println(shown)
	}
}

// listAgents prints a line for each agent: its name, whether it is on this machine, and what it is told.
func listAgents(e *env, site setup.Site, o setupOptions) {
	for _, a := range setup.Agents() {
		one := command.SetupAgent{
			Name: a.Name, Here: a.Found(site), Plugin: e.printable(a.Plugin(site)),
		}
		for other, scope := range setup.Told(site) {
			if other.Name == a.Name {
				one.Scopes = append(one.Scopes, string(scope))
			}
		}
		o.done.Agents = append(o.done.Agents, one)
		here, where := "not found", slices.Clone(one.Scopes)
		if one.Here {
			here = "found"
		}
		if one.Plugin != "" {
			where = append(where, "plugin "+one.Plugin)
		}
		e.println(strings.TrimRight(fmt.Sprintf("%-12s %-9s %s", a.Name, here, strings.Join(where, ", ")),
			" "))
	}
}

// errNoHome says that nobody knows where the files of a person are.
var errNoHome = errors.New("there is no home directory; set HOME")

// isAnySetUp reports whether agents use the memory of the repository at hand, which the user-wide one is not.
func isAnySetUp(ctx context.Context, e *env) bool {
	site, err := findBareSite(ctx, e)
	if err != nil || e.userStore != "" {
		return false
	}
	site.Hidden = func(string) bool { return true } // What git ignores tells no agent.
	for range setup.Told(site) {
		return true
	}
	return slices.ContainsFunc(setup.Agents(), func(a setup.Agent) bool { return a.Plugin(site) != "" })
}

// findSite is where the agents of this person are, and how they call the program.
func findSite(ctx context.Context, e *env) (setup.Site, error) {
	site, err := findBareSite(ctx, e)
	if err != nil {
		return site, err
	}
	if !site.Callable() {
		if site.Program, err = e.self(); err != nil {
			return site, err
		}
		e.warnf("git-ltm is not on the PATH, so agents get its place: %s; files of a project name the "+
			"program alone", site.Program)
	}
	site.Quick = site.FindQuick()
	return site, nil
}

// findBareSite is where the agents of this person are, in the repository at hand or outside of any.
func findBareSite(ctx context.Context, e *env) (setup.Site, error) {
	site := setup.Site{Getenv: e.getenv, Home: e.homeDir(), Program: "git-ltm"}
	if site.Home == "" {
		return site, errNoHome
	}
	repo, err := git.Find(ctx, e.dir, e.vars)
	switch {
	case errors.Is(err, git.ErrNotRepository):
	case err != nil:
		return site, err
	default:
		site.Top, site.Common = repo.WorkTree, repo.CommonDir
		site.Hidden = func(path string) bool {
			hidden, err := repo.Ignores(ctx, path)
			return err == nil && hidden
		}
	}
	return site, nil
}

// homeDir is the folder of the person; empty where nothing says it.
func (e *env) homeDir() string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir, _ := e.getenv(name); filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

// settleRemote fixes the remote of memory and lets memory travel; where the person only says how far it is
// trusted, it does not let it.
func settleRemote(ctx context.Context, e *env, site setup.Site, o setupOptions) error {
	repo := o.repo
	if o.Scope == string(setup.User) || repo == nil {
		return nil
	}
	was, fixed, err := upstream.Of(repo)
	if err != nil {
		return err
	}
	if o.Undo {
		if !fixed || o.DryRun {
			return nil
		}
		for _, scope := range setup.Told(site) {
			if scope != setup.User {
				return nil
			}
		}
		e.hint("no agent is set up in this clone any more, so no remote is fixed for its memory")
		return upstream.Forget(repo)
	}
	u, err := settleUpstream(ctx, e, repo, was, o)
	if err != nil || u.Remote == "" || len(o.agents) == 0 && o.Remote == "" && !o.aboutSharing() {
		return err
	}
	return settleSharing(ctx, e, repo, u, o)
}

// settleUpstream fixes the remote that memory is exchanged with, and how far it is trusted, and returns it,
// also where a dry run does not fix it. What is fixed stays, until the person names a remote; a choice that
// the person made stays, but to believe another place.
func settleUpstream(ctx context.Context, e *env, repo *git.Repo, was upstream.Upstream,
	o setupOptions,
) (upstream.Upstream, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return was, err
	}
	// What was fixed elsewhere, or came with a folder, counts only as far as it keeps things back.
	here := was.Remote != "" && was.IsFixed(repo)
	if here && !o.aboutUpstream() {
		if err := was.Changed(config); err != nil {
			e.warnf("%v; nothing goes there by itself, and nothing is trusted for it", err)
			e.hint(command.ConfirmHint(err))
		}
		return was, nil
	}
	u, err := chooseUpstream(ctx, e, repo, config, was, here, o)
	if err != nil || u.Remote == "" {
		return u, err
	}
	if (u != was || !here) && !o.DryRun {
		u.Fixed = e.now().UTC()
		if err := u.Fix(repo); err != nil {
			return u, err
		}
		moved := here && u.Remote == was.Remote && u.URL != was.URL && u.Trust == upstream.Remote &&
			!slices.ContainsFunc(config.Remotes(), func(name string) bool { // It has another name now.
				other, _ := upstream.At(config, name)
				return other.URL == was.URL
			})
		if moved {
			e.hintf("%s moved: what %s delivered counts as delivered by it, and is sent there", u.Remote, was.URL)
		}
		err = e.useMemory(ctx, func(m *memory.Memory) error {
			var failed error
			if moved {
				failed = remote.Moved(m, was.URL, u.URL)
			}
			return errors.Join(failed, remote.LearnStoreOf(ctx, m, u), m.Judge().LearnAuthors(ctx))
		})
	}
	o.done.Remote = &command.SetupRemote{
		Name: e.printable(u.Remote), URL: e.printable(reply.Address(u.URL)), Trust: string(u.Trust),
		Why: string(u.Why),
	}
	e.hintf("'git ltm sync' exchanges the memory of this clone with %s (%s); with another: git ltm setup "+
		"--remote NAME", u.Remote, u.URL)
	if _, forked := upstream.At(config, projectRemote); forked && o.Remote == "" && u.Remote != projectRemote {
		e.hintf("if %s is your fork, and the project's memory is that of %s: git fetch %[2]s, then git ltm setup "+
			"--remote %[2]s; what its remote does not take from you stays here", u.Remote, projectRemote)
	}
	switch u.Trust {
	case upstream.Remote:
		e.hintf("agents are shown what %s delivers, also unsigned and then labelled, since %s; only what is "+
			"signed: git ltm setup --trust signed", u.Remote, u.Why)
	case upstream.Signed:
		e.hintf("agents are shown by themselves only what a trusted key signed, since %s; what those "+
			"wrote who committed to the default branch of %s, labelled: git ltm setup --trust remote",
			u.Why, u.Remote)
	}
	if !o.DryRun && err == nil {
		u, _, err = upstream.Of(repo) // The store is known now.
	}
	return u, err
}

// projectRemote is what contributors call the remote of the project that they have a fork of.
const projectRemote = "upstream"

// chooseUpstream returns the upstream as it is to be; none where there is no remote to choose.
func chooseUpstream(ctx context.Context, e *env, repo *git.Repo, config git.Config, was upstream.Upstream, here bool,
	o setupOptions,
) (upstream.Upstream, error) {
	name := cmp.Or(o.Remote, was.Remote)
	if name == "" {
		if err := config.Own("ltm.remote"); err != nil {
			return was, err
		}
		var err error
		if name, err = remote.ForSetup(config); command.IsA[*remote.NoDefaultError](err) && o.Trust == "" {
			e.hint(err.Error() + ", so memory stays in this clone; later: git ltm setup --remote NAME")
			return was, nil
		}
		if err != nil {
			return was, err
		}
	}
	now, ok := upstream.At(config, name)
	if !ok {
		return was, fmt.Errorf("remote %q: %w", name, remote.ErrNone)
	}
	u := was
	u.Remote, u.URL, u.PushURL = now.Remote, now.URL, now.PushURL
	u.Name, _ = config.Get("user.name")
	moved := !here || now.URL != was.URL || now.PushURL != was.PushURL
	if moved {
		u.Share, u.Public, u.Other = false, false, ""
	}
	if !here {
		u.Store = ""
	}
	switch {
	case o.Trust != "":
		u.Trust, u.Why = upstream.Trust(o.Trust), upstream.Said
		return u, nil
	case was.Why == upstream.Said && (was.Trust == upstream.Signed || !moved):
		return u, nil
	}
	defer sayWaiting(e, u)()
	return remote.Judged(ctx, repo, config, u)
}

// sayWaiting says that setup waits for a remote, unless it is ended before a second is over. Nobody decides by it.
func sayWaiting(e *env, u upstream.Upstream) (end func()) {
	said := make(chan struct{})
	notice := time.AfterFunc(time.Second, func() {
		_, _ = fmt.Fprintf(e.stderr, "git-ltm: waiting for %s, 10 s at most\n", e.printable(u.Remote))
		close(said)
	})
	return func() {
		if !notice.Stop() {
			<-said
		}
	}
}

// settleSharing says that memory travels by itself between this clone and its upstream, lets it, and fetches
// once, so that the very first session has the memory.
func settleSharing(ctx context.Context, e *env, repo *git.Repo, u upstream.Upstream, o setupOptions) error {
	before := u
	if o.shareSaid {
		u.NoShare = o.NoShare
	}
	u.Share, u.Public = !u.NoShare, u.Public || o.YesPublic
	if u != before && !o.DryRun {
		if err := u.Keep(repo); err != nil {
			return err
		}
	}
	switch place := u.Remote + " (" + reply.Address(u.Places()) + ")"; {
	case !u.Share && (before.Share || o.shareSaid):
		e.hint("memory of this clone does not travel by itself; on again: git ltm setup " +
			"--no-share=false")
		if o.NoShare {
			e.hint("only 'git ltm sync' and 'git ltm push' send from now on; what " + u.Remote +
				" has already stays there: 'git ltm purge ID' removes it")
		}
	case u.Share && e.inCI():
		e.hint("the variable CI is set, so that nothing travels by itself here: 'git ltm sync' in a job does")
	case u.Share && u != before && !isAnySetUp(ctx, e):
		e.hint("memory of this clone travels by itself to " + place + " once an agent is set up here: " +
			"git ltm setup AGENT")
	case u.Share && u != before:
		e.hint("memory of this clone is fetched when a session starts and pushed when one ends, to " +
			place + "; off: git ltm setup --no-share")
	}
	if !u.Share || o.DryRun || e.inCI() {
		return nil
	}
	return fetchFirst(ctx, e, repo, u)
}

// firstPatience is how long setup waits for the first memory.
const firstPatience = 10 * time.Second

// fetchFirst lets memory travel as at the start of a session, and waits for that, though not for long. What
// goes wrong is said, and no reason to fail.
func fetchFirst(ctx context.Context, e *env, repo *git.Repo, u upstream.Upstream) error {
	last, err := remote.LastTravel(repo, u)
	if last.Failed > 0 && err == nil { // The person may just have mended that.
		last.Failed, last.Began, last.Ended = 0, time.Time{}, time.Time{}
		err = last.Keep(repo)
	}
	if err != nil || !last.IsDue(remote.AtStart, e.now()) {
		return err
	}
	end := sayWaiting(e, u)
	all, err := travelWithin(ctx, e, repo, firstPatience)
	if end(); err != nil {
		return err
	}
	switch now, err := remote.LastTravel(repo, u); {
	case err != nil:
		return err
	case !all:
		e.hint(u.Remote + " has not answered yet; what it holds is there as soon as it does")
	case now.Error != "":
		e.warnf("nothing was fetched from %s: %s; it is tried again when a session starts", u.Remote, now.Error)
	case now.Pulled > 0 && now.Began.After(last.Began):
		e.hintf("fetched %s from %s", command.Counted(now.Pulled, "record"), u.Remote)
	}
	return nil
}

// settleConsent shows the settings of the repository under which git runs programs or goes elsewhere on
// its way to a remote, and keeps the answer of the person. What was accepted before is not asked
// again.
func settleConsent(ctx context.Context, e *env, o setupOptions) error {
	repo := o.repo
	switch {
	case repo == nil || o.Undo && !o.Accept:
		return nil
	case o.Undo:
		return upstream.Accept(repo, nil)
	}
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	missing := upstream.Missing(repo, config)
	if len(missing) == 0 {
		if o.Accept {
			e.hint("there is nothing to accept")
		}
		return nil
	}
	e.warnf("this repository brings settings under which git runs a program or goes elsewhere on its way " +
		"to a remote:")
	for _, line := range missing {
		shown := line.Key + " = " + line.Value
		if _, err := fmt.Fprintln(e.stderr, "  "+e.printable(shown)); err != nil {
			return err
		}
	}
	if !o.Accept && !o.DryRun && e.canAsk() {
		o.Accept, err = e.askAgreement("May git ltm go there in the background, with nobody to ask?")
		if err != nil {
			return err
		}
	}
	if !o.Accept || o.DryRun {
		e.hint("nothing goes to a remote in the background before 'git ltm setup --accept'; " +
			"sync, pull and push do as git does")
		return nil
	}
	if err = upstream.Accept(repo, missing); err == nil {
		e.hint("accepted, until one of them changes")
	}
	return err
}

// settleApprovals shows what lets each agent call our tools save and note without a question, and writes it
// where the person agrees. What it wrote goes with all else that setup did.
func settleApprovals(e *env, site setup.Site, agents []setup.Agent, o setupOptions) error {
	if o.Undo {
		return nil
	}
	for _, a := range agents {
		if at, n := transcript.Remembered(site.Home, e.getenv, transcript.Format(a.Name), site.Main()); n >
			0 && site.Top != "" {
			e.hintf("%s remembers %s about this project by itself; to have that here, "+
				"for you alone: git ltm import --private %s",
				a.Title, command.Counted(n, "thing"), e.printable(strconv.Quote(at)))
		}
		scope := cmp.Or(setup.Scope(o.Scope), a.Scopes[0])
		p, err := setup.PlanApprovals(site, a, scope)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		if p.Empty() {
			if how := a.ByHand(scope); how != "" {
				e.hint(how)
			}
			continue
		}
		agreed := o.Approve
		if !agreed && !o.DryRun && e.canAsk() {
			for _, c := range p.Changes {
				printDiff(e, c.Diff())
			}
			if agreed, err = e.askAgreement("May " + a.Title +
				" call the tools save and note of git ltm without asking you?"); err != nil {
				return err
			}
		}
		if !agreed {
			e.hintf("%s asks before each save; to allow it: git ltm setup %s --scope %s --approve", a.Title,
				a.Name, scope)
			continue
		}
		if !o.DryRun {
			err = p.Apply()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		tellPlan(e, p, o)
	}
	return nil
}

// modelOfClaude is how Claude Code works on a draft: without its tools, and without a session of its own.
const modelOfClaude = `claude -p --safe-mode --no-session-persistence --tools "" --json-schema "$GIT_LTM_SCHEMA" --output-format json`

// nameModel names the command with which the agent's own program works on the drafts of sessions, where it is
// here and the person named none. It costs, and what a session said goes to the maker of the model, so they
// type it.
func nameModel(ctx context.Context, e *env, o setupOptions) error {
	path, _ := e.getenv("PATH")
	_, missing := program.Find("claude", "", path)
	if o.repo == nil || o.Undo || missing != nil || !slices.Contains(o.agents, "claude-code") || !e.canAsk() {
		return nil
	}
	all, err := o.repo.Settings().Scoped(ctx, session.DistillCommandKey)
	if err == nil && len(all) == 0 {
		e.hintf("rules make the drafts of sessions; Claude Code itself would write better ones, with one call "+
			"of its model at the end of each session, masked and in an empty directory: git config --global "+
			"%s '%s'",
			session.DistillCommandKey, modelOfClaude)
	}
	return err
}

// undoSetup takes out of a clone all that git ltm put there beside the memory itself, and says what stays and
// how it goes.
func undoSetup(ctx context.Context, e *env, site setup.Site, o setupOptions) error {
	repo := o.repo
	var all []setupTask
	for _, a := range setup.Agents() {
		tasks, err := o.planTasks(site, a)
		if err != nil && !errors.Is(err, setup.ErrOutside) {
			return err
		}
		all, o.agents = append(all, tasks...), append(o.agents, a.Name)
	}
	stay := func(what, how string) {
		o.done.Stays = append(o.done.Stays, command.SetupRemains{What: what, How: how})
	}
	if _, err := applyTasks(e, site, all, o); err != nil {
		return err
	}
	for a, scope := range setup.Told(site) {
		if scope == setup.User || o.DryRun {
			stay(a.Title+", scope "+string(scope),
				fmt.Sprintf("git ltm setup %s --undo --scope %s", a.Name, scope))
		}
	}
	if err := errors.Join(removeHooks(ctx, e, repo, o), removeSettings(ctx, e, repo, o)); err != nil {
		return err
	}
	records := ""
	err := e.askMemory(ctx, func(_ *memory.Memory, r *recall.Recall) error {
		c, err := r.Census(ctx)
		records = fmt.Sprintf("%s, %s and %s", command.Counted(c.Packets, "packet"),
			command.Counted(c.Notes, "note"), command.Counted(c.Skips, "skip"))
		return err
	})
	if err != nil {
		return err
	}
	stay(records, "'git ltm export' writes them to a file; to delete them here: git for-each-ref "+
		"--format='delete %(refname)' "+
		"refs/ltm refs/ltm-local refs/ltm-remotes | git update-ref --stdin")
	stay("what a remote holds",
		"git push REMOTE --delete $(git ls-remote --refs REMOTE 'refs/ltm/*' | cut -f 2)")
	stay("what this clone keeps about the memory", "rm -r "+e.printable(repo.CommonDir)+"/ltm")
	stay("your keys and your memory of all projects", "git ltm of other repositories uses them")
	stay("the program", "remove git-ltm from the PATH")
	e.print("\nWhat stays, and how it goes:\n")
	for _, s := range o.done.Stays {
		e.printf("%s: %s\n", s.What, s.How)
	}
	return nil
}

// removeHooks takes the hooks out that install wrote, and says of others which line calls git ltm.
func removeHooks(ctx context.Context, e *env, repo *git.Repo, o setupOptions) error {
	site, err := hookSite(ctx, repo)
	if err != nil {
		return err
	}
	for _, name := range hook.Names() {
		place, err := name.At(site)
		if err != nil {
			return err
		}
		if !place.Own {
			if place.Calls {
				e.tellOwnLine(place)
			}
			continue
		}
		if !o.DryRun {
			if _, _, err := name.Uninstall(site); err != nil {
				return err
			}
		}
		file := command.SetupFile{Path: e.printable(place.Path), Did: "removed"}
		o.done.Files = append(o.done.Files, file)
		e.printf("- %s\n", file.Path)
	}
	return nil
}

// removeSettings takes out what init added, the settings of git ltm in the configuration of the clone, and
// what setup noted.
func removeSettings(ctx context.Context, e *env, repo *git.Repo, o setupOptions) error {
	removed, err := undoInit(ctx, e, repo, initOptions{Undo: true, DryRun: o.DryRun, quiet: true}, nil)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(repo.Settings().File())
	if err != nil {
		return err
	}
	entries, err := repo.Settings().Entries(ctx, text)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		key, value, _ := strings.Cut(entry, "\n")
		if !strings.HasPrefix(key, "ltm.") {
			continue
		}
		removed = append(removed, printSettings(e, "-", []remote.Setting{{Key: key, Value: value}})...)
		if !o.DryRun {
			if err := repo.Settings().Unset(ctx, git.Local, key, value); err != nil {
				return err
			}
		}
	}
	if o.done.Removed = removed; o.DryRun {
		return nil
	}
	return errors.Join(upstream.Accept(repo, nil), upstream.Forget(repo))
}
