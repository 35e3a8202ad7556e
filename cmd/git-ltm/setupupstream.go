package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/consent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// settleRemote fixes the remote of memory and lets memory travel; where the person only says how far it is
// trusted, it does not let it.
func (e *env) settleRemote(ctx context.Context, o setupOptions) error {
	if o.scope == string(setup.User) {
		return nil
	}
	repo, err := git.Find(ctx, e.dir, e.vars)
	if errors.Is(err, git.ErrNotRepository) && !o.aboutUpstream() {
		return nil
	}
	if err != nil {
		return err
	}
	was, fixed, err := upstream.Of(repo)
	if err != nil {
		return err
	}
	if o.undo {
		if fixed {
			err = e.unsettleUpstream(ctx, repo, o)
		}
		return err
	}
	u, err := e.settleUpstream(ctx, repo, was, o)
	if err != nil || u.Remote == "" || len(o.agents) == 0 && o.remote == "" && !o.aboutSharing() {
		return err
	}
	return e.settleSharing(ctx, repo, u, o)
}

// settleUpstream fixes the remote that memory is exchanged with, and how far it is trusted, and returns it,
// also where a dry run does not fix it. What is fixed stays, until the person names a remote; a choice that
// the person made stays, but to believe another place.
func (e *env) settleUpstream(ctx context.Context, repo *git.Repo, was upstream.Upstream,
	o setupOptions,
) (upstream.Upstream, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return was, err
	}
	// What was fixed elsewhere, or came with a folder, counts only as far as it keeps things back.
	here := was.Remote != "" && consent.IsFixed(repo, was.Places())
	if here && !o.aboutUpstream() {
		if err := was.Changed(config); err != nil {
			e.warnf("%v; nothing goes there by itself, and nothing is trusted for it", err)
			e.say("hint", confirmHint(err))
		}
		return was, nil
	}
	u, err := e.chosen(ctx, repo, config, was, here, o)
	if err != nil || u.Remote == "" {
		return u, err
	}
	if (u != was || !here) && !o.dryRun {
		u.Fixed = e.now().UTC()
		if err := errors.Join(consent.Fix(repo, u.Places()), u.Fix(repo)); err != nil {
			return u, err
		}
		err = e.use(ctx, func(m *memory.Memory) error {
			return errors.Join(remote.LearnStoreOf(ctx, m, u), m.Judge().LearnAuthors(ctx))
		})
	}
	e.sayUpstream(u)
	if !o.dryRun && err == nil {
		u, _, err = upstream.Of(repo) // The store is known now.
	}
	return u, err
}

// chosen returns the upstream as it is to be; none where there is no remote to choose.
func (e *env) chosen(ctx context.Context, repo *git.Repo, config git.Config, was upstream.Upstream, here bool,
	o setupOptions,
) (upstream.Upstream, error) {
	name := o.remote
	if name == "" {
		name = was.Remote
	}
	if name == "" {
		if err := config.Own("ltm.remote"); err != nil {
			return was, err
		}
		var err error
		if name, err = remote.ForSetup(ctx, repo, config); isA[*remote.NoDefaultError](err) && o.trust == "" {
			e.say("hint", err.Error()+", so memory stays in this clone; later: git ltm setup --remote NAME")
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
	case o.trust != "":
		u.Trust, u.Why = upstream.Trust(o.trust), upstream.Said
		return u, nil
	case was.Why == upstream.Said && (was.Trust == upstream.Signed || !moved):
		return u, nil
	}
	return remote.Judged(ctx, repo, config, u)
}

// sayUpstream says where memory goes, whose unsigned records are shown, and how to have it otherwise.
func (e *env) sayUpstream(u upstream.Upstream) {
	e.say("hint", fmt.Sprintf(
		"the memory of this clone is exchanged with %s (%s); with another: git ltm setup --remote NAME",
		u.Remote, u.URL))
	switch u.Trust {
	case upstream.Remote:
		e.say("hint", fmt.Sprintf(
			"agents are shown what %s delivers, also unsigned and then labelled, since %s; only what is "+
				"signed: git ltm setup --trust signed", u.Remote, u.Why))
	case upstream.Signed:
		e.say("hint", fmt.Sprintf(
			"agents are shown by themselves only what a trusted key signed, since %s; all that %s "+
				"delivers, labelled: git ltm setup --trust remote", u.Why, u.Remote))
	}
}

// unsettleUpstream lets the clone have no upstream, once no agent is set up in it.
func (e *env) unsettleUpstream(ctx context.Context, repo *git.Repo, o setupOptions) error {
	site, err := e.site(ctx)
	if err != nil || o.dryRun {
		return err
	}
	for _, a := range setup.Agents() {
		for _, s := range setup.Look(site, a) {
			if s.Told && s.Scope != setup.User {
				return nil
			}
		}
	}
	e.say("hint", "no agent is set up in this clone any more, so no remote is fixed for its memory")
	return upstream.Forget(repo)
}

// confirmHint is the command that takes the address that the upstream has now.
func confirmHint(err error) string {
	changed, ok := errors.AsType[*upstream.ChangedError](err)
	if !ok || changed.Now == "" {
		return "git ltm setup --remote NAME"
	}
	return "git ltm setup --remote " + changed.Remote
}
