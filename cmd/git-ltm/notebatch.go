package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// mostBatch is how many records a batch may have: each is a ref that every exchange lists.
const mostBatch = 2000

// noteBatch stores many notes and skips.
func (e *env) noteBatch(cmd *cobra.Command, o noteFlags, args []string) error {
	wrong := o.smallFlags.problems(e)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{
			"kind", "impact", "confidence", "why", "topic", "tag", "expires", "cite",
			"link",
		}, f.Name) {
			wrong = append(wrong, errors.New("--batch reads it from the lines: --"+f.Name))
		}
	})
	if err := usage(wrong); err != nil {
		return err
	}
	name := standardInput
	if len(args) > 0 {
		name = args[0]
	}
	ctx := cmd.Context()
	data, err := e.document(ctx, name)
	if err != nil {
		return err
	}
	lines := batchLines(data, e.now())
	switch {
	case len(lines) == 0:
		return usagef("there is no record to store: one JSON object a line")
	case len(lines) > mostBatch:
		return usagef("%d records are too many for one batch, at most %d", len(lines), mostBatch)
	}
	identities := o.reach
	if e.userStore == "" && !cmd.Flags().Changed("private") {
		identities = replay.Private
	}
	return e.use(ctx, func(m *memory.Memory) error {
		return e.keepBatch(ctx, m, o.smallFlags, lines, identities)
	})
}

// keepBatch stores the records of a batch that pass, and names the others; identities is how far those go
// that say who somebody is.
func (e *env) keepBatch(ctx context.Context, m *memory.Memory, s smallFlags, lines []batchLine,
	identities replay.Reach,
) error {
	reqs := make([]gate.SmallRequest, len(lines))
	for i, l := range lines {
		reqs[i] = s.request(l.data)
		reqs[i].DryRun = s.dryRun || l.err != nil // The gate still says what else is wrong.
		if l.identity {
			reqs[i].Reach = identities
		}
	}
	receipts, err := m.SaveBatch(ctx, reqs)
	failed, isBatch := errors.AsType[*gate.BatchError](err)
	if err != nil && !isBatch {
		return &smallError{err}
	}
	if isBatch {
		for _, f := range failed.Failed {
			lines[f.Index].err = errors.Join(lines[f.Index].err, f.Err)
		}
	}
	wrong := &batchError{lines: len(lines)}
	var passed []gate.Receipt
	for i, l := range lines {
		if l.err != nil {
			wrong.wrong = append(wrong.wrong, lineError{l.number, l.err})
		} else {
			passed = append(passed, receipts[i])
		}
	}
	if len(passed) > 0 {
		if err := e.printBatch(ctx, m, passed, s); err != nil {
			return err
		}
	}
	if len(wrong.wrong) == 0 {
		return nil
	}
	if !s.dryRun {
		wrong.stored = len(passed)
	}
	return wrong
}

func (e *env) printBatch(ctx context.Context, m *memory.Memory, receipts []gate.Receipt, s smallFlags) error {
	dry := rehearsal(s.dryRun)
	all := []reply.Saved{}
	for _, r := range receipts {
		if len(redact.Blocking(r.Findings)) > 0 {
			e.warnf("of record %s:", r.ID)
		}
		e.explain(r)
		all = append(all, reply.SavedOf(r, dry))
	}
	if dry {
		for i, repeats := range e.tellDuplicates(ctx, m, dry, receipts...) {
			all[i] = all[i].With(e.rules, repeats)
		}
		e.say("hint", "this was a dry run, nothing was stored")
	}
	var err error
	if s.json {
		err = e.printJSON(all)
	} else {
		for _, r := range receipts {
			_, failed := fmt.Fprintln(e.stdout, r.ID)
			err = errors.Join(err, failed)
		}
	}
	switch {
	case bool(dry):
		return err
	case err != nil:
		return fmt.Errorf("the records are stored, and their ids cannot be printed: %w", err)
	}
	for _, r := range receipts {
		e.adviseStored(r)
	}
	e.tellDuplicates(ctx, m, dry, receipts...)
	return nil
}
