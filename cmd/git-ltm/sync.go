package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type syncOptions struct {
	all, dryRun, public, asJSON bool
}

const syncAbout = "What comes and what goes passes the gate record by record: its size, shape, id, encoding and signature, the policy, and\n" +
	"the scan for secrets. What does not pass stays where it is, each with its reason, and the exit code is 5.\n\n" +
	"REMOTE is the one that 'git ltm setup' fixed, else that of ltm.remote, else origin, else the only one; which branch is checked\n" +
	"out says nothing of it. Git does the network, with the user's own settings. A remote that everybody can read takes no memory\n" +
	"before the user says --yes-public once. One that sends nothing for a minute, or for the seconds of ltm.remoteTimeout, is given\n" +
	"up; at a terminal the command says so and goes on."

func newSync(e *env) *cobra.Command {
	return e.travelling(e.newExchange(remote.Both, &cobra.Command{
		Use:   "sync [REMOTE...]",
		Short: "Send your records to a remote and fetch those of others",
		Long: "Sync takes the records that a remote holds and this clone does not, sends those that the remote lacks, and takes out on\n" +
			"both sides what was purged. It ends with what the remote was seen to hold.\n\n" + syncAbout,
		Example: "  git ltm sync\n  git ltm sync --all\n  git ltm sync backup --dry-run",
	}))
}

func newPull(e *env) *cobra.Command {
	return e.newExchange(remote.Pull, &cobra.Command{
		Use:     "pull [REMOTE...]",
		Short:   "Take the memory that a remote holds",
		Long:    "Pull takes the records that a remote holds and this clone does not, and takes out here what was purged there.\n\n" + syncAbout,
		Example: "  git ltm pull\n  git ltm pull colleague",
	})
}

func newPush(e *env) *cobra.Command {
	return e.newExchange(remote.Push, &cobra.Command{
		Use:   "push [REMOTE...]",
		Short: "Send memory to a remote",
		Long: "Push sends the records that a remote lacks, and takes out there what was purged here. Of the remote it takes only events,\n" +
			"which tell what was purged there: that does not go back.\n\n" + syncAbout,
		Example: "  git ltm push\n  git ltm push origin --dry-run",
	})
}

// newExchange makes a command that exchanges records in one way.
func (e *env) newExchange(way remote.Way, cmd *cobra.Command) *cobra.Command {
	var o syncOptions
	cmd.Long += "\n\n" + exitCodes
	cmd.Args = arguments(cobra.ArbitraryArgs)
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if o.all && len(names) > 0 {
			return usagef("--all and the name of a remote exclude each other")
		}
		return e.use(cmd.Context(), func(m *memory.Memory) error {
			return e.exchange(cmd.Context(), m, way, o, names)
		})
	}
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "with every remote, one after the other")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only tell what would come and go")
	f.BoolVar(&o.asJSON, "json", false, "print a JSON array with an object for each remote")
	if way != remote.Pull {
		f.BoolVar(&o.public, "yes-public", false, "send memory to a remote that everybody can read")
	}
	return cmd
}

// errWithheld says that an exchange did not transfer every record.
var errWithheld = errors.New("not every record was transferred")

// exchange exchanges records with remotes, and tells of each. One that cannot be reached does not keep the
// others.
func (e *env) exchange(ctx context.Context, m *memory.Memory, way remote.Way, o syncOptions,
	names []string,
) error {
	names, err := e.partners(ctx, m, o, names)
	if err != nil {
		return err
	}
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
	all := []exchanged{}
	var problems []error
	for _, name := range names {
		told, err := e.exchangeWith(ctx, m, way, o, name)
		all = append(all, told)
		if err != nil {
			problems = append(problems, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if o.asJSON {
		problems = append(problems, e.printJSON(all))
	}
	return errors.Join(problems...)
}

// exchangeWith exchanges records with one remote, and tells of it.
func (e *env) exchangeWith(ctx context.Context, m *memory.Memory, way remote.Way, o syncOptions,
	name string,
) (exchanged, error) {
	p := e.progress("records judged")
	patience, err := e.patience(ctx, m, name, p)
	if err != nil {
		return exchanged{}, err
	}
	out, err := remote.Sync(ctx, m, remote.Request{
		Remote: name, Way: way, DryRun: o.dryRun, Public: o.public, Progress: p.stage, Patience: patience,
	})
	p.end()
	out.Remote = name
	told := e.cleaned(out, o)
	if err != nil {
		told.Error = e.printable(err.Error())
		if n := len(out.Pulled); n > 0 && !o.asJSON {
			e.warnf("%s: pulled %d before it failed", told.Remote, n)
		}
		return told, err
	}
	if !o.dryRun && way != remote.Pull {
		_ = remote.SettleTravel(m.Repo(), name, e.now()) // Without it, status says an old fault once more.
	}
	var arrived []string
	if !o.dryRun {
		arrived, err = e.noteArrived(ctx, m, out, name)
	}
	for _, line := range arrived {
		e.warnf("%s", line)
	}
	if out.Blind {
		e.say("hint", told.Remote+
			" lists no memory; whether it hides what was purged cannot be seen from here")
	}
	e.tellKept(out)
	if err == nil && !o.asJSON {
		err = e.tellExchange(told, way)
		if way != remote.Push && !o.dryRun {
			e.tellArrived(ctx, m, out.Pulled)
		}
		if err == nil && !o.dryRun {
			err = e.warnOfPurges(ctx, m, len(out.Hidden) > 0)
		}
	}
	if err == nil && len(told.Withheld) > 0 {
		err = fmt.Errorf("%s: %w", told.Remote, errWithheld)
	}
	return told, err
}

// partners are the remotes to exchange with.
func (e *env) partners(ctx context.Context, m *memory.Memory, o syncOptions,
	names []string,
) ([]string, error) {
	if o.all {
		names, err := m.Repo().Remotes(ctx)
		if err == nil && len(names) == 0 {
			err = &remote.NoDefaultError{}
		}
		return names, err
	}
	config, err := m.Config(ctx)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		name, err := remote.Default(ctx, m.Repo(), config)
		if what, mend := remote.Ignored(m.Repo(), config); err == nil && what != "" {
			e.say("hint", what+": "+mend)
		}
		return []string{name}, err
	}
	for _, name := range names {
		if err := remote.Exists(ctx, m.Repo(), config, name); err != nil {
			return nil, err
		}
	}
	return names, nil
}
