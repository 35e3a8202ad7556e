package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// editHelp stands in the editor above a packet.
const editHelp = `# The record as it is. What you save takes its place; the old one stays in
# the history. Lines that begin with # are left out. Leave it as it is to
# change nothing.
`

// editOptions are the flags of edit: what is written anew, and what became of the record.
type editOptions struct {
	eventOptions
	command.Storing
	Text, Goal, Next, Kind, Topic, Confidence, Impact, Digest, SupersededBy, Link, Label, Until string
	Hide, Close, Reopen, Confirm, Wrong, Restore, Share                                         bool
	Tags                                                                                        []string
}

// givenDeeds are what the flags say became of records, and everything that is wrong with that.
func givenDeeds(e *env, o editOptions, ids []string) (
	deeds []command.Deed, happened []gate.Happen, wrong refusals,
) {
	for _, d := range command.Deeds() {
		flag := e.line.Flags().Lookup(cmp.Or(d.Flag, d.Name))
		if flag == nil || !flag.Changed || flag.Value.String() == "false" {
			continue
		}
		said := command.Said{Why: o.Why, Value: o.Label}
		if value := flag.Value.String(); flag.Value.Type() == "string" {
			said.By, said.Until = value, cmp.Or(value, "-")
			if d.Valued {
				said.Value = value
			}
		}
		h, err := d.Happening(ids, said, e.now())
		wrong = append(wrong, wrongInput(e, err)...)
		if d.Ends && err == nil {
			tellEnd(e, o.Until, h.Until)
		}
		deeds, happened = append(deeds, d), append(happened, h)
	}
	return deeds, happened, wrong
}

func runEdit(ctx context.Context, e *env, m *memory.Memory, o editOptions, ids []string) error {
	f := e.line.Flags()
	deeds, happened, wrong := givenDeeds(e, o, ids)
	wrong = append(storingProblems(e, o.Storing), wrong...)
	if len(deeds) == 0 && len(ids) > 1 {
		if len(ids) > 2 || f.Changed("text") {
			return usagef("say the text of one record, once")
		}
		if err := f.Set("text", ids[1]); err != nil {
			return err
		}
	}
	anew := map[string]string{}
	for _, part := range command.EditedMembers {
		if e.isGiven(part.Name) && (part.Name != "why" || len(deeds) == 0) {
			anew[part.Name] = f.Lookup(part.Name).Value.String()
		}
	}
	said := slices.Concat(slices.Collect(maps.Values(anew)), o.Tags)
	wrong = append(wrong, checkUTF8(slices.Concat(said, ids, []string{o.Why, o.Label, o.Digest})...))
	wrong.when(len(deeds) > 0 && (len(said) > 0 || o.Share),
		"change the text and say what became of the record one after the other")
	if err := usage(wrong); err != nil {
		return err
	}
	if len(deeds) > 1 {
		o.before = &reply.Changed{}
	}
	for i, d := range deeds {
		if err := storeDeed(ctx, e, m, d, o.eventOptions, happened[i]); err != nil {
			return err
		}
	}
	switch len(deeds) {
	case 0:
		return rewriteRecord(ctx, e, m, o, ids[0], anew)
	case 1:
		return nil
	}
	return e.printResult(o.before, nil)
}

