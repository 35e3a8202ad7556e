package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type consolidateOptions struct {
	Apply, DryRun bool
	Text, Why     string

	replace bool // text takes the place of the draft
}

func runConsolidate(ctx context.Context, e *env, m *memory.Memory,
	o consolidateOptions, args []string,
) error {
	o.replace = e.isGiven("text")
	var wrong refusals
	wrong.when(o.Apply && len(args) == 0, "--apply takes the keys of the groups, as 'git ltm consolidate' shows them")
	wrong.when(!o.Apply && len(args) > 0, "groups are named with --apply")
	wrong.when(!o.Apply && (o.replace || o.Why != ""), "--text and --why go with --apply")
	wrong.when(o.replace && len(args) != 1, "--text goes with one group")
	wrong.when(o.replace && o.Text == "", "--text says nothing")
	if err := usage(append(wrong, checkUTF8(o.Text, o.Why))); err != nil {
		return err
	}
	bed, err := recall.Cards(ctx, m)
	if err != nil {
		return err
	}
	groups := command.GroupsOf(bed)
	if !o.Apply {
		return showGroups(e, groups, bed)
	}
	chosen, err := command.ChooseGroups(groups, args)
	if err != nil {
		return err
	}
	var done []command.Group
	for _, g := range chosen { // What was done before one fails stays done, and is told.
		one, err := applyGroup(ctx, e, m, bed, g, o)
		if err != nil {
			return errors.Join(fmt.Errorf("group %s: %w", g.Key, err), printMerged(e, done, o))
		}
		done = append(done, one)
	}
	return printMerged(e, done, o)
}

// showGroups prints the groups, and tells what could be done with them.
func showGroups(e *env, groups []command.NoteGroup, bed recall.Bed) error {
	if bed.Unknowns > 0 {
		e.hintf("notes that are not trusted here are left out: %d", bed.Unknowns)
	}
	if len(groups) == 0 {
		e.hint("no notes could be put together")
	}
	var all []command.Group
	free := ""
	for _, g := range groups {
		all = append(all, g.Shape())
		e.print(groupText(e, g))
		if g.Conflict == "" && free == "" {
			free = g.Key
		}
	}
	if free != "" && !e.asJSON {
		e.hint("'git ltm consolidate --apply " + free +
			"' puts the first of them together; --text says it in other words")
	}
	return e.printResult(all, nil)
}

// groupText is a group for a person.
func groupText(e *env, g command.NoteGroup) string {
	var text strings.Builder
	fmt.Fprintf(&text, "group %s: %d notes, tags %s\n", g.Key, len(g.Cards), strings.Join(g.Tags, " "))
	for _, c := range g.Cards {
		fmt.Fprintf(&text, "  %s  %s: %s\n", c.ID, c.Kind, e.printable(c.Text))
	}
	if g.Conflict != "" {
		fmt.Fprintf(&text, "  conflict: %s\n\n", e.printable(g.Conflict))
		return text.String()
	}
	fmt.Fprintf(&text, "  as one %s:\n%s", g.Draft.Kind, indentText(e, g.Draft.Text))
	if g.Draft.Why != "" {
		fmt.Fprintf(&text, "  why:\n%s", indentText(e, g.Draft.Why))
	}
	for _, s := range g.Draft.LeftOut {
		fmt.Fprintf(&text, "  no room for: %s\n", e.printable(s))
	}
	return text.String() + "\n"
}

// indentText is a text of several lines, made fit for a terminal.
func indentText(e *env, text string) string {
	var lines strings.Builder
	for line := range strings.Lines(e.rules.Public(text)) { // A secret may be broken over lines.
		lines.WriteString("    " + e.printable(line) + "\n")
	}
	return lines.String()
}

