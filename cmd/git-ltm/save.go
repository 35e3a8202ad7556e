package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// saveOptions are the flags of save.
type saveOptions struct {
	command.Composed
	command.Storing
	Continue                                  string
	Root, AsIs, NewID, AllowUnredacted, Draft bool
	Yes                                       bool
}

func runSave(ctx context.Context, e *env, o saveOptions, args []string) error {
	if err := o.check(e, args); err != nil {
		return err
	}
	if o.Draft && e.userStore != "" {
		return usagef("drafts are kept in repositories: save --draft without --user, or finish one with " +
			"'git ltm distill --list --json' and 'git ltm save --user FILE'")
	}
	switch {
	case o.Draft:
		return e.useMemory(ctx, func(m *memory.Memory) error { return saveDraft(ctx, e, m, o, args) })
	case o.IsUsed():
		return e.useMemory(ctx, func(m *memory.Memory) error {
			data, err := o.Packet(m.Repo().Prefix)
			if err != nil {
				return &usageError{err: err}
			}
			return saveData(ctx, e, m, o, nil, data)
		})
	case len(args) == 0 && e.isTerminal(e.stdin):
		return e.useMemory(ctx, func(m *memory.Memory) error { return saveEdited(ctx, e, m, o) })
	}
	data, err := readPacket(ctx, e, args)
	if err != nil {
		return err
	}
	return e.useMemory(ctx, func(m *memory.Memory) error { return saveData(ctx, e, m, o, nil, data) })
}

// check refuses flags that contradict each other, all at once.
func (o saveOptions) check(e *env, args []string) error {
	wrong := storingProblems(e, o.Storing)
	wrong.when(o.AsIs && (o.NewID || o.Continue != "" || o.Root),
		"--as-is adds nothing, so it excludes --new-id, --continue and --root")
	wrong.when(o.Yes && !o.Draft, "--yes saves a draft as it is, so it takes --draft")
	wrong.when(o.AsIs && o.Draft, "--as-is adds nothing, and a draft has to be finished")
	if len(args) > 0 && o.IsUsed() && !o.Draft {
		_, err := os.Stat(e.resolvePath(args[0]))
		named := args[0] == standardInput || strings.HasSuffix(args[0], ".json") || !errors.Is(err, fs.ErrNotExist)
		wrong.when(named, "a packet comes from a file or from flags, not from both")
		wrong.when(!named, "there is no file %q; a text is the goal of a packet with --goal", reply.Word(args[0]))
	}
	return usage(wrong)
}

// readPacket returns the packet from the file or standard input.
func readPacket(ctx context.Context, e *env, args []string) ([]byte, error) {
	name := slices.Concat(args, []string{standardInput})[0]
	data, err := e.readDocument(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		e.hint("save reads a FILE; a text is stored with 'git ltm note TEXT' or 'git ltm save --goal TEXT --next TEXT'")
	}
	if err == nil && len(data) == 0 && name == standardInput {
		err = usagef("there is no packet on standard input; name a FILE, or give --goal and --next")
	}
	return data, err
}

