package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	storeFlags
	Format        string
	Remaps        []string
	Redact, Share bool

	remap foreign.Remap
}

// importFormats names what import reads.
const importFormats = "ltm-json, jsonl, markdown, memento, claude-ltm, memory-file, beads, entire, adr, " +
	"git-notes, bundle"

// bundleFormat is the format that git itself reads.
const bundleFormat = "bundle"

// runImport takes in one bundle, or any number of other sources.
func runImport(ctx context.Context, e *env, o importOptions, sources []string) error {
	if err := o.check(e, sources); err != nil {
		return err
	}
	for _, source := range sources {
		is := false
		info, err := os.Stat(e.resolvePath(source))
		if source != standardInput && err == nil && info.Mode().IsRegular() {
			is, err = remote.IsBundle(e.resolvePath(source))
		} else {
			err = nil // Whoever reads it says what is wrong.
		}
		switch {
		case err != nil:
			return fmt.Errorf("read source: %w", err)
		case !is && o.Format == bundleFormat:
			return usagef("%q is no git bundle", reply.Word(source))
		case is && len(sources) > 1:
			return usagef("the bundle %q is imported alone", reply.Word(source))
		case is && (o.Redact || o.Private || o.Share || o.Sign || o.NoSign || len(o.Remaps) > 0):
			return usagef("a bundle is taken as it is, with --dry-run and --json alone")
		case is:
			return importBundle(ctx, e, syncOptions{DryRun: o.DryRun}, source)
		}
	}
	return importRecords(ctx, e, o, sources)
}