// applyGroup stores the note that stands in place of a group, and then the event that says so: whoever dies
// in between leaves one note too many and none too few.
func applyGroup(ctx context.Context, e *env, m *memory.Memory, bed recall.Bed, g command.NoteGroup,
	o consolidateOptions,
) (command.Group, error) {
	sources := make([]replay.Shown, len(g.Cards))
	one := command.Group{Group: g.Key, DryRun: o.DryRun}
	for i, c := range g.Cards {
		sources[i] = bed.Entries[c.ID]
		one.Sources = append(one.Sources, sources[i].ID)
	}
	note := command.NoteOf(g, sources, o.Text)
	before, begun := command.Begun(bed, note)
	if one.ID = before; !begun {
		if left := command.AddCites(&note, sources); left > 0 {
			e.hintf("there is no room for so many of the places that the sources cite: %d", left)
		}
		data, err := json.Marshal(note)
		if err != nil {
			return one, err
		}
		req := gate.SaveRequest{Data: data, DryRun: o.DryRun}
		if sources[0].Store == replay.OfClone {
			req.Reach = replay.Private
		}
		receipt, err := m.SaveSmall(ctx, req)
		if err != nil {
			return one, err
		}
		e.explainReceipt(ctx, m, receipt)
		one.ID = receipt.ID
	}
	if o.DryRun {
		return one, nil
	}
	c, err := m.Happen(ctx,
		gate.Happen{Event: "consolidate", Targets: note.Links, By: []string{string(one.ID)}, Why: o.Why})
	if err != nil {
		e.hintf("note %s is stored, and its sources still count; the same command goes on from there", one.ID)
		return one, err
	}
	one.Event = c.Event
	recall.Inherit(m, one.ID, one.Sources)
	return one, nil
}

// printMerged prints the new notes, and how each is taken back.
func printMerged(e *env, done []command.Group, o consolidateOptions) error {
	for _, one := range done {
		if !o.DryRun {
			e.hintf("'git ltm undo %s' brings the %d sources back; 'git ltm rm %s' then takes the new note out",
				one.Event, len(one.Sources), one.ID)
		}
		e.println(one.ID)
	}
	return e.printResult(done, nil)
}

// lintPackets is how many packets are looked at for the newest of each branch.
const lintPackets = 200

// errAdvice says that there is advice, to whoever asked for an exit code.
var errAdvice = errors.New("there is advice")

type lintOptions struct{ ExitCode bool }

// runLint gives advice on the records that are named, or of each kind on those that count, and of packets on the
// newest of each branch.
func runLint(ctx context.Context, e *env, m *memory.Memory, o lintOptions, specs []string) error {
	found, err := findLinted(ctx, m, specs)
	if err != nil {
		return err
	}
	var advice []command.Advice
	for _, entry := range found {
		shown, _ := entry.Open(replay.Inspected)
		for _, a := range garden.Lint(shown.Content()) {
			one := command.Advice{ID: string(entry.ID), Place: a.Place, Rule: a.Rule, Text: a.Text}
			advice = append(advice, one)
			e.println(e.printable(fmt.Sprintf("%s %s: %s: %s", one.ID, one.Place, one.Rule, one.Text)))
		}
	}
	if !e.asJSON {
		e.hintf("records looked at: %d, pieces of advice: %d", len(found), len(advice))
	}
	err = e.printResult(advice, nil)
	if err == nil && o.ExitCode && len(advice) > 0 {
		err = errAdvice
	}
	return err
}

func findLinted(ctx context.Context, m *memory.Memory, specs []string) (found []replay.Entry, err error) {
	if len(specs) > 0 {
		var missing []error
		for _, spec := range specs {
			entry, _, err := m.FindAnyWide(ctx, spec)
			found, missing = append(found, entry), append(missing, err)
		}
		return found, errors.Join(missing...)
	}
	for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
		branches, seen := map[string]bool{}, 0
		for entry, err := range m.List(ctx, replay.Query{Kind: kind}) {
			if err != nil {
				return nil, err
			}
			if seen++; kind == packet.KindPacket && seen > lintPackets {
				break
			}
			shown, _ := entry.Open(replay.Inspected)
			branch := shown.Content().Anchor.Branch
			if entry.Life.Resting() || kind == packet.KindPacket && branches[branch] {
				continue
			}
			branches[branch] = true
			found = append(found, entry)
		}
	}
	return found, nil
}