// rewriteRecord stores a record as the flags say or as the person writes it in the editor, and lets it
// take the place of the old one.
func rewriteRecord(ctx context.Context, e *env, m *memory.Memory, o editOptions, spec string,
	anew map[string]string,
) error {
	found, of, err := m.FindAnyWide(ctx, spec)
	if err != nil {
		return err
	}
	e.fromUser(m, of, found)
	old, err := found.MustOpen(replay.Inspected)
	if err != nil {
		return err
	}
	members, err := command.Editable(old)
	if err != nil {
		return err
	}
	if o.Share && old.Store != replay.OfClone {
		return usagef("record %s is not private to this clone", old.ID)
	}
	o.Private = old.Store == replay.OfClone && !o.Share
	if len(anew) > 0 || len(o.Tags) > 0 || o.Share {
		err := command.ReplaceMembers(members, old.Kind(), anew, slugTags(e, o.Tags))
		if wrong := wrongInput(e, err); wrong != nil {
			return usage(wrong)
		}
		return replaceRecord(ctx, e, of, old, members, o)
	}
	if !e.isTerminal(e.stdin) {
		return usagef("there is no terminal to edit at; --text, --next, --why and the like change a part of it")
	}
	form := command.FormOf(old.Kind())
	return editing{
		file: "EDIT_" + string(old.ID), word: "text", idle: "nothing was changed", again: "the same command",
		start: append([]byte(editHelp), form.Write(members)...),
	}.openEditor(ctx, e, of, func(text []byte) error {
		all, err := form.Read(text, members)
		if err != nil {
			return &usageError{err: err}
		}
		return replaceRecord(ctx, e, of, old, all, o)
	})
}

// replaceRecord stores a record anew, and says so.
func replaceRecord(ctx context.Context, e *env, of *memory.Memory, old replay.Shown,
	members map[string]json.RawMessage, o editOptions,
) error {
	r, change, err := command.Replace(ctx, of, old, members, o.Storing)
	if errors.Is(err, command.ErrUnchanged) {
		e.hint("nothing was changed: " + string(old.ID) + " says that already")
		return nil
	}
	if r.ID != "" {
		e.explainReceipt(ctx, of, r)
	}
	if err != nil {
		return err
	}
	shape := reply.Changed{Change: change, ID: r.ID, Undo: e.undoOf(change.Event, r.ID)}
	e.printf("%s takes the place of %s\n", r.ID, old.ID)
	tellUnheeded(e, change)
	if !e.asJSON {
		e.hintUndo("", change.Event, r.ID)
	}
	return e.printResult(shape, nil)
}

// editing is a text that a person writes in the editor.
type editing struct {
	file, word string // below the directory of git, and what the person calls it
	start      []byte // what the editor opens, unless a text is there that was not stored
	filled     bool   // what it begins with may be stored as it is
	idle       string // what is said where nothing was written
	again      string // what opens the text again that was not stored
	keep       bool   // whatever becomes of it
}

// openEditor lets the person write, and does something with what they wrote, without its comments. What they wrote
// stays in the file until that is done.
func (w editing) openEditor(ctx context.Context, e *env, m *memory.Memory, do func(text []byte) error) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", w.file)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil { //nolint:gosec // As git makes its directories.
		return fmt.Errorf("write %s: %w", w.word, err)
	}
	release, err := local.At(file + ".open").TryLock()
	if errors.Is(err, local.ErrLocked) {
		return usagef("another window has this %s open: finish it there, or give the text as an argument", w.word)
	} else if err != nil {
		return fmt.Errorf("write %s: %w", w.word, err)
	}
	defer func() { _ = release() }()
	if _, err := os.Stat(file); err == nil {
		e.hint("this continues the " + w.word + " that was not stored")
	} else if err := os.WriteFile(file, w.start, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", w.word, err)
	}
	streams := git.Streams{In: e.stdin, Out: e.stdout, Err: e.stderr}
	if err := git.Edit(ctx, e.dir, e.vars, streams, file); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", w.word, err)
	}
	comment := regexp.MustCompile(`(?m)^#.*\n?`)
	text = comment.ReplaceAll(text, nil)
	said := bytes.TrimSpace(text)
	same := !w.filled && bytes.Equal(said, bytes.TrimSpace(comment.ReplaceAll(w.start, nil)))
	if len(said) == 0 || same {
		e.hint(w.idle)
		return os.Remove(file)
	}
	if err = usage([]error{checkUTF8(string(text))}); err == nil {
		err = do(text)
	}
	if err != nil {
		e.hint("your text is kept in " + file + "; " + w.again + " opens it again")
		return err
	}
	if w.keep {
		return nil
	}
	return os.Remove(file)
}

