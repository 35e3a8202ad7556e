package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/trust"
)

type trustInitOptions struct {
	ref, pin          string
	yes, undo, dryRun bool
}

func (o *trustInitOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.ref, "ref", "",
		"read the list from the protected `REF` (default: ltm.trustRef, else the default branch of the remote)")
	f.BoolVarP(&o.yes, "yes", "y", false, "accept what is shown without asking")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only show it")
}

func newTrustInit(e *env) *cobra.Command {
	var o trustInitOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Accept the team's list of keys as it is now",
		Long: "Init shows the keys in .ltm of the protected branch, asks, and from then on lets them count in this clone. It keeps the\n" +
			"commit in ltm.trustPin: a later change of the list counts only after 'git ltm trust update'. In CI give the commit that\n" +
			"you know with --pin, or accept what the runner has fetched with --yes.\n\n" + exitCodes,
		Example: "  git ltm trust init\n  git ltm trust init --ref refs/remotes/origin/main --yes",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.trustInit(cmd.Context(), m, o)
			})
		},
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&o.pin, "pin", "", "accept the list of `COMMIT`, which you know")
	cmd.Flags().BoolVar(&o.undo, "undo", false, "let the team's list count no longer")
	return cmd
}

func newTrustUpdate(e *env) *cobra.Command {
	var o trustInitOptions
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Accept what changed in the team's list",
		Long: "Update shows which keys came and went since the commit that you accepted. Where each change was committed with a\n" +
			"signature of a key of the list before it, it counts at once; else it asks, and without a terminal it takes --yes.\n\n" + exitCodes,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.trustUpdate(cmd.Context(), m, o)
			})
		},
	}
	o.flags(cmd)
	return cmd
}

func (e *env) trustInit(ctx context.Context, m *memory.Memory, o trustInitOptions) error {
	if o.undo {
		if err := trust.Forget(ctx, m.Repo()); err != nil {
			return err
		}
		e.say("hint", "no list of the team counts here")
		return nil
	}
	t, err := e.lists(ctx, m)
	if err != nil {
		return err
	}
	ref := o.ref
	if o.pin != "" {
		ref = o.pin
	}
	p, err := t.Propose(ctx, ref)
	if errors.Is(err, trust.ErrNoList) {
		e.say("hint", "begin one: git ltm trust add KEYFILE --as MAIL --team, commit "+trust.TeamFolder+
			" to the protected branch, push and fetch")
	}
	if err != nil {
		return err
	}
	if err := e.showProposal(p); err != nil {
		return err
	}
	if p.Pinned == p.Commit {
		e.say("hint", "this commit is accepted already")
		return nil
	}
	return e.accept(ctx, t, p, o)
}

// lists reads the lists that count. Where the team's cannot be read, it is told and left out: another takes
// its place.
func (e *env) lists(ctx context.Context, m *memory.Memory) (*trust.Trust, error) {
	t, err := m.Judge().Trust(ctx)
	if !isA[*trust.PolicyError](err) {
		return t, err
	}
	config, failure := m.Config(ctx)
	if failure != nil {
		return nil, failure
	}
	apart, failure := trust.LoadApart(ctx, m.Repo(), config, e.now())
	if failure != nil {
		return nil, err
	}
	e.warnf("%v", err)
	return apart, nil
}

func (e *env) trustUpdate(ctx context.Context, m *memory.Memory, o trustInitOptions) error {
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	p, err := t.Propose(ctx, o.ref)
	if err != nil {
		return err
	}
	if p.Pinned == "" {
		return usagef("no list of the team is accepted here yet; see 'git ltm trust init'")
	}
	if err := e.showProposal(p); err != nil {
		return err
	}
	switch {
	case p.Pinned == p.Commit:
		return nil
	case p.Same():
		o.yes = true
	case p.By != "":
		e.say("hint", "each change is signed by a key of the list before it, the last one by "+p.By)
		o.yes = true
	default:
		e.warnf("%s", p.Why)
	}
	return e.accept(ctx, t, p, o)
}

// accept makes a proposal count, when somebody says so.
func (e *env) accept(ctx context.Context, t *trust.Trust, p *trust.Proposal, o trustInitOptions) error {
	if o.dryRun {
		e.say("hint", "this was a dry run, nothing was changed")
		return nil
	}
	if !o.yes {
		if ok, err := e.agreed("Let these keys count in this clone?"); err != nil || !ok {
			return err
		}
	}
	if err := t.Accept(ctx, p); err != nil {
		return err
	}
	e.say("hint", "accepted: ltm.trustPin = "+p.Commit)
	return nil
}

// showProposal prints what would count from then on.
func (e *env) showProposal(p *trust.Proposal) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at %s (%s)\n", trust.TeamFolder, p.Commit, p.Ref)
	for _, part := range []struct {
		sign string
		keys []trust.Key
	}{{"+", p.Added}, {"-", p.Removed}} {
		for _, k := range part.keys {
			fmt.Fprintf(&b, "%s %s  %s  %s\n", part.sign, k.Fingerprint, k.Principals, k.Detail)
		}
	}
	for _, part := range []struct {
		text  string
		lines []string
	}{{"+ revoked", p.Revoked}, {"- revoked", p.Restored}, {"+ store", p.Stores}, {"- store", p.Dropped}} {
		for _, l := range part.lines {
			fmt.Fprintf(&b, "%s %s\n", part.text, l)
		}
	}
	if p.Same() {
		b.WriteString("the keys are the same\n")
	}
	if p.Hidden {
		fmt.Fprintf(&b, "the keys are the same, and something else in the files is not: git diff %s %s -- %s\n", p.Pinned, p.Commit, trust.TeamFolder)
	}
	if len(p.List.Stores()) == 0 {
		e.warnf("the list names no store, so that a signature of one clone is foreign in another: git "+
			"config --get ltm.store > %s/store, and commit it", trust.TeamFolder)
	}
	for _, problem := range p.List.Problems {
		e.warnf("%s", problem)
	}
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(e.stdout, e.printable(line)); err != nil {
			return err
		}
	}
	return nil
}

// agreed asks the person at the terminal. Without one, only a flag agrees.
func (e *env) agreed(question string) (bool, error) {
	if !e.terminal(e.stdin) || !e.terminal(e.stderr) {
		return false, usagef("there is no terminal to ask at; give --yes to accept what is shown")
	}
	_, _ = fmt.Fprintf(e.stderr, "%s [y/N] ", question) // Where it cannot be asked, nothing is answered.
	answer, err := bufio.NewReader(e.stdin).ReadString('\n')
	if err != nil {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	agreed := strings.EqualFold(strings.TrimSpace(answer), "y") ||
		strings.EqualFold(strings.TrimSpace(answer), "yes")
	if !agreed {
		e.say("hint", "nothing was changed")
	}
	return agreed, nil
}
