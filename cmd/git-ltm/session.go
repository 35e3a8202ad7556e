package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/session"
)

// use opens the memory of the repository, calls do, and tells what was skipped
// and mended on the way.
func (e *env) use(ctx context.Context, do func(m *memory.Memory) error) (err error) {
	opts := memory.Options{
		Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, UserStore: e.userStore,
		View: recall.Views(e.now),
	}
	host, inShell := agent.InShellOf(e.getenv)
	_, _, inSession := agent.SessionIn(e.getenv)
	if opts.Agent = string(host); inShell || inSession {
		opts.Shown = session.Shown(memory.Options{Env: e.vars, Now: e.now, Entropy: e.entropy},
			e.shellPlaces()...)
		opts.Unattended = !e.terminal(e.stdin)
	}
	m, err := memory.Open(ctx, opts)
	if err != nil {
		return err
	}
	defer func() {
		if closing := m.Close(); err == nil {
			err = closing
		}
	}()
	if err = do(m); err != nil {
		// What went wrong is told in words that may hold a secret of the house. Where the rules cannot be
		// read, that is what went wrong, or nothing was scanned.
		e.rules, _ = m.Rules(ctx)
	}
	if ctx.Err() == nil && m.Purges().Erased().MustForget() {
		e.forget(ctx, m)
	}
	e.tell(m)
	e.tellWide(m)
	return err
}

// shellPlaces are the directories in which the shell is, or was before the last change, that the program runs
// in: of the clone of a session they know more than what a command was pointed at.
func (e *env) shellPlaces() (all []string) {
	for _, name := range []string{"PWD", "OLDPWD"} {
		if dir, _ := e.getenv(name); filepath.IsAbs(dir) && dir != e.dir {
			all = append(all, dir)
		}
	}
	return all
}

// tell tells what was not signed, skipped and mended in one memory.
func (e *env) tell(m *memory.Memory) {
	e.tellSigning(m)
	if fault := m.RuleSource().Fault(); fault != nil {
		e.warnf("%v", fault)
	}
	for _, err := range m.LeftOut() {
		e.warnf("%v", err)
	}
	healed := m.Healed()
	for _, ref := range healed.Restored {
		e.warnf("mended %q, which had lost its ref or its object", ref)
	}
	for _, b := range healed.Quarantined {
		e.warnf("moved the broken ref %q (%s) to quarantine, so that git gc works", b.Ref, b.Reason)
	}
}

// tellSigning tells what became of signatures that were wanted, and that one gave this clone the id of its
// store.
func (e *env) tellSigning(m *memory.Memory) {
	for _, u := range m.Signer().Unsigned() {
		e.warnf("STORED UNSIGNED: %s: %v", u.ID, u.Err)
		for _, d := range details(u.Err) {
			_, _ = fmt.Fprintf(e.stderr, "  %s\n", e.printable(d))
		}
		if namedByTeam(u.Err) {
			e.say("hint", "look at the list and accept it with 'git ltm trust init'")
		}
		e.say("hint", "sign it later with 'git ltm sign "+string(u.ID)+
			"'; with ltm.sign = required nothing is stored unsigned")
	}
	if id := m.Signer().NewStore(); id != "" {
		e.say("hint", "this clone made the store id "+id+
			" (git config ltm.store); signatures are good in clones that have the same")
	}
}

// joinDirs applies -C as git does: each is relative to the one before.
func joinDirs(start string, dirs []string) string {
	for _, d := range dirs {
		switch {
		case d == "":
		case filepath.IsAbs(d):
			start = d
		default:
			start = filepath.Join(start, d)
		}
	}
	return start
}
