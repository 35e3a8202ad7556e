package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-ltm/git-ltm/internal/consent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// undoSetup takes out of a clone all that git ltm put there beside the memory itself, and says what stays and
// how it goes.
func (e *env) undoSetup(ctx context.Context, o setupOptions) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	site, err := e.site(ctx)
	if err != nil {
		return err
	}
	var all []setupTask
	for _, a := range setup.Agents() {
		tasks, err := o.tasks(site, a)
		if err != nil && !errors.Is(err, setup.ErrOutside) {
			return err
		}
		all, o.agents = append(all, tasks...), append(o.agents, a.Name)
	}
	var stays strings.Builder
	stay := func(what, how string) { fmt.Fprintf(&stays, "%s: %s\n", what, how) }
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
	}
	for _, a := range setup.Agents() {
		for _, s := range setup.Look(site, a) {
			if s.Told && (s.Scope == setup.User || o.dryRun) {
				stay(a.Title+", scope "+string(s.Scope),
					fmt.Sprintf("git ltm setup %s --undo --scope %s", a.Name, s.Scope))
			}
		}
	}
	if err := errors.Join(e.removeHooks(ctx, repo, o), e.removeSettings(ctx, repo, o)); err != nil {
		return err
	}
	records := ""
	err = e.ask(ctx, func(_ *memory.Memory, r *recall.Recall) error {
		c, err := r.Census(ctx)
		records = fmt.Sprintf("%s, %s and %s", counted(c.Packets, "packet"), counted(c.Notes, "note"),
			counted(c.Skips, "skip"))
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
	if o.dryRun {
		e.say("hint", "this was a dry run, nothing was changed")
	}
	_, err = fmt.Fprintf(e.stdout, "\nWhat stays, and how it goes:\n%s", stays.String())
	return err
}

// removeHooks takes the hooks out that install wrote, and says of others which line calls git ltm.
func (e *env) removeHooks(ctx context.Context, repo *git.Repo, o setupOptions) error {
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
		if !o.dryRun {
			if _, _, err := name.Uninstall(site); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(e.stdout, "- %s\n", e.printable(place.Path)); err != nil {
			return err
		}
	}
	return nil
}

// removeSettings takes out what init added, the settings of git ltm in the configuration of the clone, and
// what setup noted.
func (e *env) removeSettings(ctx context.Context, repo *git.Repo, o setupOptions) error {
	if err := e.undoInit(ctx, repo, initOptions{undo: true, dryRun: o.dryRun, quiet: true}, nil); err != nil {
		return err
	}
	text, err := os.ReadFile(repo.ConfigFile())
	if err != nil {
		return err
	}
	entries, err := repo.ConfigEntries(ctx, text)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		key, value, _ := strings.Cut(entry, "\n")
		if !strings.HasPrefix(key, "ltm.") {
			continue
		}
		if err := e.printLines("-", []remote.Setting{{Key: key, Value: value}}); err != nil {
			return err
		}
		if !o.dryRun {
			if err := repo.UnsetConfig(ctx, git.Local, key, value); err != nil {
				return err
			}
		}
	}
	if o.dryRun {
		return nil
	}
	return errors.Join(e.settleModel(ctx, o), consent.Accept(repo, nil), upstream.Forget(repo))
}
