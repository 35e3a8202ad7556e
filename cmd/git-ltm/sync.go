package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type syncOptions struct {
	all, dryRun, public, asJSON bool
}

const syncAbout = "What comes and what goes passes the gate record by record: its size, shape, id, encoding and signature, the policy, and\n" +
	"the scan for secrets. What does not pass stays where it is, each with its reason, and the exit code is 5.\n\n" +
	"REMOTE is the one of ltm.remote, of this branch, or origin. Git does the network, with the user's own settings. A remote\n" +
	"that everybody can read takes no memory before the user says --yes-public once."

func newSync(e *env) *cobra.Command {
	return e.withRide(e.newExchange(remote.Both, &cobra.Command{
		Use:   "sync [REMOTE...]",
		Short: "Exchange memory with a remote",
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
		return e.use(cmd.Context(), func(m *memory.Memory) error { return e.exchange(cmd.Context(), m, way, o, names) })
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

// errWithheld says that an exchange did not hand everything on.
var errWithheld = errors.New("not everything was handed on")

// exchanged is the JSON shape of what became of one exchange.
type exchanged struct {
	Remote   string            `json:"remote"`
	URL      string            `json:"url"`
	Pulled   []string          `json:"pulled"`
	Pushed   []string          `json:"pushed"`
	Removed  []string          `json:"removed"`
	Deleted  []string          `json:"deleted"`
	Withheld []remote.Withheld `json:"withheld"`
	Stray    []string          `json:"stray"`
	Holds    int               `json:"holds"`
	Archives int               `json:"archives"`
	DryRun   bool              `json:"dry_run"`
}

// exchange exchanges records with remotes, and tells of each. One that cannot be reached does not keep the others.
func (e *env) exchange(ctx context.Context, m *memory.Memory, way remote.Way, o syncOptions, names []string) error {
	names, err := e.partners(ctx, m, o, names)
	if err != nil {
		return err
	}
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
	all := []exchanged{}
	var problems []error
	for _, name := range names {
		p := e.progress("records judged")
		out, err := remote.Sync(ctx, m, remote.Request{
			Remote: name, Way: way, DryRun: o.dryRun, Public: o.public, Progress: p.stage,
		})
		p.end()
		if err != nil {
			problems = append(problems, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if !o.dryRun && way != remote.Pull {
			_ = remote.SettleRide(m.Repo(), name, e.now()) // Without it, status tells of an old fault once more.
		}
		told := e.cleaned(out, o)
		all = append(all, told)
		if !o.asJSON {
			if err := e.tellExchange(told, way); err != nil {
				return err
			}
		}
		if len(told.Withheld) > 0 {
			problems = append(problems, fmt.Errorf("%s: %w", told.Remote, errWithheld))
		}
	}
	if o.asJSON {
		problems = append(problems, e.printJSON(all))
	}
	return errors.Join(problems...)
}

// partners are the remotes to exchange with.
func (e *env) partners(ctx context.Context, m *memory.Memory, o syncOptions, names []string) ([]string, error) {
	if o.all {
		return m.Repo().Remotes(ctx)
	}
	config, err := m.Config(ctx)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		name, err := remote.Default(ctx, m.Repo(), config)
		return []string{name}, err
	}
	for _, name := range names {
		if err := remote.Exists(ctx, m.Repo(), name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// cleaned is an outcome fit to be printed.
func (e *env) cleaned(out remote.Outcome, o syncOptions) exchanged {
	told := exchanged{
		Remote: e.printable(out.Remote), URL: e.printable(place(out.URL)), Holds: out.Holds, Archives: out.Archives, DryRun: o.dryRun,
		Pulled: e.listed(out.Pulled), Pushed: e.listed(out.Pushed), Removed: e.listed(out.Removed), Deleted: e.listed(out.Deleted),
		Withheld: []remote.Withheld{}, Stray: e.listed(out.Stray),
	}
	for _, w := range out.Withheld {
		w.Ref, w.Why = e.printable(w.Ref), e.listed(w.Why)
		told.Withheld = append(told.Withheld, w)
	}
	return told
}

// listed cleans texts; none are an empty list.
func (e *env) listed(texts []string) []string {
	clean := make([]string, 0, len(texts))
	for _, text := range texts {
		clean = append(clean, e.printable(text))
	}
	return clean
}

// tellExchange prints what became of an exchange.
func (e *env) tellExchange(x exchanged, way remote.Way) error {
	would := ""
	if x.DryRun {
		would = "would have "
	}
	var parts []string
	for _, part := range []struct {
		did   string
		names []string
		ways  []remote.Way
	}{
		{"pulled", x.Pulled, []remote.Way{remote.Both, remote.Pull}},
		{"pushed", x.Pushed, []remote.Way{remote.Both, remote.Push}},
		{"removed here, as purged:", x.Removed, nil},
		{"deleted there, as purged:", x.Deleted, nil},
	} {
		if len(part.names) > 0 || slices.Contains(part.ways, way) {
			parts = append(parts, fmt.Sprintf("%s%s %d", would, part.did, len(part.names)))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to do"}
	}
	for _, w := range x.Withheld {
		what := "not taken"
		if w.Kept == remote.Here {
			what = "not sent"
		}
		e.warnf("%s: %s: %s", what, w.Ref, strings.Join(w.Why, "; "))
	}
	for _, name := range x.Stray {
		e.warnf("%s is no record of this format; it is never read", name)
	}
	holds := fmt.Sprintf("it holds %d record(s)", x.Holds)
	if x.Archives > 0 {
		holds += fmt.Sprintf(" and %d archive(s) of older ones", x.Archives)
	}
	e.crowded(x)
	_, err := fmt.Fprintf(e.stdout, "%s: %s; %s\n", x.Remote, strings.Join(parts, ", "), holds)
	return err
}

// Every push of anybody hears of each ref on the remote, with about 90 bytes. From manyRefs on that is worth a word, and from
// tooManyRefs on a loud one.
const (
	manyRefs    = 1000
	tooManyRefs = 2000
)

// crowded tells of a remote with so many refs that whoever pushes pays for them.
func (e *env) crowded(x exchanged) {
	cost := fmt.Sprintf("every push of anybody to %s downloads %d KB for the %d refs of memory", x.Remote, x.Holds*90/1000, x.Holds)
	switch {
	case x.Holds >= tooManyRefs:
		e.warnf("%s; run 'git ltm compact' in each clone that writes", cost)
	case x.Holds >= manyRefs:
		e.say("hint", cost+"; 'git ltm compact' makes them few")
	}
}
