package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

type syncOptions struct {
	All, DryRun, YesPublic bool
	Travel                 string // when: as hooks do, with nobody to ask, saying it to 'git ltm status' alone

	way  remote.Way
	also []packet.ID // records that go wherever they came from
}

func runExchange(ctx context.Context, e *env, o syncOptions, names []string) error {
	if o.Travel != "" {
		return runTravel(ctx, e, remote.When(o.Travel))
	}
	if o.All && len(names) > 0 {
		return usagef("--all and the name of a remote exclude each other")
	}
	return e.useMemory(ctx, func(m *memory.Memory) error {
		all, err := exchangeAll(ctx, e, m, o, names)
		if e.asJSON && all != nil {
			err = errors.Join(err, e.printJSON(all))
		}
		return err
	})
}

// errWithheld says that an exchange did not transfer every record.
var errWithheld = errors.New("not every record was transferred")

// exchangeAll exchanges records with remotes, and tells of each. One that cannot be reached does not keep the
// others.
func exchangeAll(ctx context.Context, e *env, m *memory.Memory, o syncOptions,
	names []string,
) ([]command.Exchanged, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		if o.way == remote.Pull || remote.Exists(config, name) == nil {
			return false
		}
		record, err := m.Identify(ctx, name)
		if err == nil {
			o.also = append(o.also, record.ID)
		}
		return err == nil
	})
	names, err = findRemotes(config, e, m, o, names)
	if err != nil {
		return nil, err
	}
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
	var all []command.Exchanged
	var problems []error
	for _, name := range names {
		told, err := exchangeWith(ctx, e, m, o, name)
		all = append(all, told)
		if err != nil {
			problems = append(problems, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return all, errors.Join(problems...)
}

// exchangeWith exchanges records with one remote, and tells of it.
func exchangeWith(ctx context.Context, e *env, m *memory.Memory, o syncOptions,
	name string,
) (command.Exchanged, error) {
	p := e.progress("records judged")
	patience, err := awaitRemote(ctx, e, m, name, p)
	if err != nil {
		return command.Exchanged{}, err
	}
	out, err := remote.Sync(ctx, m, remote.Request{
		Remote: name, Way: o.way, DryRun: o.DryRun, Public: o.YesPublic, Also: o.also, Progress: p.stage,
		Patience: patience,
	})
	p.end()
	out.Remote = name
	told := exchangedOf(e, out, o)
	if err != nil {
		told.Error = e.printable(err.Error())
		if n := len(out.Pulled); n > 0 && !e.asJSON {
			e.warnf("%s: pulled %d before it failed", told.Remote, n)
		}
		return told, err
	}
	if !o.DryRun && o.way != remote.Pull {
		_ = remote.SettleTravel(m.Repo(), name, e.now()) // Without it, status says an old fault once more.
	}
	var arrived []string
	if !o.DryRun {
		arrived, err = noteArrived(ctx, e, m, out, name)
	}
	e.warnAll(arrived)
	if out.Blind {
		e.hint(told.Remote +
			" lists no memory; whether it hides what was purged cannot be seen from here")
	}
	tellKept(e, out)
	tellHeirs(e, out.Heirs)
	if len(out.Elsewhere) > 0 {
		e.hint(fmt.Sprintf("not sent, since another remote or a bundle brought it, and no key that is trusted "+
			"here signed it: %s; to send some of it: git ltm sync %s ID", remote.CountNames(out.Elsewhere), told.Remote))
	}
	if err == nil && !e.asJSON {
		tellExchange(e, told, o.way)
		listRehearsed(ctx, e, m, told)
		if o.way != remote.Push && !o.DryRun {
			tellUnshown(ctx, e, m, out.Pulled)
		}
		if !o.DryRun {
			err = warnOfPurges(ctx, e, m, len(out.Hidden) > 0)
		}
	}
	if err == nil && len(told.Withheld) > 0 {
		err = fmt.Errorf("%s: %w", told.Remote, errWithheld)
	}
	return told, err
}

// findRemotes are the remotes to exchange with.
func findRemotes(config git.Config, e *env, m *memory.Memory, o syncOptions,
	names []string,
) ([]string, error) {
	if o.All {
		names := slices.Sorted(slices.Values(config.Remotes()))
		if len(names) == 0 {
			return nil, &remote.NoDefaultError{}
		}
		return names, nil
	}
	if len(names) == 0 {
		name, err := remote.Default(m.Repo(), config)
		if what, mend := remote.Ignored(m.Repo(), config); err == nil && what != "" {
			e.hint(what + ": " + mend)
		}
		return []string{name}, err
	}
	for _, name := range names {
		if err := remote.Exists(config, name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// exchangedOf is an outcome fit to be printed. The names of records hold nothing but ids.
func exchangedOf(e *env, out remote.Outcome, o syncOptions) command.Exchanged {
	told := command.Exchanged{Outcome: out, Kept: len(out.Kept), DryRun: o.DryRun}
	told.Stray, told.URL = out.Stray[:min(len(out.Stray), namedStrays)], reply.Address(out.URL)
	return printables(e, told)
}

// tellExchange prints what became of an exchange.
func tellExchange(e *env, x command.Exchanged, way remote.Way) {
	would := ""
	if x.DryRun {
		would = "would have "
	}
	hidden := func(ref string) bool { return slices.Contains(x.Hidden, ref) }
	var parts []string
	for _, part := range []struct {
		did   string
		names []string
		ways  []remote.Way
	}{
		{"pulled", x.Pulled, []remote.Way{remote.Both, remote.Pull}},
		{"pushed", x.Pushed, []remote.Way{remote.Both, remote.Push}},
		{"removed here, as purged:", slices.DeleteFunc(slices.Clone(x.Removed), hidden), nil},
		{"hidden here until you answer a purge:", x.Hidden, nil},
		{"deleted there, as purged:", x.Deleted, nil},
	} {
		if len(part.names) > 0 || slices.Contains(part.ways, way) {
			parts = append(parts, would+part.did+" "+remote.CountNames(part.names))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to do"}
	}
	tellWithheld(e, x.Withheld)
	if x.OddFormat {
		e.warnf("what %s says of the format of its memory cannot be read, and is ignored", x.Remote)
	}
	if x.Needs > 0 {
		e.warnf("the memory on %s asks for readers of format %d, which this version does not know: it "+
			"left %s there that it cannot read; update git-ltm",
			x.Remote, x.Needs, command.Counted(x.Unread, "record"))
	}
	for _, name := range x.Stray {
		e.warnf("%s is no record of this format; it is never read", name)
	}
	if more := x.Strays - len(x.Stray); more > 0 {
		e.warnf("%d more names on %s are no records of this format", more, x.Remote)
	}
	holds := "it holds " + remote.CountRefs(x.Holds, x.Changes)
	if x.Archives > 0 {
		holds += " and " + command.Counted(x.Archives, "archive") + " of older ones"
	}
	// With so many refs whoever pushes pays for them.
	cost := fmt.Sprintf("every push of anybody to %s downloads %d KB for the %d refs of memory", x.Remote,
		x.Holds*90/1000, x.Holds)
	switch many := x.Holds - x.Idle; {
	case many >= remote.TooManyRefs:
		e.warnf("%s; run 'git ltm compact'", cost)
	case many >= remote.ManyRefs:
		e.hint(cost + "; 'git ltm compact' makes them few")
	}
	if !x.DryRun && way != remote.Forget && len(x.Removed) > len(x.Hidden) {
		e.hint("what was purged lies in this clone until git collects it: git gc --prune=now")
	}
	e.printf("%s: %s; %s\n", x.Remote, strings.Join(parts, ", "), holds)
}

// namedRecords is how many records a rehearsal names of those that it would transfer.
const namedRecords = 20

// listRehearsed names the records that would be transferred. What is not here yet has no text.
func listRehearsed(ctx context.Context, e *env, m *memory.Memory, x command.Exchanged) {
	for _, part := range []struct {
		way   string
		names []string
	}{{"pull", x.Pulled}, {"push", x.Pushed}} {
		if !x.DryRun {
			break
		}
		named := part.names[:min(len(part.names), namedRecords)]
		here := 0
		for _, name := range named {
			text := strings.TrimSuffix(path.Base(path.Dir(name)), "s")
			if text == "event" {
				text = "change of a record"
			}
			if entry, err := m.FindAny(ctx, path.Base(name)); err == nil {
				shown, _ := entry.Open(replay.Inspected)
				here++
				text = clean.Truncate(e.printable(reply.GistOf(shown).Line()), 90)
			}
			e.printf("  %s  %s  %s\n", part.way, briefing.ShortID(packet.ID(path.Base(name))), text)
		}
		if more := len(part.names) - namedRecords; more > 0 {
			e.printf("  and %d more: --json names them all\n", more)
		}
		if here < len(named) {
			e.hint("what was not fetched yet is named by its kind alone: 'git ltm pull' brings it")
		}
	}
}

// namedStrays is how many names are told that are none of the format. Whoever can push can make any number.
const namedStrays = 20

// namedReasons is how many reasons are told for which records were not handed on. Whoever can push can make
// any number.
const namedReasons = 8

// tellWithheld tells what was not handed on. Refs that were kept for the same reason are one line.
func tellWithheld(e *env, all []remote.Withheld) {
	var order []string
	same := map[string][]string{}
	for _, w := range all {
		what := "not taken"
		if w.Kept == remote.Here {
			what = "not sent"
		}
		line := what + ": %s: " + strings.ReplaceAll(strings.Join(w.Why, "; "), "%", "%%")
		if len(same[line]) == 0 {
			order = append(order, line)
		}
		same[line] = append(same[line], w.Ref)
	}
	if len(order) > namedReasons {
		rest := 0
		for _, line := range order[namedReasons:] {
			rest += len(same[line])
		}
		order = order[:namedReasons]
		defer func() {
			e.warnf("%d more were not taken or not sent; 'git ltm check' and --json say why of each", rest)
		}()
	}
	for _, line := range order {
		// A record says more to a person than the ref that tells the format.
		first := slices.IndexFunc(same[line], func(ref string) bool { return ref != "refs/ltm/meta/format" })
		names := same[line][max(first, 0)]
		if more := len(same[line]) - 1; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		e.warnf(line, names)
	}
}

// tellHeirs names what takes the place of records that were purged.
func tellHeirs(e *env, heirs []packet.ID) {
	for _, id := range heirs {
		short := briefing.ShortID(id)
		e.warnf("%s takes the place of a record that was purged, and may say the same: git ltm show %s, and "+
			"git ltm purge %s", short, short, short)
	}
}

// tellKept tells once of the refs that a remote did not let be deleted.
func tellKept(e *env, out remote.Outcome) {
	name := e.printable(out.Remote)
	if n := len(out.KeptPurged); n > 0 {
		e.warnf("%s did not let %s of purged records be deleted: their text stays there until somebody "+
			"deletes it who may", name, command.Counted(n, "ref"))
	}
	if n := len(out.PutBack); n > 0 {
		e.warnf("%s has %s again that you purged and others wrote: whoever refused that sent it, and it stays "+
			"there; 'git ltm purge ID' deletes it once more", name, command.Counted(n, "record"))
	}
	if n := len(out.Kept) - len(out.KeptPurged); n > 0 {
		text := fmt.Sprintf("%s keeps %s that git ltm would remove; that is harmless", name,
			command.Counted(n, "ref"))
		e.hint(text)
	}
}

type initOptions struct {
	Undo, DryRun bool
	quiet        bool // nothing to undo is not worth a word
}

func runInit(ctx context.Context, e *env, o initOptions, names []string) error {
	if store := e.userStore; store != "" {
		repo, err := git.FindBare(ctx, store, e.vars)
		if err != nil {
			return err
		}
		if config, err := repo.Config(ctx); err != nil || len(config.Remotes()) == 0 {
			e.println(store)
			e.hint("it has no remote, so it stays on this machine; git -C " + store +
				" remote add origin URL gives it one")
			return e.printResult(command.Init{Store: store}, err)
		}
	}
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	done := command.Init{DryRun: o.DryRun}
	if o.Undo {
		done.Removed, err = undoInit(ctx, e, repo, o, names)
	} else {
		done.Added, err = addRefspecs(ctx, e, repo, o, names)
	}
	return e.printResult(done, err)
}

// addRefspecs shows what will change, and changes it.
func addRefspecs(
	ctx context.Context, e *env, repo *git.Repo, o initOptions, names []string,
) (added []remote.Setting, err error) {
	if len(names) == 0 {
		names = []string{""} // The default one.
	}
	var missing []remote.Setting
	var hints []string
	for _, name := range names {
		name, lines, err := remote.Untracked(ctx, repo, name)
		if err != nil {
			return nil, err
		}
		if missing = append(missing, lines...); len(lines) > 0 {
			hints = append(hints, "git fetch "+name+" brings records from now on; 'git ltm sync' sends yours, too")
		}
	}
	if added = printSettings(e, "+", missing); len(added) == 0 {
		e.hint("there is nothing to change")
	}
	if o.DryRun {
		return added, nil
	}
	for i, s := range missing {
		if err := repo.Settings().Add(ctx, s.Key, s.Value); err != nil {
			return added, err
		}
		e.hint(hints[i])
	}
	return added, nil
}

// printSettings prints lines of configuration, and returns them fit to be printed. Within a refspec
// the name of a
// remote might hold a secret that no rule would know.
func printSettings(e *env, sign string, lines []remote.Setting) (all []remote.Setting) {
	for _, s := range lines {
		key, value := s.Key, s.Value
		if name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".fetch"); ok && name != "" {
			public := strings.NewReplacer(name, e.printable(name))
			key, value = public.Replace(key), public.Replace(value)
		}
		s = printables(e, remote.Setting{Key: key, Value: value})
		all = append(all, s)
		e.printf("%s %s = %s\n", sign, s.Key, s.Value)
	}
	return all
}

// undoInit shows what will be taken out, and takes it out.
func undoInit(
	ctx context.Context, e *env, repo *git.Repo, o initOptions, names []string,
) ([]remote.Setting, error) {
	lines, err := remote.Tracked(ctx, repo, names)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 && !o.quiet {
		e.hint("there is nothing to change")
	}
	removed := printSettings(e, "-", lines)
	for _, s := range lines {
		if o.DryRun {
			break
		}
		if err := repo.Settings().Unset(ctx, git.Local, s.Key, s.Value); err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// fetchAtStart fetches what the remote holds when a session starts, where setup said so, and waits for that
// a little where the remote answered quickly before. A session that goes on, summed up or resumed, asks no
// sooner than any that is at work, and waits for nothing. It reports whether memory travels here at all.
func fetchAtStart(ctx context.Context, e *env, repo *git.Repo, moment agent.Moment) (travels bool, err error) {
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok || !u.Share || e.inCI() {
		return false, err
	}
	last, err := remote.LastTravel(repo, u)
	goesOn := moment.Source == "compact" || moment.Source == "resume"
	if err != nil || !last.IsDue(remote.AtStart, e.now()) || goesOn && !last.IsDue(remote.Between, e.now()) {
		return true, err
	}
	if goesOn || !last.IsQuick() {
		return true, startTravel(e, repo, remote.AtStart)
	}
	_, err = travelWithin(ctx, e, repo, remote.StartWait)
	return true, err
}

// errPatience says that an exchange takes longer than somebody waits for it.
var errPatience = errors.New("the exchange takes longer than it is waited for")

// travelWithin lets memory travel as when a session starts, in this process while that is waited for. What takes
// longer begins anew in a process of its own, and it reports that not all is here.
func travelWithin(ctx context.Context, e *env, repo *git.Repo, patience time.Duration) (all bool, err error) {
	wait, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	left, err := travelAlone(wait, e, repo, remote.AtStart)
	if err == nil && left != "" {
		err = startTravel(e, repo, left)
	}
	return left == "", err
}

// letTravel lets memory travel when an agent has answered or a session ends, where setup said so and it is
// due, in a process for which nobody waits. What an agent saved last goes when nothing is done any more: not
// every host says that a session ends.
func letTravel(ctx context.Context, e *env, repo *git.Repo, event agent.Event) error {
	when := remote.Between
	if event == agent.SessionEnd {
		when = remote.AtEnd
	}
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok || !u.Share {
		return err
	}
	last, err := remote.LastTravel(repo, u)
	if err != nil {
		return err
	}
	if last.IsDue(when, e.now()) {
		err = startTravel(e, repo, when)
	}
	if err != nil || when != remote.Between || last.Held {
		return err
	}
	if waits, err := remote.Stir(repo, e.now()); err != nil || waits {
		return err
	}
	if unsent, err := remote.Unsent(ctx, repo, u.Remote); err != nil || unsent == "" || unsent == last.Left {
		return err
	}
	return startTravel(e, repo, remote.Quiet)
}

// startTravel lets memory travel in a process of its own, which asks nobody for anything.
func startTravel(e *env, repo *git.Repo, when remote.When) error {
	self, err := e.self()
	if err != nil {
		return err
	}
	dir := repo.WorkTree
	if dir == "" {
		dir = repo.GitDir
	}
	return program.Detached{
		Program: self, Args: []string{"git-ltm", "sync", "--travel", string(when)},
		Dir: dir, Env: repo.EnvOutside(),
	}.Start()
}

// inCI tells the machines that run jobs. What a job saves goes out where the job says so.
func (e *env) inCI() bool {
	v, _ := e.getenv("CI")
	return v != "" && v != "0" && v != "false"
}

// runTravel lets memory travel at a moment of a session, in a process of its own.
func runTravel(ctx context.Context, e *env, when remote.When) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil || e.inCI() {
		return err
	}
	if when == remote.Quiet {
		if alone, err := remote.AwaitQuiet(ctx, repo, e.now); err != nil || !alone {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, remote.TravelLimit)
	defer cancel()
	defer program.EndSession() // A program that git started may outlive it, and wait for a server.
	_, err = travelAlone(ctx, e, repo, when)
	return err
}

// travelAlone exchanges memory with the upstream at a moment of a session, and keeps what became of it. It asks
// no person for anything. Where it takes longer than it is waited for, it keeps nothing, and says what is left.
func travelAlone(ctx context.Context, e *env, repo *git.Repo, when remote.When) (left remote.When, err error) {
	err = remote.TravelAlone(repo, when, func(when remote.When) error {
		u, ok, err := upstream.Of(repo)
		if err != nil || !ok || !u.Share {
			return err
		}
		before, err := remote.LastTravel(repo, u)
		if err != nil || !before.IsDue(when, e.now()) {
			return err
		}
		if when == remote.AtEnd || when == remote.Quiet {
			if unsent, err := remote.Unsent(ctx, repo, u.Remote); err != nil || unsent == "" ||
				unsent == before.Left {
				return err
			}
		}
		t := before.Begin(e.now())
		if err := t.Keep(repo); err != nil {
			return err // What cannot be noted is not done.
		}
		err = travelOnce(ctx, e, repo, u, when, &t)
		if err != nil && errors.Is(context.Cause(ctx), errPatience) {
			left = when
			return before.Keep(repo)
		}
		if err != nil {
			t.Error = shortenFault(e, err)
		} else {
			t.Failed, t.Good = 0, e.now()
		}
		t.Ended = e.now()
		return t.Keep(repo)
	})
	return left, err
}

// travelOnce is one exchange, and what makes its news quick to find. It never says yes to what a person
// should be asked.
func travelOnce(ctx context.Context, e *env, repo *git.Repo, u upstream.Upstream, when remote.When,
	t *remote.Travel,
) error {
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	if err := remote.MayTravel(repo, config, u); err != nil {
		t.Barred = true
		return err
	}
	limit, err := remote.SilenceLimit(config)
	if err != nil {
		return err
	}
	own := *e
	own.vars = git.Unattended(e.vars, config)
	err = own.useMemory(ctx, func(m *memory.Memory) error {
		way, err := t.Ways(ctx, m.Repo(), config, u, when)
		if err != nil {
			return err
		}
		request := remote.Request{
			Remote: u.Remote, Way: way, Public: true,
			Patience: remote.Patience{Limit: limit},
		}
		if when == remote.AtStart {
			request.Seen = t.Listed
		}
		request.Alone, request.Young = true, when.Young()
		if request.Young > 0 {
			request.Until = e.now()
		}
		out, err := remote.Sync(ctx, m, request)
		if way == remote.Both {
			t.Left = ""
		}
		if err == nil && way == remote.Both && out.Young+len(out.Withheld) == 0 {
			t.Left, err = remote.Unsent(ctx, m.Repo(), u.Remote)
		}
		t.Pulled, t.Pushed, t.Withheld = len(out.Pulled), len(out.Pushed), len(out.Withheld)
		if err == nil && len(out.Pushed)+len(out.Deleted) == 0 {
			t.Listed = out.Listed
		}
		if err == nil && (request.Seen == "" || out.Listed != request.Seen) {
			_, err = noteArrived(ctx, e, m, out, u.Remote)
		}
		if err != nil || len(out.Pulled) == 0 {
			return err
		}
		return recall.Refresh(ctx, m, recall.Options{Now: e.now})
	})
	e.rules = own.rules
	return err
}

// longestFault is how much of an error is kept.
const longestFault = 1000

// shortenFault is an error fit to be kept and shown: one line, clean, without a secret, not long.
func shortenFault(e *env, err error) string {
	text := []rune(e.printable(e.rules.Public(err.Error())))
	if len(text) > longestFault {
		text = append(text[:longestFault], '…')
	}
	return string(text)
}

// stoppedSharing says why memory that should travel by itself does not until a person does something; else nothing.
// It starts no process: an exchange that was just tried has left why.
func stoppedSharing(e *env, repo *git.Repo) string {
	u, fixed, err := upstream.Of(repo)
	switch {
	case err != nil || e.inCI():
	case fixed && u.Share:
		t, _ := remote.LastTravel(repo, u) // Without it, status says so.
		if t.Barred {
			return e.printable(t.Fault(e.now()))
		}
	case !fixed:
		config, _ := repo.Settings().PlainAddresses()
		if names := config.Remotes(); len(names) > 0 {
			return e.printable("setup fixed no remote for it: git ltm setup --remote " + names[0])
		}
	}
	return ""
}

// sharingOf returns how memory travels by itself, or nil where no upstream was fixed. A fault is also what
// stops the next exchange.
func sharingOf(e *env, repo *git.Repo, config git.Config) (*command.Sharing, error) {
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok {
		return nil, err
	}
	t, err := remote.LastTravel(repo, u)
	if err != nil {
		return nil, err
	}
	fault := t.Fault(e.now())
	if fault == "" && u.Share {
		if err := remote.MayTravel(repo, config, u); err != nil {
			fault, t.Barred = err.Error(), true
		}
	}
	t.URL, t.Error, t.Open = e.printable(t.URL), e.printable(t.Error), e.printable(t.Open)
	return &command.Sharing{
		Remote: e.printable(u.Remote), On: u.Share, Off: u.NoShare, Travel: t,
		Fault: e.printable(fault),
	}, nil
}
