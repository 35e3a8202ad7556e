package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type importOptions struct {
	format                              string
	remaps                              []string
	dryRun, merge, whole                bool
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
			"where an id was taken. --json prints an object with records, problems and the numbers of each fate.",
		Example: "  git ltm import memento.json --dry-run\n  git ltm import .lerim/memory --remap author=bob:'Bob Tester'\n" +
			"  git ltm export | git -C ../other ltm import -",
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd.Context(), e, o, args)
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
	return cmd
}

// importFormats names what import reads.
const importFormats = "ltm-json, jsonl, markdown, memento, claude-ltm, memory-file, bundle"

// bundleFormat is the format that git itself reads.
const bundleFormat = "bundle"

// runImport takes in one bundle, or any number of other sources.
func runImport(ctx context.Context, e *env, o importOptions, sources []string) error {
	if err := o.check(e, sources); err != nil {
		return err
	}
	for _, source := range sources {
		is, err := isBundleFile(e, source)
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
			return importBundle(ctx, e, syncOptions{dryRun: o.dryRun}, source)
		}
	}
	return importRecords(ctx, e, o, sources)
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

// isBundleFile tells whether a source is a file that git bundle wrote.
func isBundleFile(e *env, source string) (bool, error) {
	if source == standardInput {
		return false, nil
	}
	info, err := stat(e.path(source))
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	return remote.IsBundle(e.path(source))
}

func importBundle(ctx context.Context, e *env, o syncOptions, file string) error {
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
		err = tellImport(e, exchangedOf(e, out, o), o)
		if len(out.Hidden) > 0 {
			err = errors.Join(err, warnOfPurges(ctx, e, m, false))
		}
		return err
	})
}

// tellImport prints what came of a bundle.
func tellImport(e *env, told command.Exchanged, o syncOptions) error {
	err := tellExchange(e, told, remote.Pull)
	if err == nil {
		err = e.printResult(command.Imported{
			DryRun: o.dryRun, Sources: 1, Added: len(told.Pulled), Refused: len(told.Withheld), Removed: told.Removed,
			Records: []command.ImportedRecord{}, Problems: []command.ImportedPart{}, Remarks: []command.Remark{}, Bundle: &told,
		}, nil)
	}
	if len(told.Withheld) > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %w", told.Remote, errWithheld))
	}
	return err
}

// fateWords are the words for what becomes of a record.
func fateWord(f accept.Fate) string {
	switch f {
	case accept.Added:
		return "added"
	case accept.Present:
		return "known"
	case accept.Beside:
		return "conflict"
	case accept.Buried:
		return "purged"
	default:
		return "refused"
	}
}

// report puts together what was read and what the gate said.
func (g *gathering) report(taken accept.Takings, rehearsed bool) command.Imported {
	told := command.Imported{
		DryRun: rehearsed, Sources: g.read, Removed: append([]string{}, taken.Removed...),
		Records: []command.ImportedRecord{}, Problems: []command.ImportedPart{}, Remarks: []command.Remark{},
	}
	for i, t := range taken.Records {
		told.Records = append(told.Records, g.one(i, t))
		countTaken(&told, t)
	}
	for _, p := range g.problems {
		if isInvalid(p) {
			told.Invalid++
		}
		told.Problems = append(told.Problems,
			command.ImportedPart{
				Place: g.env.printable(p.Place), Text: g.env.printable(p.Text), Left: p.Left,
			})
	}
	for _, r := range g.remarks {
		told.Remarks = append(told.Remarks, command.Remark{
			Source: g.env.printable(r.Source), Text: g.env.printable(r.Text),
		})
	}
	return told
}

func countTaken(told *command.Imported, t accept.Taken) {
	switch t.Fate {
	case accept.Added:
		told.Added++
	case accept.Present:
		told.Known++
	case accept.Beside:
		told.Beside++
	case accept.Buried:
		told.Purged++
	default:
		told.Refused++
	}
	if isA[*replay.SecretError](t.Err) {
		told.Secrets++
	}
}

// one says what became of one record.
func (g *gathering) one(i int, t accept.Taken) command.ImportedRecord {
	d := g.drafts[i]
	one := command.ImportedRecord{
		Fate: fateWord(t.Fate), Kind: d.Kind, ID: t.ID, Source: g.env.printable(d.Source), Private: t.Private,
		Signed: t.Signed,
		Why:    []string{}, Notes: []string{}, Text: g.gist(d),
	}
	if t.Err != nil {
		for _, text := range refusal(t.Err) {
			one.Why = append(one.Why, g.env.printable(text))
		}
	}
	for _, texts := range [][]string{g.notes[i], t.Notes} {
		for _, text := range texts {
			one.Notes = append(one.Notes, g.env.printable(text))
		}
	}
	for _, f := range t.Findings {
		one.Notes = append(one.Notes, g.env.printable(f.String()))
	}
	return one
}

// refusal says why a record is refused, one line each.
func refusal(err error) []string {
	if found := details(err); len(found) > 0 {
		return found
	}
	return []string{err.Error()}
}

// gist is the beginning of what a draft says.
func (g *gathering) gist(d foreign.Draft) string {
	rec, err := packet.Parse(d.Data, packet.Draft)
	if err != nil {
		return ""
	}
	text := ""
	if d.Kind == packet.KindEvent {
		event := rec.Event()
		text = event.Event + " " + strings.Join(event.Targets, " ")
	} else if items := rec.Content().Items; len(items) > 0 {
		text = items[0].Text
	}
	return clean.Truncate(g.env.printable(text), 60)
}

