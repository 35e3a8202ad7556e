package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/session"
)

// modelOfClaude is how Claude Code works on a draft: without its tools, and without a session of its own.
const modelOfClaude = `claude -p --safe-mode --no-session-persistence --tools "" --json-schema "$GIT_LTM_SCHEMA" --output-format json`

// settleModel offers the agent's own program for the drafts of sessions, where it is here and the person
// named none. It is off until they agree at a terminal: it costs, and what a session said goes to the maker
// of the model, masked. It stands in the person's own configuration; an undo takes out exactly this command.
func (e *env) settleModel(ctx context.Context, o setupOptions) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if errors.Is(err, git.ErrNotRepository) {
		return nil
	}
	if err != nil {
		return err
	}
	all, err := repo.ScopedSettings(ctx, session.DistillCommandKey)
	if err != nil {
		return err
	}
	ours := slices.ContainsFunc(all, func(s git.Scoped) bool {
		return s.Scope == "global" && s.Value == modelOfClaude
	})
	if o.undo && ours && slices.Contains(o.agents, "claude-code") && !o.dryRun {
		return repo.UnsetConfig(ctx, git.Global, session.DistillCommandKey, modelOfClaude)
	}
	path, _ := e.getenv("PATH")
	_, missing := program.Find("claude", "", path)
	if o.undo || len(all) > 0 || missing != nil || !slices.Contains(o.agents, "claude-code") ||
		!e.terminal(e.stdin) || !e.terminal(e.stderr) {
		return nil
	}
	e.say("hint", "rules make the drafts of sessions; Claude Code itself would write better ones, with "+
		"one call of its model at the end of each session, "+
		"masked and in an empty directory. It would be in your own configuration, for all repositories:")
	if _, err := fmt.Fprintf(e.stderr, "  git config --global %s '%s'\n", session.DistillCommandKey,
		modelOfClaude); err != nil || o.dryRun {
		return err
	}
	yes, err := e.agreed("Shall it?")
	if err != nil || !yes {
		return err
	}
	return repo.SetConfig(ctx, git.Global, session.DistillCommandKey, modelOfClaude)
}
