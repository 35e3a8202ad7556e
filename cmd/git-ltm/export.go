package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type exportOptions struct {
	bundle, format, out, since string
	kinds                      []string
	all, private, force        bool
}

// The formats of an export, beside a bundle.
const (
	linesFormat    = "jsonl"
	markdownFormat = "markdown"
	memoryFormat   = "memory"
)

func newExport(e *env) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export [ID...]",
		Short: "Write records to a file: Markdown, JSON or a bundle",
		Long: "Export writes what recall would find: all of it, or only the records with ID and what is about them. Every record is\n" +
			"scanned once more on its way out; one with a secret, or with a bad signature, is left out and listed, and the exit code is\n" +
			"3 or 4. Private records go only where --private is given. --all adds what is retracted, superseded, hidden or expired.\n\n" +
			"The formats are\n\n" +
			"  jsonl     one record a line with the name of its ref and its signature, byte for byte, and the events, so that what\n" +
			"            became of records travels too; later signatures do not. 'git ltm import' unites it with what is there\n" +
			"  markdown  a file for each note and skip, with front matter, in a folder that is new or empty\n" +
			"  memory    one list for people, by kind\n" +
			"  bundle    a git bundle of everything that a push would send, or with ID of those packets and what is about them. Where\n" +
			"            something is found in it that must not travel, no file is written. 'git ltm import' reads it, and so does\n" +
			"            git fetch\n\n" +
			"Without --output it goes to standard output.\n\n" + exitCodes,
		Example: "  git ltm export > memory.jsonl\n  git ltm export --format markdown --kind decision --output notes\n" +
			"  git ltm export --bundle memory.bundle\n  git ltm export --bundle one.bundle 01JDMB4W",
		Args: arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, ids []string) error { return e.export(cmd.Context(), o, ids) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "",
		"write it as `FORMAT`: jsonl, markdown, memory or bundle (default: jsonl)")
	f.StringVar(&o.out, "output", "", "the `FILE` to write, or the folder for markdown")
	f.StringVar(&o.bundle, "bundle", "", "write a bundle into `FILE`: --format bundle --output FILE")
	f.StringArrayVar(&o.kinds, "kind", nil,
		"records of this `KIND`: packet, note, skip, all, or a kind of note; can be given again (default: all)")
	f.StringVar(&o.since, "since", "", "created since `WHEN`: a date, a time, or an age such as 3d or 2w")
	f.BoolVarP(&o.all, "all", "a", false, "also what is retracted, superseded, hidden or expired")
	f.BoolVar(&o.private, "private", false, "also what is private to this clone")
	f.BoolVar(&o.force, "force", false, "replace a file of that name")
	return cmd
}

func (e *env) export(ctx context.Context, o exportOptions, ids []string) error {
	if o.bundle != "" && (o.format == "" || o.format == bundleFormat) && o.out == "" {
		o.format, o.out = bundleFormat, o.bundle
	} else if o.bundle != "" {
		return usagef("--bundle stands for --format bundle --output FILE, and goes with no other of these")
	}
	if o.format == "" {
		o.format = linesFormat
	}
	if err := o.check(); err != nil {
		return err
	}
	if err := e.vacant(o); err != nil {
		return err
	}
	if o.format == bundleFormat {
		return e.exportBundle(ctx, o.out, ids)
	}
	return e.exportRecords(ctx, o, ids)
}

// check says everything that is wrong with the flags.
func (o exportOptions) check() error {
	var wrong []error
	if !slices.Contains([]string{linesFormat, markdownFormat, memoryFormat, bundleFormat}, o.format) {
		wrong = append(wrong, errors.New("--format takes jsonl, markdown, memory or bundle"))
	}
	switch {
	case o.format == bundleFormat && o.out == "":
		wrong = append(wrong, errors.New("name the file with --bundle FILE"))
	case o.format == bundleFormat && o.out == standardInput:
		wrong = append(wrong, errors.New("a bundle goes into a file, and not to standard output"))
	case o.format == markdownFormat && (o.out == "" || o.out == standardInput):
		wrong = append(wrong, errors.New("name the folder with --output DIR"))
	}
	if o.format == bundleFormat && (len(o.kinds) > 0 || o.since != "" || o.all || o.private) {
		wrong = append(wrong,
			errors.New("a bundle holds what a push would send: it takes no --kind, --since, --all or --private"))
	}
	if o.format == markdownFormat && o.private {
		wrong = append(wrong,
			errors.New("a file of Markdown does not say that it is private: take --format jsonl"))
	}
	return usage(wrong)
}

// vacant makes sure that nothing is written over unasked.
func (e *env) vacant(o exportOptions) error {
	if o.out == "" || o.out == standardInput {
		return nil
	}
	info, err := os.Lstat(e.path(o.out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("write export: %w", err)
	case o.format != markdownFormat && !o.force:
		return usagef("there is a file %q already; --force replaces it", reply.Word(o.out))
	case o.format != markdownFormat:
		return nil
	case !info.IsDir():
		return usagef("there is something else than a folder at %q", reply.Word(o.out))
	}
	inside, err := os.ReadDir(e.path(o.out))
	if err == nil && len(inside) > 0 {
		err = usagef("the folder %q is not empty; name a new one", reply.Word(o.out))
	}
	return err
}

func (e *env) exportBundle(ctx context.Context, file string, ids []string) error {
	path, err := filepath.Abs(e.path(file))
	if err != nil {
		return fmt.Errorf("write bundle: %w", err)
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
		_, err = fmt.Fprintf(e.stdout, "%s: %s\n", e.printable(file), counted(len(offers), "ref"))
		return err
	})
}

// writeBundle writes what was judged, and nothing that has come under the names since. The file appears whole
// or not at all.
func writeBundle(ctx context.Context, repo *git.Repo, path string, offers []check.Offer) error {
	names := make([]string, 0, len(offers))
	judged := make(map[string]string, len(offers))
	for _, o := range offers {
		names = append(names, o.Ref)
		judged[o.Ref] = o.OID
	}
	return local.Beside(path, func(made string) error {
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
		return nil
	})
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