type compactOptions struct {
	OlderThan     string
	Keep          int
	DryRun, Local bool
}

func runCompact(ctx context.Context, e *env, m *memory.Memory, o compactOptions, _ []string) error {
	age, ok := reply.ParseLength(o.OlderThan)
	var wrong refusals
	wrong.when(!ok, "--older-than is a number of days or hours, as 30d or 12h")
	wrong.when(o.Keep < 0, "--keep is a number of records")
	if err := usage(wrong); err != nil {
		return err
	}
	req := memory.CompactRequest{OlderThan: age, Keep: o.Keep, DryRun: o.DryRun}
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(m.Repo(), config)
	if errors.Is(err, remote.ErrNone) {
		name, err = "", nil
	}
	if err == nil && name != "" {
		req.Seen, err = remote.Seen(ctx, m, name)
	}
	if err != nil {
		return err
	}
	done, err := m.Compact(ctx, req)
	if err != nil {
		return err
	}
	var there remote.Outcome
	if !o.Local && !o.DryRun && name != "" {
		there, err = thinRemote(ctx, e, m, name)
	}
	return errors.Join(err, tellCompacted(e, done, there, o))
}

// tellCompacted says what was moved here and went there.
func tellCompacted(e *env, done memory.Compacted, there remote.Outcome, o compactOptions) error {
	if e.asJSON {
		return e.printJSON(command.Compaction{Compacted: done, Deleted: len(there.Deleted), DryRun: o.DryRun})
	}
	if done.Left > 0 {
		e.warnf("%s: left where it was, because it cannot be read or contradicts what the archive holds; "+
			"look with 'git ltm check'", command.Counted(done.Left, "record"))
	}
	tellKept(e, there)
	text := "nothing to compact"
	if len(done.Records)+done.Signatures > 0 {
		what := remote.CountRefs(len(done.Records), done.Changes)
		if done.Signatures > 0 {
			what += " and " + command.Counted(done.Signatures, "later signature")
		}
		if text = "would move " + what; !o.DryRun {
			text = "moved " + what + " into " + strings.Join(done.Archives, ", ")
		}
	}
	if done.Unsent > 0 {
		text += fmt.Sprintf("; %s not sent yet: run 'git ltm sync' and compact again",
			remote.CountRefs(done.Unsent, done.UnsentChanges))
	}
	if n := len(there.Deleted); n > 0 {
		text += fmt.Sprintf("; %s of them gone from %s, which has the archive", command.Counted(n, "ref"),
			e.printable(there.Remote))
	}
	e.println(text)
	return nil
}

// thinRemote sends the archives to a remote, and takes the refs out there whose records they hold. Where it
// holds no memory yet, there is nothing to do.
func thinRemote(ctx context.Context, e *env, m *memory.Memory, name string) (remote.Outcome, error) {
	p := e.progress("refs")
	patience, err := awaitRemote(ctx, e, m, name, p)
	if err != nil {
		return remote.Outcome{}, err
	}
	out, err := remote.Sync(ctx, m,
		remote.Request{Remote: name, Way: remote.Archive, Progress: p.stage, Patience: patience})
	p.end()
	if err == nil && len(out.Withheld) > 0 {
		for _, w := range out.Withheld {
			e.warnf("%s: %s", e.printable(w.Ref), strings.Join(printables(e, w.Why), "; "))
		}
		err = fmt.Errorf("%s: %w", name, errWithheld)
	}
	if err != nil {
		e.warnf("the records are archived here, and %s still lists refs of them: run 'git ltm compact' again",
			e.printable(name))
	}
	return out, err
}

type purgeOptions struct {
	Reason              string
	Yes, Local, GC      bool
	DryRun              bool
	Accept, Refuse, All bool
	forGood             bool // it was asked for as rm --purge
}

