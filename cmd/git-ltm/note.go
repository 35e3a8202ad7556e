package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// noteFlags are what a command says of a note, a task or a skip, and how that is stored.
type noteFlags struct {
	command.Storing
	command.Note
	reply.Match

	Cite  []string
	Batch bool
}

// checkFlags settles what the flags leave open, and says everything that is wrong with the command line.
func (o *noteFlags) checkFlags(e *env, args []string) error {
	o.Tags = slugTags(e, o.Tags)
	wrong := wrongInput(e, o.Prepare(e.now()))
	if o.IsPersonal() && e.userStore == "" && !e.isGiven("private") { // In the user-wide memory nothing is.
		o.Private = true
	}
	wrong = append(storingProblems(e, o.Storing, "allow-why"), wrong...)
	said := slices.Concat(args, []string{o.Why, o.Topic, o.Next}, o.Tags, o.Cite, o.Links)
	wrong = append(wrong, checkUTF8(append(said, o.Words, o.Path, o.Command, o.Adds)...))
	err := usage(wrong)
	if refused, ok := errors.AsType[*usageError](err); ok && o.Kind == string(packet.KindSkip) && len(args) > 0 &&
		(o.Why == "" || o.Until == "") {
		refused.hint = addHint(e.line.Parent(), args, o.Why, o.Until)
	}
	return err
}

// wrongInput is what is wrong with an input, each beside the flag that says it.
func wrongInput(e *env, err error) []error {
	input, ok := errors.AsType[*command.InputError](err)
	if !ok {
		return nil
	}
	f := e.line.Flags()
	var all []error
	for _, p := range input.Problems {
		name := strings.TrimPrefix(p.Path, "/")
		if name == "by" {
			name = "link"
			if f.Changed("superseded-by") {
				name = "superseded-by"
			}
		}
		if f.Lookup(name) == nil {
			name = strings.TrimSuffix(name, "s")
		}
		if f.Lookup(name) != nil {
			all = append(all, fmt.Errorf("--%s: %s", name, p.Text))
		} else {
			all = append(all, errors.New(p.Text))
		}
	}
	return all
}

// runNote stores a note, a task or a skip, and prints its id. Places are named as seen from here. A skip and
// a task have no text but their argument.
func runNote(ctx context.Context, e *env, o noteFlags, args []string) error {
	if o.Batch {
		return runBatch(ctx, e, o, args)
	}
	if err := o.checkFlags(e, args); err != nil {
		return err
	}
	return withText(ctx, e, args, func(m *memory.Memory, text string) error {
		const most = packet.MaxNoteText
		if o.Text = text; o.Kind != string(packet.KindSkip) && utf8.RuneCountInString(text) > most {
			return usagef("too long: a note holds %d characters; split it, or use 'git ltm save'", most)
		}
		if o.Match != (reply.Match{}) {
			o.Path = git.Below(m.Repo().Prefix, o.Path)
			o.Note.Match = &o.Match
		}
		for _, place := range o.Cite {
			cite := command.ParseCite(place)
			cite.Path = git.Below(m.Repo().Prefix, cite.Path)
			o.Cites = append(o.Cites, cite)
		}
		as := func(command.Note) command.Storing { return o.Storing }
		receipts, err := command.SaveNotes(ctx, m, []command.Note{o.Note}, as)
		if err != nil {
			return err
		}
		e.explainReceipt(receipts[0])
		tellEnd(e, o.Until, o.Ends)
		return e.printStored(ctx, m, rehearsal(o.DryRun), e.printJSON, receipts...)
	})
}

// tellEnd shows the time that a word or a date stands for.
func tellEnd(e *env, said string, ends time.Time) {
	if said != "" && !ends.IsZero() && said != reply.Stamp(ends) {
		e.hint("it ends on " + reply.EndText(ends, e.now()))
	}
}

// mostBatch is how many records a batch may have: each is a ref that every exchange lists.
const mostBatch = 2000