// templateHelp stands above the form in the editor. Lines that begin with a number sign are left out of it.
const templateHelp = `# What the next session needs to go on. Fill in what you know: only the goal
# and the next step are needed. Write instructions, not a log: "Use JWT with a
# one hour expiry", not "discussed authentication". No secrets. Lines that
# begin with # are left out. Leave all as it is to store nothing.

`

// saveEdited lets the person write the packet, in a form with what their own thread of this branch holds to.
func saveEdited(ctx context.Context, e *env, m *memory.Memory, o saveOptions) error {
	members := map[string]json.RawMessage{}
	chosen, err := m.Threads().Choose(ctx, replay.Asked)
	switch {
	case errors.Is(err, replay.ErrNotFound) || errors.Is(err, replay.ErrWithheld):
	case err != nil:
		return err
	case chosen.Own && !chosen.Life.Closed:
		shown, _ := chosen.Open(replay.Asked)
		p := shown.Packet()
		for name, texts := range map[string][]string{
			"constraints": p.Constraints, "open_questions": p.OpenQuestions, "tags": p.Tags,
		} {
			members[name], _ = json.Marshal(texts) //nolint:errchkjson // Strings.
		}
	}
	return editing{
		file: "EDIT_PACKET", word: "draft", idle: "nothing was written, so nothing was stored",
		again: "'git ltm save'", keep: o.DryRun,
		start: append([]byte(templateHelp), command.FormOf(packet.KindPacket).Write(members)...),
	}.openEditor(ctx, e, m, func(text []byte) error {
		data, err := fillPacket(text, nil)
		if err == nil {
			err = saveData(ctx, e, m, o, nil, data)
		}
		return err
	})
}

// fillPacket is the packet that a person wrote into a form, as JSON. JSON is taken as it is,
// whatever is wrong
// with it.
func fillPacket(text []byte, members map[string]json.RawMessage) ([]byte, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return text, nil
	}
	all, err := command.FormOf(packet.KindPacket).Read(text, members)
	if err != nil {
		return nil, &usageError{err: err}
	}
	return json.Marshal(all)
}

// eventOptions are the flags of the commands that say what became of records.
type eventOptions struct {
	Why            string
	Purge, Yes, GC bool

	before *reply.Changed // what was changed before, where this is one of several changes
}

// runRemove retracts records, or purges them.
func runRemove(ctx context.Context, e *env, m *memory.Memory, o eventOptions, args []string) error {
	retract := command.DeedOf("retract")
	h, err := retract.Happening(args, command.Said{Why: o.Why}, e.now())
	if err == nil {
		err = checkUTF8(append(args, o.Why)...)
	}
	if err != nil {
		return &usageError{err: err}
	}
	if o.Purge {
		purging := purgeOptions{Reason: replay.ReasonOther, Yes: o.Yes, GC: o.GC, forGood: true}
		return purgeRecords(ctx, e, m, purging, args)
	}
	return storeDeed(ctx, e, m, retract, o, h)
}

// storeDeed stores what happened and says so.
func storeDeed(
	ctx context.Context, e *env, m *memory.Memory, d command.Deed, o eventOptions, h gate.Happen,
) error {
	c, of, err := d.Store(ctx, m, h, e.now())
	err = tellPlace(e, m, of, c, err)
	if err == nil && h.Value == "critical" {
		e.hint("other clones heed it where they trust your signature")
	}
	if err == nil && d.Event == "confirm" {
		for _, id := range c.Changed {
			if found, _, err := of.FindAnyWide(ctx, string(id)); err == nil && found.Life.Hidden() {
				e.hintf("%s stays out of lists: it was retracted, replaced or has ended; 'git ltm show %[1]s' "+
					"says more", id)
			}
		}
	}
	err = tellChange(e, o, c, err, d.Did, d.Already)
	if err == nil && d.Event == "retract" {
		tellTextStays(e, c)
	}
	return err
}

