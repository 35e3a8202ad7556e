package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
)

type statsOptions struct{ json, local bool }

func newStats(e *env) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count what is in the memory",
		Long: "Stats prints figures of the memory: how many records of each kind there are, what was done to them, who wrote them and\n" +
			"where, how many were saved week by week, how many are signed, and what expires next. Last come the figures of this clone\n" +
			"alone: what is private, and what a remote lacks. It reads the few records that it names.\n\n" +
			"The members of --json are records, by kind, whatever became of them; notes, by kind of note; events, by what they say;\n" +
			"authors and branches, the ten with most records (name, records); weeks, with the Monday with which the last one began\n" +
			"(last) and what was saved in each of 26 (saved); signatures, how many records are signed and unsigned; and expiring, the\n" +
			"next 20 that expire within 30 days (id, kind, expires_at). Clones that hold the same records print the same, to the byte.\n\n" +
			"--local adds the member local: private, records that never leave this clone and are counted nowhere else; remote, where\n" +
			"memory goes, or null; and unpushed, as of the last exchange or fetch.\n\n" + exitCodes,
		Example: "  git ltm stats\n  git ltm stats --json\n  git ltm stats --json --local",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.local && !o.json {
				return usagef("--local asks for --json; the text always has the figures of this clone")
			}
			return e.stats(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON object")
	cmd.Flags().BoolVar(&o.local, "local", false, "with --json: also the figures of this clone alone")
	return cmd
}

func (e *env) stats(ctx context.Context, o statsOptions) error {
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		f, err := r.Figures(ctx)
		if err != nil {
			return err
		}
		e.rules, _ = m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
		told := figures{Figures: f}
		for _, names := range [][]recall.Named{f.Authors, f.Branches} {
			for i := range names { // Somebody may have put a secret there.
				names[i].Name = e.printable(names[i].Name)
			}
		}
		if o.local || !o.json {
			if told.Local, err = e.localFigures(ctx, m, f.Private); err != nil {
				return err
			}
		}
		if o.json {
			return e.printJSON(told)
		}
		return e.printFigures(told)
	})
}

// figures is the JSON shape of what stats tells.
type figures struct {
	recall.Figures

	Local *localFigures `json:"local,omitempty"`
}

type localFigures struct {
	Private  int     `json:"private"`
	Remote   *string `json:"remote"`
	Unpushed int     `json:"unpushed"`
}

// localFigures are the figures of this clone, with what its remote lacks.
func (e *env) localFigures(ctx context.Context, m *memory.Memory, private int) (*localFigures, error) {
	told := &localFigures{Private: private}
	x, err := remote.Look(ctx, m)
	if errors.Is(err, remote.ErrNone) {
		return told, nil
	}
	if err != nil {
		return nil, err
	}
	shown := e.printable(x.Remote)
	told.Remote, told.Unpushed = &shown, x.Unpushed
	return told, nil
}