// runBatch stores the notes and skips of a batch that pass, and names the others.
func runBatch(ctx context.Context, e *env, o noteFlags, args []string) error {
	wrong := storingProblems(e, o.Storing, "allow-why")
	for _, flag := range []string{"kind", "impact", "confidence", "why", "topic", "tag", "until", "cite", "link"} {
		if e.isGiven(flag) {
			wrong = append(wrong, errors.New("--batch reads it from the lines: --"+flag))
		}
	}
	if err := usage(wrong); err != nil {
		return err
	}
	data, err := e.readDocument(ctx, slices.Concat(args, []string{standardInput})[0])
	if err != nil {
		return err
	}
	lines := command.BatchLines(data, e.now())
	switch {
	case len(lines) == 0:
		return usagef("there is no record to store: one JSON object a line")
	case len(lines) > mostBatch:
		return usagef("%d records are too many for one batch, at most %d", len(lines), mostBatch)
	}
	reqs := make([]gate.SmallRequest, len(lines))
	for i, l := range lines {
		reqs[i] = o.Request(l.Data)
		reqs[i].DryRun = o.DryRun || l.Err != nil // The gate still says what else is wrong.
		if l.Identity && e.userStore == "" && !e.isGiven("private") {
			reqs[i].Reach = replay.Private
		}
	}
	return e.useMemory(ctx, func(m *memory.Memory) error {
		receipts, err := m.SaveBatch(ctx, reqs)
		failed, isBatch := errors.AsType[*gate.BatchError](err)
		if err != nil && !isBatch {
			return err
		}
		if isBatch {
			for _, f := range failed.Failed {
				lines[f.Index].Err = errors.Join(lines[f.Index].Err, f.Err)
			}
		}
		wrong := &batchError{lines: len(lines)}
		var passed []gate.Receipt
		for i, l := range lines {
			if l.Err != nil {
				wrong.wrong = append(wrong.wrong, lineError{l.Number, l.Err})
				continue
			}
			if len(redact.Blocking(receipts[i].Findings)) > 0 {
				e.warnf("of record %s:", receipts[i].ID)
			}
			e.explainReceipt(receipts[i])
			passed = append(passed, receipts[i])
		}
		err = e.printStored(ctx, m, rehearsal(o.DryRun), e.printLine, passed...)
		if err != nil || len(wrong.wrong) == 0 {
			return err
		}
		if !o.DryRun {
			wrong.stored = len(passed)
		}
		return wrong
	})
}

// printStored prints the ids of records that were stored, and then the advice. Of a rehearsal the advice comes
// first.
func (e *env) printStored(ctx context.Context, m *memory.Memory, dry rehearsal, printJSON func(any) error,
	receipts ...gate.Receipt,
) (err error) {
	all := make([]reply.Saved, len(receipts))
	for i, r := range receipts {
		all[i] = reply.SavedOf(r, dry)
	}
	var undoable []packet.ID
	switch single := len(receipts) == 1; {
	case len(receipts) == 0:
		return nil
	case bool(dry):
		for i, repeats := range tellDuplicates(ctx, e, m, dry, receipts...) {
			all[i] = all[i].With(e.rules, repeats)
		}
		// The gate encoded it.
		if rec, err := packet.Parse(receipts[0].Data, packet.Stored); err == nil && single {
			for _, a := range garden.Lint(rec.Content()) {
				e.hintf("%s: %s", a.Place, a.Text)
			}
		}
		for _, r := range receipts {
			e.warnAll(reply.MissingCites(m, r))
		}
	case single && !receipts[0].Known:
		undoable = append(undoable, receipts[0].ID)
	}
	for i, r := range receipts {
		if e.asJSON {
			all[i].Undo = e.undoOf(undoable...)
			err = errors.Join(err, printJSON(all[i]))
		} else {
			_, failed := fmt.Fprintln(e.stdout, r.ID)
			err = errors.Join(err, failed)
		}
	}
	switch {
	case bool(dry):
		return err
	case err != nil:
		return fmt.Errorf("record %s is stored, and its id cannot be printed: %w", receipts[0].ID, err)
	}
	e.hintUndo("saved; ", undoable...)
	for _, r := range receipts {
		e.warnAll(slices.Concat(reply.LogLines(r), reply.MissingCites(m, r)))
	}
	tellDuplicates(ctx, e, m, dry, receipts...)
	return nil
}

