package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// founds tells whether a command makes the user-wide memory where there is none. A rehearsal does not.
func founds(cmd *cobra.Command) bool {
	if dry, err := cmd.Flags().GetBool("dry-run"); err == nil && dry {
		return false
	}
	switch cmd.Name() {
	case "save", "init", "import":
		return true
	}
	_, makes := cmd.Annotations[makesStore]
	return makes
}

// notUserWide marks a command that has nothing to do with the user-wide memory, and says what may have been
// meant.
const notUserWide = "not-user-wide"

// workOnUser makes a command work on the user-wide memory instead of the repository at hand. Files on its
// command line are still those of the directory at hand.
func (e *env) workOnUser(ctx context.Context, cmd *cobra.Command) error {
	if why, ok := cmd.Annotations[notUserWide]; ok {
		return usagef("%s", why)
	}
	store, err := memory.FindUserStore(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	made, err := store.Exists()
	if err != nil {
		return fmt.Errorf("user-wide memory: %w", err)
	}
	switch {
	case !made && !founds(cmd):
		return fmt.Errorf("%q: %w", store.Path, memory.ErrNoUserStore)
	case !made:
		if err := store.Make(ctx, e.vars); err != nil {
			return err
		}
		e.say("hint", "made your user-wide memory: "+store.Path)
	}
	e.userStore, e.vars = store.Path, store.Env(e.vars)
	if cmd.Name() == "init" {
		return e.initUser(ctx, cmd)
	}
	return nil
}

// initUser leaves it at making the memory where that has no remote.
func (e *env) initUser(ctx context.Context, cmd *cobra.Command) error {
	repo, err := git.FindBare(ctx, e.userStore, e.vars)
	if err != nil {
		return err
	}
	remotes, err := repo.Remotes(ctx)
	if err != nil || len(remotes) > 0 {
		return err
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		_, err := fmt.Fprintln(e.stdout, e.userStore)
		e.say("hint", "it has no remote, so it stays on this machine; git -C "+e.userStore+
			" remote add origin URL gives it one")
		return err
	}
	return nil
}

// fromUser says that a record is of the user-wide memory, where it was asked for in a repository.
func (e *env) fromUser(m, of *memory.Memory, entry replay.Entry) {
	if of != m {
		e.say("hint", string(entry.Kind())+" "+string(entry.ID)+
			" is of your user-wide memory, not of this repository")
	}
}

// tellWide tells what was skipped and mended in the user-wide memory, and that it cannot be read. No command
// fails by that.
func (e *env) tellWide(m *memory.Memory) {
	if err := m.UserError(); err != nil {
		e.warnf("your user-wide memory is left out: %v", err)
		e.say("hint", "mend it, name another with 'git config --global ltm.userStore DIR', or turn it off "+
			"with 'off' for DIR")
		return
	}
	if user := m.UserOpened(); user != nil {
		e.tell(user)
	}
}