func runPurge(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, args []string) error {
	if o.DryRun && (o.Accept || o.Refuse || o.All) {
		return usagef("--dry-run shows what a purge of IDs would do; 'git ltm status' lists those that wait")
	}
	if o.Accept || o.Refuse || o.All {
		return answerPurges(ctx, e, m, o, args)
	}
	var wrong refusals
	wrong.when(len(args) == 0, "an ID is missing")
	wrong.when(!slices.Contains(replay.Reasons(), o.Reason), "--reason is one of %s", strings.Join(replay.Reasons(), ", "))
	if err := usage(wrong); err != nil {
		return err
	}
	return purgeRecords(ctx, e, m, o, args)
}

// purgeRecords removes records here, and then on the remote.
func purgeRecords(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, specs []string) error {
	for _, spec := range specs { // A tombstone reaches neither the user-wide memory nor a draft, and tells others.
		_, holder, err := m.FindAnyWide(ctx, spec)
		if err == nil && holder != m {
			return usagef("record %s lies in your user-wide memory: git ltm --user purge %s", spec, spec)
		}
		if draft, failed := m.Drafts().Named(ctx, spec); failed == nil && errors.Is(err, replay.ErrNotFound) {
			return usagef("%s is a draft, which never left this clone: git ltm distill --drop %s", draft, draft)
		}
		if _, short := packet.ParseID(strings.ToUpper(spec)); short != nil && errors.Is(err, replay.ErrNotFound) {
			return err // A whole id may be purged before it comes.
		}
	}
	if o.DryRun {
		return rehearsePurge(ctx, e, m, o, specs)
	}
	if !o.Yes && !e.canAsk() {
		again := "git ltm purge --yes "
		if o.forGood {
			again = "git ltm rm --purge --yes "
		}
		return &usageError{
			err:  errors.New("purge cannot be undone: say --yes"),
			hint: e.printable(e.aimCommands(again+strings.Join(specs, " "))) + ", or hide it with 'git ltm rm'",
		}
	}
	if !o.Yes {
		var named []string
		for _, spec := range specs {
			named = append(named, e.printable(strings.TrimSpace(spec+" "+titleOf(ctx, m, spec))))
		}
		if e.askPerson("Remove "+strings.Join(named, ", ")+
			" for good, here and on the remote? It cannot be undone. [y/N] ") != 'y' { // Who is asked may take it back until then.
			e.hint("nothing was purged")
			return nil
		}
	}
	before, err := m.Fold(ctx)
	if err != nil {
		return err
	}
	done, err := m.Purges().Purge(ctx, specs, o.Reason)
	if err != nil {
		return err
	}
	after, err := m.Fold(ctx)
	if err != nil {
		return err
	}
	warnRevived(e, before, after, done)
	warnOdd(e, done)
	if n := len(done.About); n > 0 {
		e.hint(command.Counted(n, "event") + " that spoke of nothing else went with it")
	}
	return finishPurge(ctx, e, m, o, done)
}

// warnOdd names the records of which nothing is here, or nothing any more.
func warnOdd(e *env, done purge.Outcome) {
	for _, id := range done.Already {
		e.warnf("record %s was purged before", id)
	}
	for _, id := range done.Unknown {
		e.warnf("no record %s is here; the tombstone keeps it out from now on", id)
	}
}

// rehearsePurge says what a purge would remove here, and what the remote was last seen to hold of it.
func rehearsePurge(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, specs []string) error {
	would, err := m.Purges().Preview(ctx, specs)
	if err != nil {
		return err
	}
	warnOdd(e, would)
	printEach(e, "would purge", would.Purged)
	for _, ref := range would.Refs {
		e.printf("  here  %s\n", ref)
	}
	if n := len(would.About); n > 0 {
		e.hint(command.Counted(n, "event") + " that spoke of nothing else would go with it")
	}
	shape := command.Purged{Outcome: would, Events: len(would.About), DryRun: true}
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(m.Repo(), config)
	if none, ok := errors.AsType[*remote.NoDefaultError](err); o.Local || ok && len(none.Remotes) == 0 {
		return e.printResult(shape, nil)
	}
	if err != nil {
		return err
	}
	there, err := remote.NamedThere(ctx, m, name, slices.Concat(would.Purged, would.Already, would.About))
	told := exchangedOf(e, remote.Outcome{Remote: name, Deleted: there}, syncOptions{DryRun: true})
	for _, ref := range there {
		e.printf("  %s  %s\n", told.Remote, ref)
	}
	e.hintf("%s was not asked, so this is what it was last seen to hold; clones that fetched a record, and forks, "+
		"are not listed", told.Remote)
	shape.Remotes = append(shape.Remotes, told)
	return e.printResult(shape, err)
}