// check says everything that is wrong with the flags, and reads the remap.
func (o *importOptions) check(e *env, sources []string) error {
	wrong := o.flagClashes(e)
	if o.Format != "" && o.Format != bundleFormat {
		if _, err := foreign.ParseFormat(o.Format); err != nil {
			wrong = append(wrong, errors.New("--format takes one of "+importFormats))
		}
	}
	if o.Format == bundleFormat && len(sources) == 1 && sources[0] == standardInput {
		wrong = append(wrong, errors.New("a bundle is read from a file, and not from standard input"))
	}
	for _, text := range o.Remaps {
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
	to := map[string]*map[string]string{
		"author": &o.remap.Author, "topic": &o.remap.Topic, "tag": &o.remap.Tag,
	}[what]
	if to == nil || !ok || old == "" || name == "" || checkUTF8(text) != nil {
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

func importBundle(ctx context.Context, e *env, o syncOptions, file string) error {
	path, err := filepath.Abs(e.resolvePath(file))
	if err != nil {
		return fmt.Errorf("read bundle: %w", err)
	}
	random, err := briefing.Nonce(e.entropy)
	if err != nil {
		return err
	}
	bundle := remote.NewBundle(e.vars, path, random)
	e.vars = bundle.Env
	return e.useMemory(ctx, func(m *memory.Memory) error {
		e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
		p := e.progress("records judged")
		out, err := bundle.Import(ctx, m, remote.Request{DryRun: o.DryRun, Progress: p.stage})
		p.end()
		if err != nil {
			return err
		}
		out.Remote, out.URL = file, path
		told := exchangedOf(e, out, o)
		tellExchange(e, told, remote.Pull)
		err = e.printResult(command.Imported{
			DryRun: o.DryRun, Sources: 1, Added: len(told.Pulled), Refused: len(told.Withheld),
			Removed: told.Removed, Bundle: &told,
		}, nil)
		if len(told.Withheld) > 0 {
			err = errors.Join(err, fmt.Errorf("%s: %w", told.Remote, errWithheld))
		}
		if len(out.Hidden) > 0 {
			err = errors.Join(err, warnOfPurges(ctx, e, m, false))
		}
		return err
	})
}

// reportTaken puts together what was read and what the gate said.
func (g *gathering) reportTaken(taken accept.Takings) command.Imported {
	told := command.Imported{
		DryRun: g.opts.DryRun, Sources: g.read, Removed: taken.Removed, Problems: g.problems, Remarks: g.remarks,
	}
	fates := map[accept.Fate]*int{
		accept.Added: &told.Added, accept.Present: &told.Known, accept.Beside: &told.Beside,
		accept.Buried: &told.Purged, accept.Refused: &told.Refused,
	}
	for i, t := range taken.Records {
		*fates[t.Fate]++
		if isA[*replay.SecretError](t.Err) {
			told.Secrets++
		}
		var why []string
		if t.Err != nil {
			if why = errorDetails(t.Err); len(why) == 0 {
				why = []string{t.Err.Error()}
			}
		}
		notes := slices.Concat(g.notes[i], t.Notes)
		for _, f := range t.Findings {
			notes = append(notes, f.String())
		}
		d := g.drafts[i]
		told.Records = append(told.Records, command.ImportedRecord{
			Fate: string(t.Fate), Kind: d.Kind, ID: t.ID, Source: d.Source, Private: t.Private,
			Signed: t.Signed, Why: why, Notes: notes,
			Text: g.beginningOf(d),
		})
	}
	for _, p := range g.problems {
		if !p.Left {
			told.Invalid++
		}
	}
	return printables(g.env, told)
}

// beginningOf is the beginning of what a draft says.
func (g *gathering) beginningOf(d foreign.Draft) string {
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

// mostRemarks is how many lines an import says of what it changed and left out.
const mostRemarks = 20

// tellTaken prints what became of records, in a rehearsal of each and else of those that need a look, and says
// whether all was well.
func tellTaken(e *env, told command.Imported, o importOptions) error {
	if e.asJSON {
		return cmp.Or(e.printJSON(told), importFailure(&told))
	}
	// Nobody is left to tell where standard error fails.
	say := func(text string) { _, _ = fmt.Fprintln(e.stderr, text) }
	verb, more := "added", -mostRemarks
	remark := func(text string) {
		if more++; more <= 0 || o.DryRun {
			say(text)
		}
	}
	private := 0
	for _, one := range told.Records {
		if o.DryRun { // Of each; else what needs a look is told.
			would := map[string]string{"added": "would add", "conflict": "would keep beside"}
			reach := ""
			if one.Private {
				reach = "(private) "
			}
			e.printf("%s\t%s\t%s\t%s\t%s%s\n", cmp.Or(would[one.Fate], one.Fate), one.Kind, one.ID, one.Source, reach,
				one.Text)
		}
		if one.Private && one.Fate == "added" {
			private++
		}
		for _, why := range one.Why {
			say(one.Fate + ": " + one.Source + ": " + why)
		}
		for _, note := range one.Notes {
			switch {
			case one.Fate == "conflict":
				say(one.Source + ": " + note)
			case o.DryRun || one.Fate == "added":
				remark(one.Source + ": " + note)
			}
		}
	}
	for _, p := range told.Problems {
		if !p.Left {
			say("not read: " + p.Place + ": " + p.Text)
		} else {
			remark("left out: " + p.Place + ": " + p.Text)
		}
	}
	if more > 0 && !o.DryRun {
		e.hintf("%d more were changed to fit, kept private or left out; --json lists all", more)
	}
	for _, r := range told.Remarks {
		if o.DryRun || told.Added > 0 {
			say(r.Source + ": " + r.Text)
		}
	}
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
	switch {
	case o.DryRun: // It has shown it.
	case told.Sources == 0:
		e.hint("there was no file with records in it; 'git ltm import --help' says what is read, " +
			"and --dry-run what was left out")
	case private > 0 && !o.Private:
		e.hintf("private to this clone: %d of them; 'git ltm ls --kind all' shows which", private)
	}
	return importFailure(&told)
}

// tellUnshown tells how much of what was added no agent is shown automatically. What cannot be told is no
// fault of it.
func tellUnshown(ctx context.Context, e *env, m *memory.Memory, told command.Imported) {
	var names []string
	for _, one := range told.Records {
		if one.Fate == string(accept.Added) && !one.Private {
			names = append(names, "refs/ltm/"+string(one.Kind)+"s/"+string(one.ID))
		}
	}
	if heard, err := m.Source().HeardOf(ctx, names, heardArrived); err == nil && heard.Withheld > 0 {
		e.hint("of what came " + command.Withheld(heard) +
			" not trusted, so that agents are not shown them automatically: 'git ltm sign ID' signs what is yours, 'git ltm verify' says why")
	}
}

// importFailure says whether all was well.
func importFailure(told *command.Imported) error {
	if told.Refused+told.Invalid+told.Beside == 0 {
		return nil
	}
	return &importError{told}
}

// importError is an import of which something was refused, could not be read, or is kept under another id.
type importError struct{ *command.Imported }

func (e *importError) Error() string {
	return joinCounts([]countedText{
		{
			e.Secrets, "a record was refused, because it holds what must not travel",
			"%d records were refused, because they hold what must not travel",
		},
		{e.Refused - e.Secrets, "a record was refused", "%d records were refused"},
		{e.Invalid, "a part could not be read", "%d parts could not be read"},
		{e.Beside, "an id was taken by another record", "%d ids were taken by other records"},
	})
}
