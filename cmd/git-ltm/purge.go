package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type purgeOptions struct {
	reason          string
	yes, local, now bool
}

func newPurge(e *env) *cobra.Command {
	var o purgeOptions
	cmd := &cobra.Command{
		Use:   "purge ID...",
		Short: "Remove records for good, here and on the remote",
		Long: "Purge takes records of any kind out of this clone with everything that belongs to them, leaves a tombstone that tells no\n" +
			"text, and does the same on the remote that memory goes to. Other clones drop the record when they next sync, and no\n" +
			"stale clone brings it back. It cannot be undone: 'git ltm rm' hides a record and can be taken back.\n\n" +
			"Events that speak of nothing else go with it, and so do those that put nothing else in the place of others: what a\n" +
			"purged record had superseded is seen again.\n\n" +
			"The bytes stay in the repository until git collects them: --gc runs 'git gc --prune=now' at once, which also drops\n" +
			"every other object that nothing refers to. Leave it where other repositories borrow objects of this one (git clone\n" +
			"--shared or --reference): nothing tells which they need. A host may hand the object out by its hash for some time,\n" +
			"and whoever fetched it has it: change a secret that leaked.\n\n" + exitCodes,
		Example: "  git ltm purge 01JDMB4W1YNJZQR7K8F3A2H5P9 --reason secret --gc",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(memory.Reasons(), o.reason) {
				return usagef("--reason is one of %s", strings.Join(memory.Reasons(), ", "))
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error { return e.purge(cmd.Context(), m, o, args) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.reason, "reason", memory.ReasonOther, "`CLASS`: "+strings.Join(memory.Reasons(), ", ")+"; it is all that others learn")
	f.BoolVar(&o.yes, "yes", false, "do not ask")
	f.BoolVar(&o.local, "local", false, "leave the remote to the next 'git ltm sync'")
	f.BoolVar(&o.now, "gc", false, "collect the bytes at once, with 'git gc --prune=now'")
	return cmd
}

// errKept says that the user did not agree.
var errKept = errors.New("nothing was purged")

// purge removes records here, and then on the remote.
func (e *env) purge(ctx context.Context, m *memory.Memory, o purgeOptions, specs []string) error {
	if err := e.agree(o, specs); err != nil {
		return err
	}
	if err := e.refuseWide(ctx, m, specs); err != nil {
		return err
	}
	if err := refuseDrafts(ctx, m, specs); err != nil {
		return err
	}
	done, err := m.Purge(ctx, specs, o.reason)
	if err != nil {
		return err
	}
	e.forget(ctx, m)
	for _, id := range done.Already {
		e.warnf("record %s was purged before", id)
	}
	for _, id := range done.Unknown {
		e.warnf("no record %s is here; the tombstone keeps it out from now on", id)
	}
	for _, id := range done.Purged {
		if _, err := fmt.Fprintf(e.stdout, "purged %s\n", id); err != nil {
			return err
		}
	}
	if n := len(done.About); n > 0 {
		e.say("hint", fmt.Sprintf("%d event(s) that spoke of nothing else went with it", n))
	}
	err = e.purgeThere(ctx, m, o)
	e.tellPurged(ctx, m, o, done)
	if o.now {
		err = errors.Join(err, e.collect(ctx, m))
	}
	return err
}

// collect drops the bytes, and tells where they may lie still.
func (e *env) collect(ctx context.Context, m *memory.Memory) error {
	if err := m.Collect(ctx); err != nil {
		return err
	}
	left, err := m.Repo().Uncollected()
	if err != nil {
		return err
	}
	for _, lender := range left.Lenders {
		e.warnf("this repository borrows objects of %s: what lies there stays until it is purged there too", lender)
	}
	if left.Promised {
		e.warnf("git keeps all that 'git fetch' brought into a partial clone: what came that way goes with the clone, and not before")
	}
	return nil
}

// refuseWide refuses ids of the user-wide memory: a tombstone in this repository would not reach it, and tell others of it.
func (e *env) refuseWide(ctx context.Context, m *memory.Memory, specs []string) error {
	for _, spec := range specs {
		if _, holder, err := m.FindAnyWide(ctx, spec); err == nil && holder != m {
			return usagef("record %s lies in your user-wide memory: git ltm --user purge %s", spec, spec)
		}
	}
	return nil
}

// agree asks the person at the terminal, who may take it back until then.
func (e *env) agree(o purgeOptions, specs []string) error {
	if o.yes {
		return nil
	}
	if !e.terminal(e.stdin) || !e.terminal(e.stderr) {
		return usagef("purge cannot be undone: say --yes, or hide the record with 'git ltm rm'")
	}
	_, _ = fmt.Fprintf(e.stderr, "Remove %s for good, here and on the remote? It cannot be undone. [y/N] ", e.printable(strings.Join(specs, ", ")))
	answer, _ := bufio.NewReader(e.stdin).ReadString('\n') // No answer is no.
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errKept
	}
	return nil
}

// purgeThere takes the records out on the remote that memory goes to, if there is one.
func (e *env) purgeThere(ctx context.Context, m *memory.Memory, o purgeOptions) error {
	if o.local {
		return nil
	}
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(ctx, m.Repo(), config)
	if none, ok := errors.AsType[*remote.NoDefaultError](err); ok && len(none.Remotes) == 0 {
		return nil
	}
	if err == nil {
		err = e.exchange(ctx, m, remote.Forget, syncOptions{}, []string{name})
	}
	if err != nil {
		e.warnf("it is purged here, and the remote may still hold it: run 'git ltm sync' until that says it is deleted")
	}
	return err
}

// tellPurged says what a purge cannot do.
func (e *env) tellPurged(ctx context.Context, m *memory.Memory, o purgeOptions, done memory.Purged) {
	if !o.now && len(done.Refs) > 0 {
		e.say("hint", "the bytes lie in this repository until git collects them: 'git gc --prune=now', or --gc")
	}
	if o.reason == memory.ReasonSecret {
		e.say("hint", "change the secret: hosts may hand the object out by its hash for some time, and whoever fetched it has it")
	}
	e.hintDrafts(ctx, m)
	e.say("hint", e.aimed("every other clone drops it at its next 'git ltm sync'; other remotes: 'git ltm sync --all'"))
}