// purgeGarbage is how many percent of what a purge holds may pile up before it is collected: it gathers a part
// of the index to write that anew.
const purgeGarbage = 16

// finishPurge does on the remote what was done here, and says what became of the records.
func finishPurge(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, done purge.Outcome) error {
	debug.SetGCPercent(purgeGarbage)
	forgetErased(ctx, e, m)
	printEach(e, "purged", done.Purged)
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(m.Repo(), config)
	if none, ok := errors.AsType[*remote.NoDefaultError](err); o.Local || ok && len(none.Remotes) == 0 {
		err = nil // Nobody asked for the remote, or there is none.
	}
	var there []command.Exchanged
	if err == nil && name != "" && !o.Local {
		there, err = exchangeAll(ctx, e, m, syncOptions{way: remote.Forget}, []string{name})
	}
	if err != nil {
		e.warnf("it is purged here, and the remote may still hold it: run 'git ltm sync' until that says " +
			"it is deleted")
	}
	if !o.GC && len(done.Refs) > 0 {
		e.hint("the bytes lie in this repository until git collects them: 'git gc --prune=now', or --gc")
	}
	if o.Reason == replay.ReasonSecret || o.forGood {
		e.hint("change the secret, if it was one: whoever fetched it has it, and hosts may hand it " +
			"out by its hash for some time")
	}
	tellHeirs(e, done.Heirs)
	if n, err := m.Drafts().Count(ctx); err == nil && n > 0 {
		e.hintf("%s of sessions here may say the same: 'git ltm distill --list', and --drop ID",
			command.Counted(n, "draft"))
	}
	if name != "" {
		mend := "ask who runs it to do that"
		if url, _ := config.Get("remote." + name + ".url"); filepath.IsAbs(url) {
			mend = "git -C " + url + " gc --prune=now"
		}
		e.hint("the bytes lie on " + name + " until it collects them, too: " + mend)
		e.hint(e.aimCommands("every other clone keeps its copy until its next 'git ltm sync', and the bytes " +
			"until 'git gc --prune=now' there: tell whoever has one"))
	}
	if there, err := remote.PurgedThere(ctx, m, config.Remotes()); err == nil && len(there) > 0 {
		e.warnf("as far as was seen, it is still on %s: 'git ltm sync --all' deletes it there",
			e.printable(strings.Join(slices.Sorted(maps.Keys(there)), ", ")))
	}
	if o.GC {
		err = errors.Join(err, collectBytes(ctx, e, m))
	}
	if o.forGood { // As rm says it.
		change := gate.Change{Changed: done.Purged, Already: done.Already}
		return e.printResult(reply.Changed{Change: change}, err)
	}
	return e.printResult(command.Purged{Outcome: done, Events: len(done.About), Remotes: there}, err)
}

// warnRevived names the records in whose place what was purged stood: with it goes the event that hid them.
func warnRevived(e *env, before, after *replay.State, done purge.Outcome) {
	for _, id := range slices.Sorted(maps.Keys(before.Lives)) {
		life := before.Lives[id]
		if !slices.Contains(done.Purged, life.Superseded) || slices.Contains(done.Purged, id) || life.Retracted {
			continue
		}
		short, gone := briefing.ShortID(id), briefing.ShortID(life.Superseded)
		if after.Lives[id].Retracted {
			e.hintf("record %s, an edit of %s that was undone, stays hidden: 'git ltm rm --purge %s' removes it",
				short, gone, short)
			continue
		}
		e.warnf("record %s is shown again, as %s stood in its place: 'git ltm rm %s' hides it, 'git ltm rm --purge %s' "+
			"removes it", short, gone, short, short)
	}
}

