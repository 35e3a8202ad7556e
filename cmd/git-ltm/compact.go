package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type compactOptions struct {
	age                   string
	keep                  int
	dryRun, asJSON, local bool
}

func newCompact(e *env) *cobra.Command {
	var o compactOptions
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Move old records into archives, one ref for many",
		Long: "Compact moves old records with their signatures from refs of their own into archives, one for each\n" +
			"quarter of a year, and merges small archives: every ref costs whoever pushes to the remote a little.\n" +
			"Nothing is lost by it. Records in an archive are listed, shown, verified, resumed and purged as\n" +
			"before, and what git made of a signature can be made again from it.\n\n" +
			"Where memory goes to a remote, only records move that were seen there. The remote gets the archives,\n" +
			"and loses the refs of what was seen in them. A remote that lets nobody delete keeps those refs,\n" +
			"which does no harm.\n\n" +
			"Any clone may do it, as often as you like, beside other commands.\n\n" + exitCodes,
		Example: "  git ltm compact --dry-run\n  git ltm compact\n  git ltm compact --older-than 7d --keep 100",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			age, ok := reply.ParseLength(o.age)
			if !ok {
				return usagef("--older-than is a number of days or hours, as 30d or 12h")
			}
			if o.keep < 0 {
				return usagef("--keep is a number of records")
			}
			req := memory.CompactRequest{OlderThan: age, Keep: o.keep, DryRun: o.dryRun}
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.compact(cmd.Context(), m, req, o)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.age, "older-than", "30d", "`AGE` of the records that move: 30d, 2w")
	f.IntVar(&o.keep, "keep", memory.CompactKeep, "leave the newest `N` where they are")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only tell what would move")
	f.BoolVar(&o.asJSON, "json", false, "print a JSON object")
	f.BoolVar(&o.local, "local", false, "leave the remote to the next 'git ltm sync'")
	return cmd
}

// compacted is the JSON shape of a compaction.
type compacted struct {
	Archives   []string    `json:"archives"`
	Records    []packet.ID `json:"records"`
	Signatures int         `json:"signatures"`
	Left       int         `json:"left"`
	Unsent     int         `json:"unsent"`  // records that stay because the remote was not seen to hold them
	Deleted    int         `json:"deleted"` // refs that are gone from the remote
	DryRun     bool        `json:"dry_run"`
}

// compact moves records in this clone, and tells of it.
func (e *env) compact(ctx context.Context, m *memory.Memory, req memory.CompactRequest,
	o compactOptions,
) error {
	name, err := e.compactsFor(ctx, m)
	if err == nil && name != "" {
		req.Seen, err = remote.Seen(ctx, m, name)
	}
	if err != nil {
		return err
	}
	done, err := m.Compact(ctx, req)
	if err != nil {
		return err
	}
	there, failed := e.thin(ctx, m, o, name)
	if o.asJSON {
		return errors.Join(failed, e.printJSON(compacted{
			Archives: append([]string{}, done.Archives...), Records: append([]packet.ID{}, done.Records...),
			Signatures: done.Signatures, Left: done.Left, Unsent: done.Unsent,
			Deleted: len(there.Deleted), DryRun: o.dryRun,
		}))
	}
	if done.Left > 0 {
		e.warnf("%s: left where it was, because it cannot be read or contradicts what the archive holds; "+
			"look with 'git ltm check'", counted(done.Left, "record"))
	}
	e.tellKept(there)
	text := sentence(done, o)
	if done.Unsent > 0 {
		text += fmt.Sprintf("; %s not sent yet: run 'git ltm sync' and compact again",
			counted(done.Unsent, "record"))
	}
	if n := len(there.Deleted); n > 0 {
		text += fmt.Sprintf("; %s of them gone from %s, which has the archive", counted(n, "ref"),
			e.printable(there.Remote))
	}
	_, err = fmt.Fprintln(e.stdout, text)
	return errors.Join(failed, err)
}

// compactsFor is the remote that memory goes to, or nothing.
func (e *env) compactsFor(ctx context.Context, m *memory.Memory) (string, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return "", err
	}
	name, err := remote.Default(ctx, m.Repo(), config)
	if errors.Is(err, remote.ErrNone) {
		return "", nil
	}
	return name, err
}

// thin sends the archives to a remote, and takes the refs out there whose records they hold. Where
// there is no remote, or it holds no memory yet, there is nothing to do.
func (e *env) thin(
	ctx context.Context, m *memory.Memory, o compactOptions, name string,
) (remote.Outcome, error) {
	if o.local || o.dryRun || name == "" {
		return remote.Outcome{}, nil
	}
	p := e.progress("refs")
	patience, err := e.patience(ctx, m, name, p)
	if err != nil {
		return remote.Outcome{}, err
	}
	out, err := remote.Thin(ctx, m, remote.Request{Remote: name, Progress: p.stage, Patience: patience})
	p.end()
	if err == nil && len(out.Withheld) > 0 {
		for _, w := range out.Withheld {
			e.warnf("%s: %s", e.printable(w.Ref), strings.Join(e.listed(w.Why), "; "))
		}
		err = fmt.Errorf("%s: %w", name, errWithheld)
	}
	if err != nil {
		e.warnf("the records are archived here, and %s still lists refs of them: run 'git ltm compact' again",
			e.printable(name))
	}
	return out, err
}

// sentence says what moved.
func sentence(done memory.Compacted, o compactOptions) string {
	if len(done.Records)+done.Signatures == 0 {
		return "nothing to compact"
	}
	what := counted(len(done.Records), "record")
	if done.Signatures > 0 {
		what += " and " + counted(done.Signatures, "later signature")
	}
	if o.dryRun {
		return "would move " + what
	}
	return "moved " + what + " into " + strings.Join(done.Archives, ", ")
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