// checkUTF8 refuses bytes that are not UTF-8, which JSON would change.
func checkUTF8(texts ...string) error {
	for _, t := range texts {
		if !utf8.ValidString(t) {
			return errors.New("what you say holds bytes that are not UTF-8")
		}
	}
	return nil
}

// maxSmallInput is the number of bytes read of a text: more than the longest has.
const maxSmallInput = 4*packet.MaxSmall + 1

// textHelp stands in the editor. Lines that begin with a number sign are left out of the text.
const textHelp = `
# One fact that the next session needs, as an instruction and not as a log: "Use X because Y", not "discussed X".
# No secrets, no paths of this machine. Lines that begin with # are left out. Leave it empty to store nothing.
`

// withText opens the memory and calls do with the text of a record: the argument, standard input, or on a
// terminal without an argument what the person writes in the editor.
func withText(ctx context.Context, e *env, args []string,
	do func(m *memory.Memory, text string) error,
) error {
	switch {
	case len(args) > 0 && args[0] != standardInput:
		return e.useMemory(ctx, func(m *memory.Memory) error { return do(m, args[0]) })
	case len(args) == 0 && e.isTerminal(e.stdin):
		return e.useMemory(ctx, func(m *memory.Memory) error {
			return editing{
				file: "EDIT_NOTE", word: "text", idle: "nothing was written, so nothing was stored",
				again: "the same command",
				start: []byte(textHelp),
			}.openEditor(ctx, e, m, func(text []byte) error { return do(m, trimText(text)) })
		})
	}
	data, err := e.readStdin(ctx, maxSmallInput)
	if err != nil {
		return err
	}
	text := trimText(data)
	if text == "" {
		return usagef("there is no text: give it as an argument, or on standard input")
	}
	return e.useMemory(ctx, func(m *memory.Memory) error { return do(m, text) })
}

// trimText is a text with the line ends of git, and without blank lines around it.
func trimText(data []byte) string {
	return strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
}

// slugTags brings tags into the form that records hold, each once, and tells what was changed.
func slugTags(e *env, tags []string) []string {
	var all []string
	for _, tag := range tags {
		s := reply.Slug(tag)
		if s != tag {
			e.hint("the tag \"" + reply.Word(tag) + "\" is stored as \"" + reply.Word(s) + "\"")
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// showIdentity prints the newest identity of the person at the terminal.
func showIdentity(ctx context.Context, e *env, m *memory.Memory, _ struct{}, _ []string) error {
	me, err := m.Author(ctx)
	if err != nil {
		return err
	}
	q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteIdentity}}
	found, err := reply.List(ctx, m, []replay.Query{q}, replay.Inspected, 0)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(entry replay.Shown) bool {
		return entry.Note().Provenance.AuthorHuman != me
	})
	all := len(found)
	found = slices.DeleteFunc(found, func(entry replay.Shown) bool {
		return !entry.Verdict.Standing.Vouched()
	})
	if foreign := all - len(found); foreign > 0 {
		e.warnf("left out %d under your name that are not trusted; 'git ltm ls --kind identity' lists them",
			foreign)
	}
	if len(found) == 0 {
		return fmt.Errorf("identity under your name: %w", errNoIdentity)
	}
	e.println(clean.Text(found[0].Note().Text))
	return e.printResult(reply.ListedOf(found[0]), nil)
}