// collectBytes drops the bytes, and tells where they may lie still.
func collectBytes(ctx context.Context, e *env, m *memory.Memory) error {
	if err := m.Purges().Collect(ctx); err != nil {
		return err
	}
	left, err := m.Repo().Uncollected()
	if err != nil {
		return err
	}
	for _, lender := range left.Lenders {
		e.warnf("this repository borrows objects of %s: what lies there stays until it is purged there too",
			lender)
	}
	if left.Promised {
		e.warnf("git keeps all that 'git fetch' brought into a partial clone: what came that way goes " +
			"with the clone, and not before")
	}
	return nil
}

// readAnswer puts a question to the person at the terminal, and returns the line that they type; nothing where there
// is none.
func (e *env) readAnswer(question string) string {
	_, _ = fmt.Fprint(e.stderr, question)
	answered := make(chan string, 1)
	go func() { // An interrupt leaves the read behind, and the process is about to end.
		answer, _ := bufio.NewReader(e.stdin).ReadString('\n')
		answered <- answer
	}()
	ctx := e.line.Context()
	select {
	case answer := <-answered:
		return answer
	case <-ctx.Done():
		_, _ = fmt.Fprintln(e.stderr)
		e.unanswered = ctx.Err()
		return ""
	}
}

// askPerson returns y for yes, n for no, and 0 for anything else: who answers nothing has not agreed.
func (e *env) askPerson(question string) byte {
	switch strings.ToLower(strings.TrimSpace(e.readAnswer(question))) {
	case "y", "yes":
		return 'y'
	case "n", "no":
		return 'n'
	}
	return 0
}

// answerPurges removes or brings back what waits in quarantine.
func answerPurges(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, specs []string) error {
	if o.Accept == o.Refuse || o.All == (len(specs) > 0) {
		return usagef("either --accept or --refuse, and then either IDs or --all")
	}
	if o.Refuse {
		back, err := m.Purges().RefusePurges(ctx, specs)
		if err != nil {
			return err
		}
		printEach(e, "kept", back)
		if len(back) > 0 {
			e.hint("'git ltm sync' sends it again")
		}
		return e.printResult(command.Purged{Kept: back}, nil)
	}
	done, err := m.Purges().AcceptPurges(ctx, specs)
	if err != nil || len(done.Purged) == 0 {
		return e.printResult(command.Purged{Outcome: done, Events: len(done.About)}, err)
	}
	return finishPurge(ctx, e, m, o, done)
}

// printEach prints a line for each record.
func printEach(e *env, did string, ids []packet.ID) {
	for _, id := range ids {
		e.printf("%s %s\n", did, id)
	}
}

// purgeRequests returns the purges that wait for an answer, fit to be printed.
func purgeRequests(ctx context.Context, e *env, m *memory.Memory) ([]purge.PurgeRequest, error) {
	all, err := m.Purges().PurgeRequests(ctx)
	return printables(e, all), err
}

// warnOfPurges tells after an exchange which purges wait for an answer, and asks the person at the
// terminal where it moved something.
func warnOfPurges(ctx context.Context, e *env, m *memory.Memory, moved bool) error {
	all, err := purgeRequests(ctx, e, m)
	e.warnAll(command.RequestLines(all))
	if err != nil || len(all) == 0 || !moved || !e.canAsk() {
		return err
	}
	switch e.askPerson("Remove them for good [y], bring them back [n], or decide later [Enter]? ") {
	case 'y':
		done, err := m.Purges().AcceptPurges(ctx, nil)
		printEach(e, "purged", done.Purged)
		return err
	case 'n':
		back, err := m.Purges().RefusePurges(ctx, nil)
		printEach(e, "kept", back)
		return err
	default:
		return nil
	}
}

// canAsk tells that a person can be asked. A program that wants JSON is none.
func (e *env) canAsk() bool { return e.isTerminal(e.stdin) && e.isTerminal(e.stderr) && !e.asJSON }
