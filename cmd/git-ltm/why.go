package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

func newWhy(e *env) *cobra.Command {
	var o recallOptions
	cmd := &cobra.Command{
		Use:   "why PATH[:LINE[-LINE]]",
		Short: "Tell the reasons behind a file or some of its lines",
		Long: "Why finds what was written down about a file, and says of each answer how it was found. First comes what cites the very\n" +
			"lines, wherever they stand now; then what cites the file, names it, or names a folder above it; then what was written\n" +
			"down at the commits that last changed the lines, as git blame tells, or the file, and just before them. Older names of a\n" +
			"file count as well.\n\n" +
			"The path counts from the current directory, and its lines are those of the work tree, or of HEAD in a bare repository.\n" +
			"Where nothing is known, it says so and exits with 7. What was retracted, superseded, purged, or has expired is no answer.\n\n" + exitCodes,
		Example: "  git ltm why src/pool.go:42\n  git ltm why src/pool.go:40-60 --json\n  git ltm why -- -odd-name",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.why(cmd.Context(), o, args[0]) },
	}
	f := cmd.Flags()
	f.IntVarP(&o.limit, "limit", "n", 10, "at most `N` answers")
	f.IntVar(&o.budget, "budget", 0, "at most `N` characters; 0 is no bound")
	f.BoolVar(&o.explain, "explain", false, "say what each score is made of")
	f.BoolVar((*bool)(&o.trusted), "trusted", false, "only what this clone made or a trusted key signed")
	f.BoolVar(&o.json, "json", false, "print a JSON object")
	e.agentFlag(f)
	return cmd
}

func (e *env) why(ctx context.Context, o recallOptions, spec string) error {
	if err := usage(o.outOfBounds()); err != nil {
		return err
	}
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		answer, err := command.Question{Path: filepath.ToSlash(spec), Limit: o.limit, Trusted: bool(o.trusted)}.Find(ctx, m, r, e.now())
		if wrong := wrongInput(pflag.NewFlagSet("", pflag.ContinueOnError), err); wrong != nil {
			return usage(wrong)
		}
		if err != nil {
			return err
		}
		if err := e.printAnswer(ctx, m, r, answer, o); err != nil {
			return err
		}
		if len(answer.Found) == 0 {
			e.hintOut(answer, "is about it")
			return fmt.Errorf("nothing known about %q: %w", e.printable(spec), replay.ErrNotFound)
		}
		return nil
	})
}
