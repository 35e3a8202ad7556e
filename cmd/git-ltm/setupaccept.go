package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/consent"
	"github.com/git-ltm/git-ltm/internal/git"
)

// settle shows the settings of the repository under which git runs programs or goes elsewhere on
// its way to a remote, and keeps the answer of the person. What was accepted before is not asked
// again.
func (e *env) settle(ctx context.Context, o setupOptions) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if errors.Is(err, git.ErrNotRepository) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.undo {
		if !o.accept {
			return nil
		}
		return consent.Accept(repo, nil)
	}
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	missing := consent.Missing(repo, config)
	if len(missing) == 0 {
		if o.accept {
			e.say("hint", "there is nothing to accept")
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
	if !o.accept && !o.dryRun && e.terminal(e.stdin) && e.terminal(e.stderr) {
		if o.accept, err = e.agreed("May git ltm go there in the background, with nobody to ask?"); err !=
			nil {
			return err
		}
	}
	if !o.accept || o.dryRun {
		e.say("hint", "nothing goes to a remote in the background before 'git ltm setup --accept'; "+
			"sync, pull and push do as git does")
		return nil
	}
	return consent.Accept(repo, missing)
}