// saveData stores a packet, and drops the draft that it finishes; nil is none. One without a draft is of the
// session of the agent in whose shell this runs, if any.
func saveData(ctx context.Context, e *env, m *memory.Memory, o saveOptions, from *draft.Draft,
	data []byte,
) error {
	var in agent.Moment
	in.Host, in.Session, _ = agent.SessionIn(e.getenv)
	req := gate.SaveRequest{
		Data: data, Continue: o.Continue, Fresh: o.NewID, DryRun: o.DryRun,
		Signing: o.Signing(), Reach: o.Reach(),
	}
	if o.Root {
		req.Link = gate.Begin
	}
	if o.AsIs {
		req.Form = gate.AsIs
	}
	if req.Answer = o.Answer(); o.AllowUnredacted {
		req.Answer.Secrets = gate.Allow
	}
	r, err := command.Save(ctx, m, in, from, req)
	if secret, ok := errors.AsType[*replay.SecretError](err); ok && !secret.Stored && !o.IsUsed() &&
		!o.Draft {
		rules, _ := m.Rules(ctx) // Where they cannot be read, nothing was scanned.
		rules.Locate(secret.Findings, data)
	}
	if err != nil {
		return err
	}
	e.explainReceipt(ctx, m, r)
	if len(r.Left) > 0 {
		e.hint("left out, because it speaks of places in a project: " + strings.Join(r.Left, ", ") +
			"; --as-is keeps all")
	}
	if o.Sign && r.Known && !r.Signed {
		e.hint("it was stored before; 'git ltm sign " + string(r.ID) + "' adds your signature")
	}
	if o.AllowUnredacted && !o.DryRun {
		var found []string
		for _, f := range redact.Blocking(r.Findings) {
			found = append(found, f.Fingerprint(string(r.ID)))
		}
		if slices.Sort(found); len(found) > 0 {
			e.hint("a check finds it again; what is no secret can be allowed: git ltm allow " +
				strings.Join(slices.Compact(found), " ") + " --why TEXT --until 90d")
		}
	}
	if ask := reply.Unmatched(r); ask != "" && (in.Session != "" || from != nil) { // A person is not asked.
		e.hint(ask + ": --attempt 'TRIED :: OUTCOME :: LEARNED :: command: make bench'")
	}
	if !o.DryRun && !r.Known && r.ID < r.Newest && !r.Newest.IsAhead(e.now()) {
		e.hint("the packet brought an id that is older than the newest here; without its id and " +
			"created_at, or with --new-id, it becomes the newest")
	}
	if who := reply.Whose(ctx, m, r.Beside, e.now()); who != "" {
		e.hintf("this begins a new thread of its own; 'git ltm save --continue %s' goes on with another one %s",
			r.Beside.ID, who)
	}
	return e.printStored(ctx, m, rehearsal(o.DryRun), e.printJSON, r)
}

// explainReceipt says what the scan found and what became of it, and once a clone that nobody has a name here.
func (e *env) explainReceipt(ctx context.Context, m *memory.Memory, r gate.Receipt) {
	e.warnAll(command.Notices(r))
	told := m.Repo().Local().OwnFile("unnamed")
	if !e.forAgent() && len(r.Data) > 0 && !bytes.Contains(r.Data, []byte(`"author_human"`)) && !told.Exists() {
		if name, err := m.Author(ctx); err == nil && name == "" && told.WriteState(true) == nil {
			e.hint("the record names no author, since git knows no name of yours: git config --global user.name 'Your Name'")
		}
	}
	if r.Known && len(r.Copied) == 0 {
		e.warnf("%s %s was stored before, nothing changed", command.KindOf(r), r.ID)
	}
}

// printResult prints what a command did as JSON, where that is asked for; else it was printed for people.
func (e *env) printResult(v any, err error) error {
	if err == nil && e.asJSON {
		err = e.printJSON(v)
	}
	return err
}

// printLine prints a value as JSON on one line.
func (e *env) printLine(v any) error { return e.writeOut(reply.EncodeLine(v)) }

// printJSON prints a value as JSON.
func (e *env) printJSON(v any) error { return e.writeOut(reply.Encode(v)) }

// writeOut writes a result as it is, unless there is none.
func (e *env) writeOut(data []byte, err error) error {
	if err == nil && len(data) > 0 {
		_, err = e.stdout.Write(data)
	}
	return err
}

// saveDraft makes a packet of a draft, and drops the draft when it is stored.
func saveDraft(ctx context.Context, e *env, m *memory.Memory, o saveOptions, args []string) error {
	spec := ""
	if len(args) > 0 {
		spec = args[0]
	}
	d, err := command.FindDraft(ctx, m, spec)
	if err != nil {
		return err
	}
	switch {
	case o.IsUsed() || o.Yes:
	case e.isTerminal(e.stdin):
		return editDraft(ctx, e, m, o, *d)
	case !o.DryRun:
		return usagef("rules made draft %s, and nobody looked at it: say what is next with --next, or --yes to "+
			"save it as it is; 'git ltm distill --list --json' shows it", d.ID)
	}
	said, err := o.Packet(m.Repo().Prefix)
	if err != nil {
		return &usageError{err: err}
	}
	data, err := reply.Over(*d, said)
	if err != nil {
		return err
	}
	return saveData(ctx, e, m, o, d, data)
}

