package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

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
	if len(args) == 0 {
		return usagef("an ID is missing")
	}
	if !slices.Contains(replay.Reasons(), o.Reason) {
		return usagef("--reason is one of %s", strings.Join(replay.Reasons(), ", "))
	}
	return purgeRecords(ctx, e, m, o, args)
}

// purgeRecords removes records here, and then on the remote.
func purgeRecords(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, specs []string) error {
	if !o.Yes && !o.DryRun && !e.canAsk() {
		return usagef("purge cannot be undone: say --yes, or hide the record with 'git ltm rm'")
	}
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
	if !o.Yes && e.askPerson("Remove "+e.printable(strings.Join(specs, ", "))+
		" for good, here and on the remote? It cannot be undone. [y/N] ") != 'y' { // Who is asked may take it back until then.
		return errors.New("nothing was purged")
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
	name, err := remote.Default(ctx, m.Repo(), config)
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
const purgeGarbage = 30

// finishPurge does on the remote what was done here, and says what became of the records.
func finishPurge(ctx context.Context, e *env, m *memory.Memory, o purgeOptions, done purge.Outcome) error {
	debug.SetGCPercent(purgeGarbage)
	forgetErased(ctx, e, m)
	printEach(e, "purged", done.Purged)
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	name, err := remote.Default(ctx, m.Repo(), config)
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
			"until 'git gc --prune=now' there: " +
			"tell whoever has one; other remotes: 'git ltm sync --all'"))
	}
	if o.GC {
		err = errors.Join(err, collectBytes(ctx, e, m))
	}
	if o.forGood { // As rm says it.
		return e.printResult(reply.Changed{Change: gate.Change{Changed: done.Purged, Already: done.Already}}, err)
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

// askPerson puts a question to the person at the terminal, and returns y for yes, n for no, and 0 for
// anything else: who answers nothing has not agreed.
func (e *env) askPerson(question string) byte {
	_, _ = fmt.Fprint(e.stderr, question)
	answer, _ := bufio.NewReader(e.stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
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
