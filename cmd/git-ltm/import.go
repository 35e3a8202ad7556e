package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type importOptions struct {
	command.Storing
	Format string
	Remaps []string
	Share  bool
	Mine   bool

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
		case is && (o.Redact || o.Private || o.Share || o.Mine || o.Sign || o.NoSign || len(o.Remaps) > 0):
			return usagef("a bundle is taken as it is, with --dry-run and --json alone")
		case is:
			return importBundle(ctx, e, syncOptions{DryRun: o.DryRun}, source)
		}
	}
	return importRecords(ctx, e, o, sources)
}

// check says everything that is wrong with the flags, and reads the remap.
func (o *importOptions) check(e *env, sources []string) error {
	wrong := storingProblems(e, o.Storing)
	_, err := foreign.ParseFormat(o.Format)
	wrong.when(err != nil && o.Format != "" && o.Format != bundleFormat, "--format takes one of %s", importFormats)
	wrong.when(o.Format == bundleFormat && len(sources) == 1 && sources[0] == standardInput,
		"a bundle is read from a file, and not from standard input")
	if o.Mine && !e.isPerson() {
		wrong = append(wrong, errors.New("--mine is for a person at a terminal: this clone answers for what it takes in"))
	}
	for _, text := range o.Remaps {
		wrong = append(wrong, o.addRemap(text))
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
	var request remote.Request
	request.Remote, e.vars = remote.WithBundle(e.vars, path, random)
	request.Way, request.DryRun = remote.Pull, o.DryRun
	return e.useMemory(ctx, func(m *memory.Memory) error {
		e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
		p := e.progress("records judged")
		request.Progress = p.stage
		out, err := remote.Sync(ctx, m, request)
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
		DryRun: g.opts.DryRun, Sources: g.read, Removed: taken.Removed, Problems: g.problems,
		Remarks: g.remarks,
	}
	fates := map[accept.Fate]*int{
		accept.Added: &told.Added, accept.Present: &told.Known, accept.Beside: &told.Beside,
		accept.Buried: &told.Purged, accept.Refused: &told.Refused,
	}
	for i, t := range taken.Records {
		*fates[t.Fate]++
		if command.IsA[*replay.SecretError](t.Err) {
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

// addedRefs are the refs of what was added and others may see.
func addedRefs(told command.Imported) (names []string) {
	for _, one := range told.Records {
		if one.Fate == string(accept.Added) && !one.Private {
			names = append(names, "refs/ltm/"+string(one.Kind)+"s/"+string(one.ID))
		}
	}
	return names
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

// The bounds of a folder that is imported.
const (
	mostFiles = 20_000
	mostDepth = 32
)

// A source is something that holds records, with its contents.
type source struct {
	name     string // as people call it
	data     []byte
	modified time.Time
	author   string         // who made the commit in which it was found; empty for none
	folder   bool           // it was found in a folder or a ref, and not named itself
	beside   bool           // a MEMORY.md lies in the same folder
	format   foreign.Format // what it is, where its place tells
}

// leftFileError is why a file of a folder is left out, as it should be.
type leftFileError string

func (l leftFileError) Error() string { return string(l) }

// readSource reads what was named. What a folder holds is left out by leave where it cannot be read.
func readSource(ctx context.Context, e *env, name string, leave func(string, error),
	do func(source) error,
) error {
	if name == standardInput {
		data, err := e.readStdin(ctx, foreign.MaxInput+1)
		if err != nil {
			return err
		}
		return do(source{name: name, data: data, modified: e.now()})
	}
	info, err := os.Stat(e.resolvePath(name))
	if errors.Is(err, fs.ErrNotExist) {
		if found, failed := readRefs(ctx, e, name, leave, do); found || failed != nil {
			return failed
		}
	}
	if err != nil {
		return fmt.Errorf("read source: %w", err)
	}
	if info.IsDir() {
		return readFolder(ctx, e, name, leave, do)
	}
	if !info.Mode().IsRegular() {
		return usagef("%q is neither a file nor a folder", reply.Word(name))
	}
	f, err := os.Open(e.resolvePath(name))
	if err != nil {
		return fmt.Errorf("read source: %w", err)
	}
	s, err := readOpen(f, calledFile(name))
	if err != nil {
		return err
	}
	return do(s)
}

// readOpen reads a file and closes it.
func readOpen(f fs.File, name string) (source, error) {
	info, err := f.Stat()
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, foreign.MaxInput+1))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return source{}, fmt.Errorf("read %q: %w", name, err)
	}
	return source{name: name, data: data, modified: info.ModTime()}, nil
}

// readFolder reads the files of a folder in the order of their names. Nothing outside of it is opened,
// whatever leads there.
func readFolder(ctx context.Context, e *env, name string, leave func(string, error),
	do func(source) error,
) (err error) {
	root, err := os.OpenRoot(e.resolvePath(name))
	if err != nil {
		return fmt.Errorf("read folder: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	files := root.FS()
	called := func(inner string) string { return path.Join(filepath.ToSlash(filepath.Clean(name)), inner) }
	do = countSources(name, do)
	beside := map[string]bool{} // the folders with a MEMORY.md
	return fs.WalkDir(files, ".", func(inner string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			leave(called(inner), err)
			return nil
		case entry.IsDir():
			if inner != "." && (entry.Name() == ".git" || strings.Count(inner, "/") >= mostDepth) {
				return fs.SkipDir
			}
			_, err := fs.Stat(files, path.Join(inner, "MEMORY.md"))
			beside[inner] = err == nil
			return nil
		case !readsName(inner):
			return nil
		case !entry.Type().IsRegular():
			leave(called(inner), leftFileError("only files of the folder itself are read, and no links"))
			return nil
		}
		f, err := files.Open(inner)
		if err != nil {
			leave(called(inner), err)
			return nil
		}
		s, err := readOpen(f, called(inner))
		if err != nil {
			leave(called(inner), err)
			return nil
		}
		s.beside = beside[path.Dir(inner)]
		return do(s)
	})
}

// countSources bounds what one folder or ref holds.
func countSources(name string, do func(source) error) func(source) error {
	files, room := mostFiles, foreign.MaxInput
	return func(s source) error {
		if files--; files < 0 {
			return usagef("%q holds more than %d files", reply.Word(name), mostFiles)
		}
		if room -= len(s.data); room < 0 {
			return usagef("%q holds more than %d bytes", reply.Word(name), foreign.MaxInput)
		}
		s.folder = true
		return do(s)
	}
}

// readRefs reads the files in the commits of a ref, or of all refs below a name: a branch, or notes of git.
func readRefs(ctx context.Context, e *env, name string, leave func(string, error), do func(source) error,
) (found bool, err error) {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return false, err
	}
	refs, err := repo.Refs(ctx, name, "refs/"+name, "refs/heads/"+name, "refs/remotes/"+name)
	if err != nil || len(refs) == 0 {
		return false, err
	}
	objects, err := repo.Objects(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, objects.Close()) }()
	do = countSources(name, do)
	for _, ref := range refs {
		if typ, _, _ := objects.Read(ref.Object, 0); typ != "commit" { // It is too large, which does not matter.
			continue
		}
		found = true
		made, err := repo.History().Made(ctx, ref.Object)
		if err != nil {
			return found, err
		}
		files, err := repo.TreeFiles(ctx, ref.Object)
		if err != nil {
			return found, err
		}
		isNotes := strings.HasPrefix(ref.Name, "refs/notes/")
		for _, f := range files {
			s := source{name: ref.Name + ":" + f.Path, modified: made.At, author: made.Author}
			if isNotes {
				s.name, s.format = ref.Name+":"+strings.ReplaceAll(f.Path, "/", ""), foreign.GitNotes
			} else if !readsName(f.Path) {
				continue
			}
			if _, s.data, err = objects.Read(f.Object, foreign.MaxInput); err != nil {
				leave(s.name, err)
			} else if err := do(s); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// readsName tells the files of a folder that may hold records. A session itself, and what beads notes about
// itself, is none.
func readsName(name string) bool {
	return !slices.Contains([]string{"full.jsonl", "transcript.jsonl", "interactions.jsonl", "events.jsonl"},
		path.Base(name)) && slices.Contains([]string{".md", ".json", ".jsonl"},
		strings.ToLower(path.Ext(name)))
}

// gathering is what was read out of sources, on its way to the gate.
type gathering struct {
	env     *env
	opts    importOptions
	known   func(suffix string) (packet.ID, bool)
	me      string // who imports
	signing gate.Signing
	made    func(name string) (git.CommitMade, bool) // the last commit of a file that git tracks here
	here    map[string]packet.ID                     // by the suffix of its id, what was read before
	read    int                                      // sources
	drafts  []foreign.Draft
	brought []accept.Brought
	notes   [][]string // of each draft: what became of it before the gate

	problems []foreign.Problem
	remarks  []command.Remark
}

// importRecords reads sources, and takes in what passes the gate.
func importRecords(ctx context.Context, e *env, o importOptions, sources []string) error {
	return e.useMemory(ctx, func(m *memory.Memory) error {
		var err error
		if e.rules, err = m.Rules(ctx); err != nil {
			return err
		}
		g := gathering{env: e, opts: o, here: map[string]packet.ID{}}
		if g.me, err = m.Author(ctx); err != nil {
			return err
		}
		if g.signing = o.Signing(); g.signing == gate.AsConfigured {
			if g.signing, err = m.Signer().Configured(ctx); err != nil {
				return err
			}
		}
		if g.known, err = m.Intake().Derived(ctx); err != nil {
			return err
		}
		g.made = func(name string) (git.CommitMade, bool) {
			touched, err := m.Repo().History().FileHistory(ctx, m.Repo().PathIn(e.resolvePath(name)), 1)
			if err != nil || len(touched) == 0 {
				return git.CommitMade{}, false
			}
			made, err := m.Repo().History().Made(ctx, touched[0].Commit)
			return made, err == nil
		}
		for _, name := range sources {
			if err := readSource(ctx, e, name, g.leaveOut, g.addSource); err != nil {
				return err
			}
		}
		p := e.progress("records")
		req := accept.TakeRequest{
			Records: g.brought, DryRun: o.DryRun, Publish: o.Share,
			Signing:  o.Signing(),
			Progress: func(done, of int) { p.stage("stored", done, of) },
		}
		if o.Redact {
			req.Secrets = gate.Hide
		}
		taken, err := m.Intake().Take(ctx, req)
		p.end()
		if err != nil {
			return err
		}
		told := g.reportTaken(taken)
		if err = tellTaken(e, told, o); !o.DryRun {
			tellUnshown(ctx, e, m, addedRefs(told))
		}
		if len(taken.Removed) > 0 && !e.asJSON {
			err = errors.Join(err, warnOfPurges(ctx, e, m, false))
		}
		return err
	})
}

// leaveOut notes the file of a folder that was not read.
func (g *gathering) leaveOut(name string, why error) {
	g.problems = append(g.problems,
		foreign.Problem{Place: name, Text: why.Error(), Left: command.IsA[leftFileError](why) ||
			errors.Is(why, foreign.ErrUnknown)})
}

// addSource reads one source.
func (g *gathering) addSource(s source) error {
	format, err := g.formatOf(s)
	if err != nil || format == "" {
		return err
	}
	g.read++
	read, err := foreign.Parse(format, s.name, s.data, foreign.Options{
		Modified: s.modified, Author: g.authorOf(s.author), Known: func(suffix string) (packet.ID, bool) {
			if id, ok := g.here[suffix]; ok { // Or among what was read before.
				return id, true
			}
			return g.known(suffix)
		}, Remap: g.opts.remap,
		// What has no time of its own has the same one in every clone, so that two people who import it have it once.
		Committed: func() (time.Time, string, bool) {
			made, ok := g.made(s.name)
			return made.At, g.authorOf(made.Author), ok
		},
	})
	if err != nil {
		g.problems = append(g.problems, foreign.Problem{Place: s.name, Text: err.Error()})
	}
	g.problems = append(g.problems, read.Problems...)
	for _, text := range read.Notes {
		g.remarks = append(g.remarks, command.Remark{Source: s.name, Text: text})
	}
	byPerson := g.env.isPerson()
	for _, d := range read.Drafts {
		suffix := string(d.ID[len(d.ID)-len(packet.DerivedSuffix("")):])
		if _, ok := g.here[suffix]; !ok {
			g.here[suffix] = d.ID
		}
		reach, why := g.reachOf(format, d)
		notes, remark := slices.Clone(d.Notes), command.Remark{Source: s.name, Text: why}
		switch {
		case why == "":
		case d.Private || d.Wide:
			notes = append(notes, why)
		case !slices.Contains(g.remarks, remark): // It holds for all of the source.
			g.remarks = append(g.remarks, remark)
		}
		// What another system wrote, a draft without a name, and what a person brings at a terminal are made here.
		// This clone does not answer for another record that was made elsewhere, and least of all for what an event
		// there says became of others.
		ours, nameless := strings.HasPrefix(d.Key, "ltm:"), strings.HasPrefix(d.Key, "ltm::")
		made := !ours || (nameless || byPerson && d.Ref == "" && d.Tag == nil) && d.Kind != packet.KindEvent ||
			g.opts.Mine && d.Tag == nil && g.isMine(d)
		g.drafts, g.notes = append(g.drafts, d), append(g.notes, notes)
		g.brought = append(g.brought, accept.Brought{
			Kind: d.Kind, ID: d.ID, Data: d.Data, Tag: d.Tag, Reach: reach, Made: made,
		})
	}
	return nil
}

// isMine tells whether a record says that who imports it wrote it.
func (g *gathering) isMine(d foreign.Draft) bool {
	rec, err := packet.Parse(d.Data, packet.Draft)
	return err == nil && g.me != "" && rec.AuthorHuman() == g.me
}

// isPerson tells whether a person runs the command at a terminal, and no agent in its shell.
func (e *env) isPerson() bool {
	_, byAgent := agent.InShellOf(e.getenv)
	return e.isTerminal(e.stderr) && !byAgent
}

// authorOf is who wrote what names nobody, of a source that somebody committed: they, but where it is signed, who
// signs. A signature says who stands behind a text, and not in whose name.
func (g *gathering) authorOf(committed string) string {
	if committed == "" || g.signing != gate.NoSign {
		return g.me
	}
	return committed
}

// formatOf tells how a source is written, or nothing where it is left out.
func (g *gathering) formatOf(s source) (foreign.Format, error) {
	if g.opts.Format != "" {
		return foreign.ParseFormat(g.opts.Format)
	}
	if s.format != "" {
		return s.format, nil
	}
	format, err := foreign.Detect(s.name, s.data)
	switch {
	case err != nil && s.folder:
		g.leaveOut(s.name, err)
		return "", nil
	case err != nil:
		return "", usagef("%w; name its format with --format, one of %s", err, importFormats)
	case s.folder && format == foreign.MemoryFile && !s.beside && !slices.Contains(
		// The names under which people and agents keep what agents should know.
		[]string{"memory.md", "claude.md", "claude.local.md", "agents.md", "gemini.md"},
		strings.ToLower(path.Base(s.name))):
		g.leaveOut(s.name, leftFileError("it has neither front matter nor the sections of a decision, and its "+
			"name is not that of a memory; name it on the command line to import each of its points"))
		return "", nil
	}
	return format, nil
}

// reachOf says how far a draft goes, and where that is not what people expect, why.
func (g *gathering) reachOf(format foreign.Format, d foreign.Draft) (replay.Reach, string) {
	switch {
	case g.env.userStore != "":
		return replay.Shared, ""
	case g.opts.Private:
		return replay.Private, ""
	case d.Private && d.Ref != "":
		return replay.Private, "" // It was private where it comes from.
	case d.Private:
		return replay.Private, "it is for one person or agent: it is kept private"
	case d.Wide:
		return replay.Private,
			"it was kept for all projects: it is kept private here; 'git ltm import --user' brings it " +
				"into your user-wide memory"
	case format == foreign.MemoryFile && !g.opts.Share:
		return replay.Private,
			"what stands in a memory file is a draft: it is kept private, and --share lets it travel; " +
				"an agent that reads the file itself has it twice"
	case (format == foreign.Entire || format == foreign.GitNotes) && !g.opts.Share:
		return replay.Private,
			"nobody has reviewed it as a record: it is kept private; --share lets it travel"
	}
	return replay.Shared, ""
}
