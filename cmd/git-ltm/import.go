package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type importOptions struct {
	format                              string
	remaps                              []string
	dryRun, merge, whole, asJSON        bool
	redact, private, share, sign, plain bool

	remap foreign.Remap
}

func newImport(e *env) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import SOURCE...",
		Short: "Read records from files and other memory tools",
		Long: "Import reads records out of files, folders and standard input (-): " + importFormats + ".\n" +
			"The contents tell the format. Of a folder the files .md, .json and .jsonl are read, but for what its .ltmignore\n" +
			"names, in the manner of .gitignore; no symbolic link is followed.\n\n" +
			"Each record passes the gate alone, and what is refused or cannot be read is reported with its place; the others go on.\n" +
			"Records keep their ids, times and signatures, so that a second import of a source adds nothing: there is no list of\n" +
			"failures to keep, mend the source and import it again. Where another record has the id here, that one stays and the\n" +
			"new one is kept beside it under an id of its own. What was purged here does not come back.\n\n" +
			"Private records stay private. What stands in a MEMORY.md, CLAUDE.md or AGENTS.md is a draft: it is kept private\n" +
			"unless --share is given. What was kept for all projects of a user is kept private in this one; with --user everything\n" +
			"goes to the user-wide memory.\n\n" +
			"A bundle that 'git ltm export --bundle' wrote is taken as a pull would; what does not pass is left out.\n\n" +
			"The exit code is 3 where a secret was refused, else 6 where a record was not valid or its signature was bad, else 5\n" +
			"where an id was taken. --json prints an object with records, problems and the numbers of each fate.\n\n" + exitCodes,
		Example: "  git ltm import memento.json --dry-run\n  git ltm import .lerim/memory --remap author=bob:'Bob Tester'\n" +
			"  git ltm export | git -C ../other ltm import -",
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.importSources(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "read everything as `FORMAT`: "+importFormats)
	f.StringArrayVar(&o.remaps, "remap", nil,
		"take in author, topic or tag under another name, as in tag=OLD:NEW: `WHAT`; can be given again")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only tell what would come, record by record")
	f.BoolVar(&o.merge, "merge", true, "unite it with what is here, which is what import always does")
	f.BoolVar(&o.whole, "all-or-none", false, "store nothing where one record is refused or cannot be read")
	f.BoolVar(&o.redact, "redact", false, "put masks in the place of secrets")
	f.BoolVar(&o.private, "private", false, "keep all of it in this clone: it is never sent")
	f.BoolVar(&o.share, "share", false,
		"let the drafts of a memory file travel, also those that are kept private here")
	f.BoolVarP(&o.sign, "sign", "S", false,
		"sign what brings no signature with your key (default: as configured, and only what is made here "+
			"of other systems)")
	f.BoolVar(&o.plain, "no-sign", false, "sign nothing")
	f.BoolVar(&o.asJSON, "json", false, "print a JSON object")
	return cmd
}

// importFormats names what import reads.
const importFormats = "ltm-json, jsonl, markdown, memento, claude-ltm, memory-file, bundle"

// bundleFormat is the format that git itself reads.
const bundleFormat = "bundle"

// importSources takes in one bundle, or any number of other sources.
func (e *env) importSources(ctx context.Context, o importOptions, sources []string) error {
	if err := o.check(e, sources); err != nil {
		return err
	}
	for _, source := range sources {
		is, err := e.isBundle(source)
		switch {
		case err != nil:
			return fmt.Errorf("read source: %w", err)
		case !is && o.format == bundleFormat:
			return usagef("%q is no git bundle", reply.Word(source))
		case is && len(sources) > 1:
			return usagef("the bundle %q is imported alone", reply.Word(source))
		case is && (o.redact || o.private || o.share || o.whole || o.sign || o.plain || len(o.remaps) > 0):
			return usagef("a bundle is taken as it is, with --dry-run and --json alone")
		case is:
			return e.importFile(ctx, syncOptions{dryRun: o.dryRun, asJSON: o.asJSON}, source)
		}
	}
	return e.importRecords(ctx, o, sources)
}

// check says everything that is wrong with the flags, and reads the remap.
func (o *importOptions) check(e *env, sources []string) error {
	var wrong []error
	if o.format != "" && o.format != bundleFormat {
		if _, err := foreign.ParseFormat(o.format); err != nil {
			wrong = append(wrong, errors.New("--format takes one of "+importFormats))
		}
	}
	if o.format == bundleFormat && len(sources) == 1 && sources[0] == standardInput {
		wrong = append(wrong, errors.New("a bundle is read from a file, and not from standard input"))
	}
	if !o.merge {
		wrong = append(wrong,
			errors.New("nothing that is here is replaced: there is no import without --merge"))
	}
	if o.private && o.share {
		wrong = append(wrong, errors.New("--private and --share exclude each other"))
	}
	if o.sign && o.plain {
		wrong = append(wrong, errors.New("--sign and --no-sign exclude each other"))
	}
	if o.private && e.userStore != "" {
		wrong = append(wrong,
			errors.New("--user and --private exclude each other; a user-wide memory without a remote "+
				"never leaves the machine"))
	}
	for _, text := range o.remaps {
		if err := o.addRemap(text); err != nil {
			wrong = append(wrong, err)
		}
	}
	return usage(wrong)
}

// addRemap reads one WHAT=OLD:NEW.
func (o *importOptions) addRemap(text string) error {
	what, names, _ := strings.Cut(text, "=")
	old, name, ok := strings.Cut(names, ":")
	var to *map[string]string
	switch what {
	case "author":
		to = &o.remap.Author
	case "topic":
		to = &o.remap.Topic
	case "tag":
		to = &o.remap.Tag
	}
	if to == nil || !ok || old == "" || name == "" || readable(text) != nil {
		return errors.New("--remap takes author=OLD:NEW, topic=OLD:NEW or tag=OLD:NEW")
	}
	if *to == nil {
		*to = map[string]string{}
	}
	if was, twice := (*to)[old]; twice && was != name {
		return fmt.Errorf("--remap names %q twice", reply.Word(old))
	}
	(*to)[old] = name
	return nil
}

// isBundle tells whether a source is a file that git bundle wrote.
func (e *env) isBundle(source string) (bool, error) {
	if source == standardInput {
		return false, nil
	}
	info, err := stat(e.path(source))
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	return remote.IsBundle(e.path(source))
}

func (e *env) importFile(ctx context.Context, o syncOptions, file string) error {
	path, err := filepath.Abs(e.path(file))
	if err != nil {
		return fmt.Errorf("read bundle: %w", err)
	}
	random, err := briefing.Nonce(e.entropy)
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
		err = e.tellImport(e.cleaned(out, o), o)
		if len(out.Hidden) > 0 {
			err = errors.Join(err, e.warnOfPurges(ctx, m, false))
		}
		return err
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