// editDraft lets the person finish a draft.
func editDraft(ctx context.Context, e *env, m *memory.Memory, o saveOptions, d draft.Draft) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(d.Record.Encode(), &members); err != nil {
		return err
	}
	return editing{
		file: "EDIT_DRAFT_" + string(d.ID), word: "text", filled: true,
		idle:  "nothing was left, so nothing was stored; the draft stays",
		again: "'git ltm save --draft " + string(d.ID) + "'", keep: o.DryRun,
		start: append([]byte(draftHelp(e, d)), command.FormOf(packet.KindPacket).Write(members)...),
	}.openEditor(ctx, e, m, func(text []byte) error {
		data, err := fillPacket(text, members)
		if err == nil {
			err = saveData(ctx, e, m, o, &d, data)
		}
		return err
	})
}

// storingProblems says what is wrong with the flags for that.
func storingProblems(e *env, s command.Storing) (wrong refusals) {
	wrong.when(len(s.Allow) > 0 != (strings.TrimSpace(s.AllowWhy) != ""),
		"--allow takes the fingerprints that a refusal named, and --allow-why the reason why they are no secrets")
	wrong.when(s.Private && e.userStore != "",
		"--user and --private exclude each other; a user-wide memory without a remote never leaves the machine")
	return wrong
}

// rehearsal tells that nothing was stored, and that nothing may be.
type rehearsal = reply.Rehearsal

// tellDuplicates warns where records that were stored, or would be, say what others say already, and returns
// those of each. It is advice, for which no id waits: it compares with what the index holds and
// the newest few records, and says nothing where that cannot be told.
func tellDuplicates(ctx context.Context, e *env, m *memory.Memory, dry rehearsal,
	receipts ...gate.Receipt,
) [][]recall.Alike {
	all := reply.Repeats(ctx, m, e.now, receipts...)
	for i, receipt := range receipts {
		for _, d := range all[i] {
			text := command.Repeats(receipt, d)
			switch {
			case bool(dry):
			case d.Place != "/text" && d.Place != "/item":
				text += fmt.Sprintf("; it is about %s, and 'git ltm edit %s --link %s' ties the two together", d.Place,
					d.Card.ID, receipt.ID)
			case d.Kind == packet.KindPacket || d.Conflict == "" && d.Likeness.Text == 1:
				text += fmt.Sprintf("; 'git ltm rm %s' takes the new one back", receipt.ID)
			default:
				text += fmt.Sprintf(": 'git ltm edit %s --superseded-by %s --why W' replaces it", d.Card.ID, receipt.ID)
			}
			e.warnf("%s", text)
		}
	}
	return all
}

// distillOptions are the flags of distill.
type distillOptions struct {
	Format     string
	Show, List bool
	Plain      bool
	Drop       []string
}

func runDistill(ctx context.Context, e *env, m *memory.Memory, o distillOptions, args []string) error {
	var wrong refusals
	wrong.when((o.List || len(o.Drop) > 0) && len(args) > 0, "--list and --drop read no TRANSCRIPT")
	wrong.when(o.Format != "" && !slices.Contains(transcript.Formats(), transcript.Format(o.Format)),
		"--format: there is no client %q here", reply.Word(o.Format))
	wrong.when(e.userStore != "", "a session works in a repository, and so drafts are kept there: leave --user out")
	if err := usage(wrong); err != nil {
		return err
	}
	if len(o.Drop) > 0 {
		var problems []error
		var ids []packet.ID
		for _, spec := range o.Drop {
			id, err := m.Drafts().Named(ctx, spec)
			problems, ids = append(problems, err), append(ids, id)
		}
		if err := errors.Join(problems...); err != nil {
			return err
		}
		slices.Sort(ids)
		var dropped []command.Draft
		for _, id := range slices.Compact(ids) {
			if err := m.Drafts().Drop(ctx, id); err != nil {
				return err
			}
			dropped = append(dropped, command.Draft{Draft: draft.Draft{ID: id}})
			e.printf("dropped %s\n", id)
		}
		return e.printResult(dropped, nil)
	}
	if !o.List {
		return distillSession(ctx, e, m, o, args)
	}
	all, err := m.Drafts().All(ctx)
	var list []command.Draft
	for _, d := range all {
		list = append(list, command.Draft{Draft: d, Lacks: command.Lacks(d)})
		p := d.Record.Packet()
		e.println(strings.Join([]string{
			string(d.ID), briefing.Age(d.Kept, e.now()), clean.Line(d.Host), clean.Line(p.Anchor.Branch),
			clean.Line(cmp.Or(p.Goal, d.Title())),
		}, "\t"))
	}
	return e.printResult(list, err)
}

