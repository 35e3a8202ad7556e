package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type compactOptions struct {
	age                        string
	keep                       int
	all, dryRun, asJSON, local bool
}

func newCompact(e *env) *cobra.Command {
	var o compactOptions
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Move old records into one ref",
		Long: "Compact moves the old records that this clone made, with their signatures, from refs of their own into one ref: every\n" +
			"ref costs whoever pushes to the remote a little. Nothing is lost by it. Records in an archive are listed, shown, verified,\n" +
			"resumed and purged as before, and what git made of a signature can be made again from it.\n\n" +
			"The remote that memory goes to gets the archive, and loses the refs of what was seen in it there.\n\n" +
			"It can be run as often as you like, beside other commands.\n\n" + exitCodes,
		Example: "  git ltm compact --dry-run\n  git ltm compact\n  git ltm compact --older-than 7d --keep 100",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			age, ok := days(o.age)
			if !ok {
				return usagef("--older-than is a number of days or hours, as 30d or 12h")
			}
			if o.keep < 0 {
				return usagef("--keep is a number of records")
			}
			req := memory.CompactRequest{OlderThan: age, Keep: o.keep, All: o.all, DryRun: o.dryRun}
			return e.use(cmd.Context(), func(m *memory.Memory) error { return e.compact(cmd.Context(), m, req, o) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.age, "older-than", "30d", "`AGE` of the records that move, in days or hours")
	f.IntVar(&o.keep, "keep", memory.CompactKeep, "leave the newest `N` where they are")
	f.BoolVar(&o.all, "all", false, "every record of this clone, whoever made it")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only tell what would move")
	f.BoolVar(&o.asJSON, "json", false, "print a JSON object")
	f.BoolVar(&o.local, "local", false, "leave the remote to the next 'git ltm sync'")
	return cmd
}

// days reads an age such as "30d" or "12h".
func days(text string) (time.Duration, bool) {
	unit := 24 * time.Hour
	number, ok := strings.CutSuffix(text, "d")
	if !ok {
		unit = time.Hour
		number, ok = strings.CutSuffix(text, "h")
	}
	n, err := strconv.ParseUint(number, 10, 16)
	return time.Duration(n) * unit, ok && err == nil
}

// compacted is the JSON shape of a compaction.
type compacted struct {
	Archives   []string    `json:"archives"`
	Records    []packet.ID `json:"records"`
	Signatures int         `json:"signatures"`
	Left       int         `json:"left"`
	Deleted    int         `json:"deleted"` // refs that are gone from the remote
	DryRun     bool        `json:"dry_run"`
}

// compact moves records in this clone, and tells of it.
func (e *env) compact(ctx context.Context, m *memory.Memory, req memory.CompactRequest, o compactOptions) error {
	done, err := m.Compact(ctx, req)
	if err != nil {
		return err
	}
	there, failed := e.thin(ctx, m, o)
	if o.asJSON {
		return errors.Join(failed, e.printJSON(compacted{
			Archives: append([]string{}, done.Archives...), Records: append([]packet.ID{}, done.Records...),
			Signatures: done.Signatures, Left: done.Left, Deleted: len(there.Deleted), DryRun: o.dryRun,
		}))
	}
	if done.Left > 0 {
		e.warnf("%s: left where it was, because it cannot be read or contradicts what the archive holds; look with 'git ltm check'", counted(done.Left, "record"))
	}
	text := sentence(done, o)
	if n := len(there.Deleted); n > 0 {
		text += fmt.Sprintf("; %s of them gone from %s, which has the archive", counted(n, "ref"), e.printable(there.Remote))
	}
	_, err = fmt.Fprintln(e.stdout, text)
	return errors.Join(failed, err)
}

// thin sends the archives to the remote that memory goes to, and takes the refs out there whose records they hold. Where
// there is no such remote, or it holds no memory yet, there is nothing to do.
func (e *env) thin(ctx context.Context, m *memory.Memory, o compactOptions) (remote.Outcome, error) {
	if o.local || o.dryRun {
		return remote.Outcome{}, nil
	}
	config, err := m.Config(ctx)
	if err != nil {
		return remote.Outcome{}, err
	}
	name, err := remote.Default(ctx, m.Repo(), config)
	if errors.Is(err, remote.ErrNone) {
		return remote.Outcome{}, nil
	}
	if err != nil {
		return remote.Outcome{}, err
	}
	out, err := remote.Thin(ctx, m, remote.Request{Remote: name})
	if err == nil && len(out.Withheld) > 0 {
		for _, w := range out.Withheld {
			e.warnf("%s: %s", e.printable(w.Ref), strings.Join(e.listed(w.Why), "; "))
		}
		err = fmt.Errorf("%s: %w", name, errWithheld)
	}
	if err != nil {
		e.warnf("the records are archived here, and %s still lists refs of them: run 'git ltm compact' again", e.printable(name))
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