// tellTaken prints what became of records, and says whether all was well.
func tellTaken(e *env, told command.Imported, o importOptions) error {
	if e.asJSON {
		if err := e.printJSON(told); err != nil {
			return err
		}
		return importFailure(&told)
	}
	for _, one := range told.Records {
		if err := tellTakenOne(e, one, o); err != nil {
			return err
		}
	}
	for _, p := range told.Problems {
		if word := "not read"; !p.Left || o.dryRun {
			if p.Left {
				word = "left out"
			}
			// There is nobody left to tell.
			_, _ = fmt.Fprintf(e.stderr, "%s: %s: %s\n", word, p.Place, p.Text)
		}
	}
	for _, r := range told.Remarks {
		if !o.dryRun && told.Added == 0 {
			break
		}
		_, _ = fmt.Fprintf(e.stderr, "%s: %s\n", r.Source, r.Text)
	}
	if err := tellSum(e, told, o); err != nil {
		return err
	}
	return importFailure(&told)
}

// tellTakenOne prints what became of one record: in a rehearsal of each, else of those that need a look.
func tellTakenOne(e *env, one command.ImportedRecord, o importOptions) error {
	if o.dryRun {
		word := map[string]string{"added": "would add", "conflict": "would keep beside"}[one.Fate]
		if word == "" {
			word = one.Fate
		}
		reach := ""
		if one.Private {
			reach = "(private) "
		}
		e.printf("%s\t%s\t%s\t%s\t%s%s\n", word, one.Kind, one.ID, one.Source,
			reach, one.Text)
	}
	for _, why := range one.Why {
		_, _ = fmt.Fprintf(e.stderr, "%s: %s: %s\n", one.Fate, one.Source, why)
	}
	if o.dryRun || one.Fate == "conflict" {
		for _, note := range one.Notes {
			_, _ = fmt.Fprintf(e.stderr, "%s: %s\n", one.Source, note)
		}
	}
	return nil
}

// tellSum prints the numbers.
func tellSum(e *env, told command.Imported, o importOptions) error {
	verb := "added"
	if told.DryRun {
		verb = "would add"
	}
	texts := []string{fmt.Sprintf("%s %d, known %d", verb, told.Added, told.Known)}
	for _, more := range []struct {
		n    int
		text string
	}{
		{told.Beside, "kept beside another of the same id %d"},
		{told.Purged, "purged before %d"},
		{told.Refused, "refused %d"},
		{told.Invalid, "not read %d"},
		{len(told.Removed), "removed here, as purged: %d"},
	} {
		if more.n > 0 {
			texts = append(texts, fmt.Sprintf(more.text, more.n))
		}
	}
	text := strings.Join(texts, ", ")
	if told.Known > 0 && told.Known+told.Purged == len(told.Records) {
		text += ": nothing is new"
	}
	e.println(text)
	if !o.dryRun {
		hintImport(e, told, o)
	}
	return nil
}

// hintImport says what a rehearsal would have shown.
func hintImport(e *env, told command.Imported, o importOptions) {
	if told.Sources == 0 {
		e.hint("there was no file with records in it; 'git ltm import --help' says what is read, " +
			"and --dry-run what was left out")
		return
	}
	private, noted, left := 0, 0, 0
	for _, one := range told.Records {
		if one.Private && one.Fate == "added" {
			private++
		}
		if len(one.Notes) > 0 && one.Fate == "added" {
			noted++
		}
	}
	for _, p := range told.Problems {
		if p.Left && told.Added > 0 {
			left++
		}
	}
	if private > 0 && !o.private {
		e.hintf("private to this clone: %d of them; 'git ltm ls --kind all' shows which",
			private)
	}
	if noted+left > 0 {
		e.hintf("changed to fit, or kept private: %d; parts that were left out: %d; 'git ltm import "+
			"--dry-run' says each", noted, left)
	}
}

// err says whether all was well.
func importFailure(told *command.Imported) error {
	if told.Refused+told.Invalid+told.Beside == 0 {
		return nil
	}
	return &importError{
		secrets: told.Secrets, refused: told.Refused, invalid: told.Invalid,
		beside: told.Beside,
	}
}

// importError is an import of which something was refused, could not be read, or is kept under another id.
type importError struct{ secrets, refused, invalid, beside int }

func (e *importError) Error() string {
	var texts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{
			e.secrets, "a record was refused, because it holds what must not travel",
			"%d records were refused, because they hold what must not travel",
		},
		{e.refused - e.secrets, "a record was refused", "%d records were refused"},
		{e.invalid, "a part could not be read", "%d parts could not be read"},
		{e.beside, "an id was taken by another record", "%d ids were taken by other records"},
	} {
		switch {
		case part.n == 1:
			texts = append(texts, part.one)
		case part.n > 1:
			texts = append(texts, fmt.Sprintf(part.many, part.n))
		}
	}
	return strings.Join(texts, ", ")
}

// importOutcomes says what the errors of an import mean to the user.
func importOutcomes() []rule {
	of := func(fits func(*importError) bool) func(error) bool {
		return func(err error) bool {
			failed, ok := errors.AsType[*importError](err)
			return ok && fits(failed)
		}
	}
	const again = "; then import it again: what is there is not added twice"
	return []rule{
		{
			of(func(e *importError) bool { return e.secrets > 0 }),
			outcome{codeSecret, "take the secret out of the source, or store it masked with --redact" +
				again},
		},
		{
			of(func(e *importError) bool { return e.refused+e.invalid > 0 }),
			outcome{codeInvalid, "mend what is listed" + again},
		},
		{isA[*importError], outcome{
			codeContested,
			"both are kept; 'git ltm show' tells them apart, and 'git ltm supersede' or 'git ltm rm' settles it",
		}},
	}
}