// tellTextStays says how the text of what was retracted goes.
func tellTextStays(e *env, c gate.Change) {
	if len(c.Changed) > 0 && !e.forAgent() {
		e.hint(e.aimCommands("the text stays in the repository; to remove it for good: git ltm rm --purge " +
			briefing.ShortID(c.Changed[0])))
	}
}

// storeEvent stores an event about records of the repository, and where it has none of them, of the
// user-wide memory. What is changed lies in one memory, or nothing is changed.
func storeEvent(ctx context.Context, e *env, m *memory.Memory, h gate.Happen) (gate.Change, error) {
	c, of, err := m.HappenWide(ctx, h)
	return c, tellPlace(e, m, of, c, err)
}

// tellPlace says that the records that were changed are of the user-wide memory, or that other clones made
// them, which do not take the change as it is.
func tellPlace(e *env, m, of *memory.Memory, c gate.Change, err error) error {
	if of != m {
		e.hint("this repository has no such record; your user-wide memory has")
	}
	if err != nil {
		return err
	}
	tellUnheeded(e, c)
	return nil
}

// tellUnheeded says of what waits in other clones how it takes effect there.
func tellUnheeded(e *env, c gate.Change) {
	if len(c.Unheeded) > 0 {
		e.hintf("it holds here; others are shown it as what you ask for, until they accept it or trust the key "+
			"that signs it: git ltm sign %s; %s", c.Event, command.UnsignedMay)
	}
}

// waitedFor names whose say a change waits for.
func waitedFor(e *env, c gate.Change, ids ...packet.ID) string {
	var names []string
	for _, w := range c.Unheeded {
		if w.By != "" && (len(ids) == 0 || slices.Contains(ids, w.ID)) {
			names = append(names, w.By)
		}
	}
	return cmp.Or(joinNames(e, names), "its author")
}

// tellChange prints what an event did, or returns why there is none. Where several events were
// stored, they are named.
func tellChange(e *env, o eventOptions, c gate.Change, err error, did, already string,
	stored ...packet.ID,
) error {
	if err != nil {
		return err
	}
	for _, id := range c.Already {
		dropped := ""
		if o.Why != "" {
			dropped = ", and the reason was not stored"
		}
		e.warnf("record %s is not changed: it is %s%s", id, already, dropped)
	}
	if len(stored) == 0 && c.Event != "" {
		stored = append(stored, c.Event)
	}
	shape := reply.Changed{Change: c, Undo: e.undoOf(stored...)}
	if o.before != nil { // Several changes are one answer.
		for _, id := range o.before.Changed {
			if !slices.Contains(shape.Changed, id) {
				shape.Changed = append(shape.Changed, id)
			}
		}
		shape.Already = append(shape.Already, o.before.Already...)
		*o.before = shape
	} else if e.asJSON {
		return e.printJSON(shape)
	}
	for _, id := range c.Changed {
		waits := ""
		if slices.ContainsFunc(c.Unheeded, func(w gate.Waiting) bool { return w.ID == id }) {
			waits = " here alone; it waits for " + waitedFor(e, c, id)
		}
		e.printf("%s %s%s\n", did, id, waits)
	}
	e.hintUndo("", stored...)
	return nil
}

// undoOf is the command that takes back what was stored under some ids. Agents are given none:
// nobody asked them to take it back.
func (e *env) undoOf(ids ...packet.ID) string {
	if len(ids) == 0 || e.forAgent() {
		return ""
	}
	command := "git ltm undo"
	if e.userStore != "" {
		command = "git ltm --user undo"
	}
	for _, id := range ids {
		command += " " + briefing.ShortID(id)
	}
	return command
}

// forAgent reports whether an agent runs the command, in its shell.
func (e *env) forAgent() bool {
	_, inShell := agent.InShellOf(e.getenv)
	_, _, inSession := agent.SessionIn(e.getenv)
	return inShell || inSession
}

