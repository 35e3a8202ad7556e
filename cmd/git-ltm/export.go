package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
)

type exportOptions struct {
	bundle string
	force  bool
}

func newExport(e *env) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export --bundle FILE [ID...]",
		Short: "Write memory into a file for a machine without a common remote",
		Long: "Export writes a git bundle of everything that a push would send: records, signatures and archives, or with ID only\n" +
			"those packets with what is about them. It passes the gate first, as a push does: where something is found that must\n" +
			"not travel, no file is written. Private records never go. 'git ltm import' reads it, and so does git fetch.\n\n" + exitCodes,
		Example: "  git ltm export --bundle memory.bundle\n  git ltm export --bundle one.bundle 01JDMB4W",
		Args:    arguments(cobra.ArbitraryArgs),
		RunE:    func(cmd *cobra.Command, ids []string) error { return e.export(cmd.Context(), o, ids) },
	}
	f := cmd.Flags()
	f.StringVar(&o.bundle, "bundle", "", "the `FILE` to write")
	f.BoolVar(&o.force, "force", false, "replace a file of that name")
	return cmd
}

func (e *env) export(ctx context.Context, o exportOptions, ids []string) error {
	switch o.bundle {
	case "":
		return usagef("name the file with --bundle FILE")
	case standardInput:
		return usagef("a bundle goes into a file, and not to standard output")
	}
	path, err := filepath.Abs(e.path(o.bundle))
	if err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	if _, err := os.Lstat(path); !o.force && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(usagef("there is a file %q already; --force replaces it", word(o.bundle)), err)
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if err := m.Heal(ctx); err != nil {
			return err
		}
		offers, err := m.Outgoing(ctx, ids)
		if err != nil {
			return err
		}
		err = e.judgeOffers(ctx, m, offers)
		if refused, ok := errors.AsType[*refusedError](err); ok {
			return &unwrittenError{refused.found}
		}
		if err != nil {
			return err
		}
		if err := writeBundle(ctx, m.Repo(), path, offers); err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.stdout, "%s: %d ref(s)\n", e.printable(o.bundle), len(offers))
		return err
	})
}

// writeBundle writes what was judged, and nothing that has come under the names since. The file appears whole or not at all.
func writeBundle(ctx context.Context, repo *git.Repo, path string, offers []memory.Offer) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".ltm-")
	if err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	made := filepath.Join(dir, "bundle")
	names := make([]string, 0, len(offers))
	judged := make(map[string]string, len(offers))
	for _, o := range offers {
		names = append(names, o.Ref)
		judged[o.Ref] = o.OID
	}
	if err := repo.CreateBundle(ctx, made, names); err != nil {
		return err
	}
	listed, err := repo.LsRemote(ctx, made, "*")
	if err != nil {
		return err
	}
	for _, ref := range listed {
		if judged[ref.Name] != ref.Object {
			return fmt.Errorf("write bundle: ref %q: %w", ref.Name, git.ErrConflict)
		}
	}
	if err := os.Rename(made, path); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	return nil
}

// unwrittenError is a bundle that was not written, because it would not pass the gate.
type unwrittenError struct{ found foundError }

func (e *unwrittenError) Error() string { return "no bundle was written: " + e.found.Error() }

// unwrittenSecret tells a bundle that would hold a secret.
func unwrittenSecret(err error) bool {
	unwritten, ok := errors.AsType[*unwrittenError](err)
	return ok && unwritten.found.secrets > 0
}

// unwrittenUnsigned tells a bundle that would hold a signature that is not good enough.
func unwrittenUnsigned(err error) bool {
	unwritten, ok := errors.AsType[*unwrittenError](err)
	return ok && unwritten.found.unsigned > 0
}