// distillSession makes the draft of one session.
func distillSession(ctx context.Context, e *env, m *memory.Memory, o distillOptions, args []string) error {
	req, err := findTranscript(e, m, o, args)
	if err != nil {
		return err
	}
	if !o.Plain {
		if req.Refine, err = session.Refiner(ctx, m, e.vars); err != nil {
			e.warnf("%v", &session.RefineError{Err: err})
		}
	}
	made, err := session.Distill(ctx, m, req)
	if err != nil {
		return err
	}
	if made.Refused != nil {
		e.rules, _ = m.Rules(ctx) // What went wrong is told in words that may hold a secret of the house.
		e.warnf("%v", &session.RefineError{Err: made.Refused})
	}
	if o.Show { // It is not kept.
		rec, err := packet.Parse(made.Draft.Packet, packet.Sketch)
		if err == nil {
			e.print(command.DescribeDraft(made.Draft, rec.Packet()))
		}
		return e.printResult([]command.Draft{{Draft: made.Draft, Lacks: command.Lacks(made.Draft)}}, err)
	}
	id, err := m.Drafts().Keep(ctx, made.Draft)
	if err != nil {
		return err
	}
	kept, err := m.Drafts().Find(ctx, string(id))
	if err != nil {
		return err
	}
	if kept.Masked > 0 {
		e.warnf("masked in it, as secrets or places of this machine: %s", command.Counted(kept.Masked,
			"text"))
	}
	text := "finish it with 'git ltm save --draft " + string(kept.ID) + "'"
	if missing := command.Lacks(kept); len(missing) > 0 {
		text += "; it lacks " + strings.Join(missing, " and ")
	}
	e.hint(text)
	e.println(id)
	return e.printResult([]command.Draft{{Draft: kept, Lacks: command.Lacks(kept)}}, nil)
}

// findTranscript finds the transcript that is meant.
func findTranscript(e *env, m *memory.Memory, o distillOptions, args []string) (session.KeepRequest, error) {
	req := session.KeepRequest{Host: transcript.Format(o.Format), Now: e.now(), Talk: true}
	switch {
	case len(args) > 0 && args[0] == standardInput:
		req.Source = e.stdin
		return req, nil
	case len(args) > 0:
		req.Transcript = e.resolvePath(args[0])
		return req, nil
	}
	top := cmp.Or(m.Repo().WorkTree, m.Repo().GitDir)
	for _, dir := range slices.Compact(
		[]string{filepath.Join(top, filepath.FromSlash(m.Repo().Prefix)), top}) {
		if p, ok := transcript.Newest(e.homeDir(), e.getenv, dir, req.Host); ok {
			req.Transcript, req.Host = p.Path, p.Format
			e.hint("the newest transcript here is " + p.Path)
			return req, nil
		}
	}
	return req, fmt.Errorf("find a transcript of this directory: %w", errNoTranscript)
}

// errNoTranscript says that no client left one.
var errNoTranscript = errors.New("no client left one")