// hintUndo says to the person at the terminal how to take back what was stored under some ids.
func (e *env) hintUndo(done string, ids ...packet.ID) {
	if undo := e.undoOf(ids...); undo != "" && e.isTerminal(e.stderr) {
		e.hint(done + "'" + undo + "' takes it back")
	}
}

// runUndo takes back the changes that are named, or the newest that this clone made and that still stands.
func runUndo(ctx context.Context, e *env, m *memory.Memory, o eventOptions, args []string) error {
	if err := checkUTF8(append(args, o.Why)...); err != nil {
		return &usageError{err: err}
	}
	if len(args) > 0 {
		return undoNamed(ctx, e, m, o, args)
	}
	last, undo, err := command.NewestChange(ctx, m, e.now())
	if err != nil {
		return err
	}
	claim, at, err := m.Arrivals().LastAccepted()
	if err != nil {
		return err
	}
	var accepted []packet.ID
	told := ""
	if at.After(last.At) {
		found, err := m.FindAny(ctx, string(claim))
		if event, why := found.Open(replay.Inspected); err == nil && why == "" {
			last, undo, accepted, told = event.Happening(), gate.Happen{}, []packet.ID{claim}, youAccepted
		}
	}
	switch last.What {
	case "":
		return fmt.Errorf("a change that was made in this clone: %w", replay.ErrNotFound)
	case replay.PurgeEvent:
		return usagef("the newest change is a purge of %s, which cannot be undone; 'git ltm undo ID' "+
			"reverts an older one", clean.Line(command.Subject(last)))
	case replay.AllowEvent, replay.DisallowEvent:
		return fmt.Errorf("the newest change of %s: %w", clean.Line(command.Subject(last)), gate.ErrAllowance)
	}
	e.hint("the newest change here: " + told + describeChange(e, last))
	if e.canAsk() && !o.Yes && e.askPerson("Revert it? [y/N] ") != 'y' {
		e.hint("nothing was changed")
		return nil
	}
	return revertEvents(ctx, e, m, o, accepted, undo)
}

// undoNamed takes back events, and of records what this clone did to them last. It says what that was, and
// whose.
func undoNamed(ctx context.Context, e *env, m *memory.Memory, o eventOptions, specs []string) error {
	var events, saved []string
	var accepted []packet.ID
	for _, spec := range specs {
		found, of, err := m.FindAnyWide(ctx, spec)
		if err != nil {
			events = append(events, spec) // Whatever is wrong with it is said when it is taken back.
			continue
		}
		if found.Kind() == packet.KindEvent {
			told := ""
			if of.Arrivals().AcceptedAt(found.ID).IsZero() {
				events = append(events, string(found.ID))
			} else {
				told, accepted = youAccepted, append(accepted, found.ID)
			}
			if event, why := found.Open(replay.Asked); why == "" {
				e.hint("the change that you name: " + told + describeEvent(e, event))
			}
			continue
		}
		about, err := of.History(ctx, found.ID)
		if err != nil {
			return err
		}
		own, others, err := lastStanding(ctx, of, about)
		switch {
		case err != nil:
			return err
		case own != nil && !own.Made:
			e.hint("the last change of it here: " + youAccepted + describeEvent(e, *own))
			accepted = append(accepted, own.ID)
		case own != nil:
			e.hint("the last change of it here: " + describeEvent(e, *own))
			events = append(events, string(own.ID))
		case others != nil && (found.Life.Closed || found.Life.Resting()):
			return fmt.Errorf("a change of %s that was made in this clone: %w; others made: %s; 'git ltm "+
				"undo %s' reverts that",
				found.ID, replay.ErrNotFound, describeEvent(e, *others), others.ID)
		default:
			saved = append(saved, string(found.ID))
		}
	}
	return revertEvents(ctx, e, m, o, accepted, gate.Happen{Event: replay.UndoEvent, Targets: events},
		gate.Happen{Event: "retract", Targets: saved})
}

