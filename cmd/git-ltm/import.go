package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
)

func newImport(e *env) *cobra.Command {
	var o syncOptions
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take the memory that a bundle holds",
		Long: "Import takes the records of a bundle that 'git ltm export' wrote. Each passes the gate, as in a pull: what does not is\n" +
			"left out, with its reason, and the exit code is 5. What was purged here does not come back. Taking the same bundle\n" +
			"again adds nothing.\n\n" + exitCodes,
		Example: "  git ltm import memory.bundle\n  git ltm import memory.bundle --dry-run",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.importFile(cmd.Context(), o, args[0]) },
	}
	f := cmd.Flags()
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only tell what would come")
	f.BoolVar(&o.asJSON, "json", false, "print a JSON object")
	return cmd
}

func (e *env) importFile(ctx context.Context, o syncOptions, file string) error {
	if file == standardInput {
		return usagef("a bundle is read from a file, and not from standard input")
	}
	path, err := filepath.Abs(e.path(file))
	if err != nil {
		return fmt.Errorf("read bundle: %w", err)
	}
	is, err := remote.IsBundle(path)
	if err != nil {
		return fmt.Errorf("read bundle: %w", err)
	}
	if !is {
		return usagef("%q is no git bundle; this version imports bundles", word(file))
	}
	random, err := nonce(e.entropy)
	if err != nil {
		return err
	}
	bundle := remote.NewBundle(e.vars, path, random)
	e.vars = bundle.Env
	return e.use(ctx, func(m *memory.Memory) error {
		e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
		p := e.progress("records judged")
		out, err := bundle.Import(ctx, m, remote.Request{DryRun: o.dryRun, Progress: p.stage})
		p.end()
		if err != nil {
			return err
		}
		out.Remote, out.URL = file, path
		return e.tellImport(e.cleaned(out, o), o)
	})
}

// tellImport prints what came of a bundle.
func (e *env) tellImport(told exchanged, o syncOptions) error {
	var err error
	if o.asJSON {
		err = e.printJSON(told)
	} else {
		err = e.tellExchange(told, remote.Pull)
	}
	if len(told.Withheld) > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %w", told.Remote, errWithheld))
	}
	return err
}