// draftHelp stands above a draft in the editor.
func draftHelp(e *env, d draft.Draft) string {
	var out strings.Builder
	line := func(text string) { out.WriteString(command.CommentLines(clean.Line(text))) }
	quote := func(text string) { line("| " + text) }
	line("This is left of a session of " + d.Host + ", " + briefing.Age(d.Kept, e.now()) +
		". Rules made it: read it, mend it, and say what they cannot.")
	line("Goal and next step are needed, or the word none. Write instructions, not a log, and what was " +
		"learned, not only what was printed.")
	line("Lines that begin with # are left out. Take everything out to store nothing.")
	if d.Summary != "" {
		line("")
		line("How it ended:")
		for text := range strings.SplitSeq(clean.Text(d.Summary), "\n") {
			quote(text)
		}
	}
	line("")
	line("Where it comes from:")
	for _, pointer := range slices.Sorted(maps.Keys(d.Origins)) {
		quote(pointer + ": " + d.Origins[pointer])
	}
	return out.String() + "\n"
}

// noteFlags are what a command says of a note, a task or a skip, and how that is stored.
type noteFlags struct {
	command.Storing
	command.Note
	packet.Match

	Cite  []string
	Batch bool
}

// checkFlags settles what the flags leave open, and says everything that is wrong with the command line.
func (o *noteFlags) checkFlags(e *env, args []string) error {
	o.Tags = slugTags(e, o.Tags)
	isSkip := o.Kind == string(packet.KindSkip) && len(args) > 0
	wrong := wrongInput(e, o.Prepare(e.now()))
	if o.IsPersonal() && e.userStore == "" && !e.isGiven("private") { // In the user-wide memory nothing is.
		o.Private = true
	}
	wrong = append(storingProblems(e, o.Storing), wrong...)
	said := slices.Concat(args, []string{o.Why, o.Topic, o.Next}, o.Tags, o.Cite, o.Links)
	wrong = append(wrong, checkUTF8(append(said, o.Words, o.Path, o.Command, o.Adds)...))
	err := usage(wrong)
	if refused, ok := errors.AsType[*usageError](err); ok && isSkip && (o.Why == "" || o.Until == "") {
		refused.hint = "the same with"
		if o.Why == "" {
			refused.hint += " --why WHY"
		}
		if o.Until == "" {
			refused.hint += " --until 3d"
		}
		refused.hint += " stores it"
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
	if len(args) == 1 && e.line.Name() == "note" && slices.Contains([]string{"ls", "list", "show", "edit", "rm"}, args[0]) {
		return &usageError{err: fmt.Errorf("%q is no text for a note", args[0]), hint: "'git ltm ls --kind fact' lists facts"}
	}
	if len(args) > 0 && strings.TrimSpace(args[0]) == "" {
		return usagef("the text is empty")
	}
	return withText(ctx, e, args, func(m *memory.Memory, text string) error {
		const most = packet.MaxNoteText
		if o.Text = text; o.Kind != string(packet.KindSkip) && utf8.RuneCountInString(text) > most {
			return usagef("too long: a note holds %d characters; split it, or use 'git ltm save'", most)
		}
		o.Path = git.Below(m.Repo().Prefix, o.Path)
		o.Note.Match = o.Match
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
		e.explainReceipt(ctx, m, receipts[0])
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
	wrong := storingProblems(e, o.Storing)
	for _, flag := range []string{"kind", "impact", "confidence", "why", "topic", "tag", "until", "cite", "link"} {
		wrong.when(e.isGiven(flag), "--batch reads it from the lines: --%s", flag)
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
	reqs := make([]gate.SaveRequest, len(lines))
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
			e.explainReceipt(ctx, m, receipts[i])
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
	if len(receipts) > 1 && !e.forAgent() && e.isTerminal(e.stderr) {
		e.hint("saved; 'git ltm undo' takes all of them back")
	}
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
# One fact that the next session needs, as an instruction and not as a log:
# "Use X because Y", not "discussed X". No secrets, no paths of this machine.
# Lines that begin with # are left out. Leave it empty to store nothing.
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
	if err := usage([]error{checkUTF8(text)}); err != nil {
		return err
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