// youAccepted begins what is said of a change that somebody else made.
const youAccepted = "you accepted "

// lastStanding are the last of some events that nothing took back: of those that this clone made or accepted
// later, and of what others made that hides or ends a record.
func lastStanding(ctx context.Context, m *memory.Memory,
	about []replay.Shown,
) (own, others *replay.Shown, err error) {
	var accepted *replay.Shown
	var when time.Time
	for _, event := range about {
		if at := m.Arrivals().AcceptedAt(event.ID); at.After(when) {
			accepted, when = &event, at
		}
	}
	for _, event := range slices.Backward(about) {
		if accepted != nil && !event.CreatedAt().After(when) {
			return accepted, nil, nil
		}
		if !event.Made && (others != nil || !replay.Hides(event.EventKind())) {
			continue
		}
		undone, err := m.Undone(ctx, event.ID)
		switch {
		case err != nil:
			return nil, nil, err
		case undone, command.IsKeptByEdit(event.Event().Why):
		case event.Made:
			return &event, nil, nil
		default:
			others = &event
		}
	}
	return nil, others, nil
}

// describeEvent says what an event did, to what, by whom and when.
func describeEvent(e *env, s replay.Shown) string {
	told := describeChange(e, s.Happening())
	if s.Made {
		return told
	}
	return told + " (" + string(s.Verdict.Standing) + ", not made in this clone)"
}

// titleOf is what a record says first, in quotes; nothing where it cannot be read, or is an event.
func titleOf(ctx context.Context, m *memory.Memory, id string) string {
	found, _, err := m.FindAnyWide(ctx, id)
	shown, why := found.Open(replay.Inspected)
	if err != nil || why != "" || shown.Kind() == packet.KindEvent {
		return ""
	}
	const most = 60
	return `"` + clean.TruncateWith(reply.GistOf(shown).Line(), most, "...") + `"`
}

// describeChange says what was done, to what, by whom and when.
func describeChange(e *env, h replay.Happening) string {
	text := reply.EventWord(clean.Line(h.What))
	var of []string
	for _, target := range h.Targets {
		of = append(of, briefing.ShortID(packet.ID(clean.Line(target))))
	}
	text += " " + strings.Join(of[:min(3, len(of))], " ")
	if more := len(of) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	text += " by " + clean.Line(h.Why.Origin().By()) + ", " +
		briefing.Age(h.At, e.now())
	if why := command.WhyOf(h); why != "" {
		text += ": " + why
	}
	return text
}

// mostTargets is how many records one event is about at most; a batch may be more.
const mostTargets = 64

// revertEvents stores what takes changes back, as far as there is something to, and lets claims that were accepted
// wait again.
func revertEvents(ctx context.Context, e *env, m *memory.Memory, o eventOptions, accepted []packet.ID,
	undo ...gate.Happen,
) error {
	var all gate.Change
	var stored []packet.ID
	for _, id := range accepted { // No event was stored of the answer.
		if err := m.Arrivals().Unaccept(id); err != nil {
			return err
		}
		all.Changed = append(all.Changed, id)
	}
	for _, h := range undo {
		if h.Why = o.Why; h.Event != replay.UndoEvent {
			h.Why = command.UndoneWhy(o.Why)
		}
		for targets := range slices.Chunk(h.Targets, mostTargets) {
			h.Targets = targets
			c, err := storeEvent(ctx, e, m, h)
			if err != nil {
				return err
			}
			if h.Event == "retract" && len(all.Changed) == len(accepted) {
				tellTextStays(e, c)
			}
			all.Changed, all.Already = append(all.Changed, c.Changed...), append(all.Already, c.Already...)
			if c.Event != "" {
				stored, all.Event = append(stored, c.Event), c.Event
			}
		}
	}
	return tellChange(e, o, all, nil, "undone", "undone already", stored...)
}
