package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

func runStatus(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall,
	_ struct{}, _ []string,
) error {
	s, err := lookAround(ctx, e, m, r)
	if err != nil {
		return err
	}
	pendingList(ctx, m).tellPending(e)
	printStatus(e, s)
	return e.printResult(s, nil)
}

func lookAround(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall) (command.Status, error) {
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
	state, err := command.StateOf(ctx, m, r, e.rules)
	if err != nil {
		return command.Status{}, err
	}
	s := command.Status{State: state}
	var wrong [7]error
	s.Drafts, wrong[0] = command.WaitingDrafts(ctx, m)
	s.Purges, wrong[1] = purgeRequests(ctx, e, m)
	s.Kept, wrong[2] = m.Purges().RefusedPurges(ctx)
	s.Authors, wrong[3] = newAuthorLine(ctx, e, m, r)
	s.Hook, wrong[4] = lastFault(e, m.Repo())
	arrived, err := m.Arrivals().List(ctx)
	wrong[5] = err
	missed, err := gate.Missed(m.Repo().Local())
	wrong[6] = err
	if err := errors.Join(wrong[:]...); err != nil {
		return command.Status{}, err
	}
	s.Arrived = arrivalLines(e, arrived, titlesFor(ctx, e, m), false)
	for _, id := range missed { // Somebody may have signed it since.
		if entry, err := m.FindAny(ctx, string(id)); err == nil && !entry.Signed && len(entry.Endorsers) == 0 {
			s.Unsigned = append(s.Unsigned, id)
		}
	}
	err = lookAtRemote(ctx, e, m, &s)
	return s, err
}

// lastFault returns the last fault of an agent's hook, or nil.
func lastFault(e *env, repo *git.Repo) (*session.Fault, error) {
	f, ok, err := session.LastFault(repo.Local())
	if err != nil || !ok {
		return nil, err
	}
	f.Host, f.Event, f.Error = e.printable(f.Host), e.printable(f.Event), e.printable(f.Error)
	return &f, nil
}

// lookAtRemote looks at the remote that memory goes to.
func lookAtRemote(ctx context.Context, e *env, m *memory.Memory, s *command.Status) error {
	config, err := m.Config(ctx)
	if err != nil {
		return err
	}
	if s.Sharing, err = sharingOf(e, m.Repo(), config); err != nil {
		return err
	}
	x, err := remote.Look(ctx, m)
	if errors.Is(err, remote.ErrNone) {
		s.Alone = e.printable(err.Error())
		return nil
	}
	if command.IsA[*upstream.ChangedError](err) {
		s.Changed = e.printable(err.Error() +
			"; nothing goes there by itself, and nothing is trusted for it: " + command.ConfirmHint(err))
		return nil
	}
	if err != nil {
		return err
	}
	shown := x
	shown.URL = reply.Address(x.URL)
	shown = printables(e, shown)
	s.Remote = &shown
	if what, mend := x.StoreChanged(); what != "" {
		s.Changed = e.printable(what + "; if that is this project too: " + mend)
	} else if what, mend := remote.Ignored(m.Repo(), config); what != "" {
		s.Changed = e.printable(what + ": " + mend)
	} else if over := remote.Overwriting(config); len(over) > 0 {
		s.Changed = e.printable("a plain git fetch may delete records of this clone (" + over[0].Value +
			"), until git ltm sync brings back its own: git ltm doctor")
	}
	if !x.Fixed && isAnySetUp(ctx, e) {
		s.ToFix = "off, since setup fixed no remote: git ltm setup --remote " + e.printable(x.Remote)
	}
	if s.PurgedThere, err = remote.PurgedThere(ctx, m, config.Remotes()); err != nil {
		return err
	}
	if s.Sharing != nil && s.Sharing.On {
		s.NotAsked = printables(e, remote.HeldBack(m.Repo(), config))
		s.Sharing.Unused = s.Sharing.Fault == "" && !isAnySetUp(ctx, e)
	}
	return nil
}

func printStatus(e *env, s command.Status) {
	var d reply.Description
	if e.userStore == "" {
		d.Put("Branch", cmp.Or(s.Branch, "(detached)"))
	} else {
		d.Put("Memory", "user-wide, "+e.printable(e.userStore))
	}
	none := "none yet"
	if s.Packets > 0 {
		none = "none of yours is open on this branch; what is nearest: git ltm resume"
	}
	d.Put("Thread", cmp.Or(briefing.ShortID(packet.ID(s.Head)), none))
	command.PutCensus(&d, s.Census)
	if s.Heard.All() > 0 {
		d.Put("Agents see", command.ShownLine(s.Heard))
	}
	d.Put("Drafts", command.DraftsLine(s.Drafts, e.now()))
	if s.Changed != "" {
		d.Put("Changed", s.Changed)
	}
	switch r := s.Remote; {
	case r == nil && s.Alone == "":
	case r == nil:
		d.Put("Remote", s.Alone+": "+e.wayOut())
	case !r.Tracked && s.Sharing != nil && s.Sharing.Off:
		d.Put("Remote", fmt.Sprintf("%s (%s)", r.Remote, r.URL))
	case !r.Tracked:
		d.Put("Remote", fmt.Sprintf("%s (%s); to exchange memory with it: git ltm sync", r.Remote, r.URL))
	default:
		d.Put("Remote", fmt.Sprintf("%s (%s); whoever can read it can read the memory", r.Remote, r.URL))
		d.Put("Fetched", command.Counted(r.NotHere, "record")+" that this clone does not hold itself")
	}
	if r := s.Remote; r != nil && r.Fixed {
		d.Put("Trust", command.TrustLine(r))
	}
	switch r := s.Remote; {
	case r == nil || r.Unpushed == 0:
	case s.Sharing != nil && s.Sharing.Off:
		d.Put("Unpushed", remote.CountRefs(r.Unpushed, r.Changes)+", which stay here: you turned sharing off")
	default:
		d.Put("Unpushed", remote.CountRefs(r.Unpushed, r.Changes)+": git ltm sync "+r.Remote)
	}
	if r := s.Remote; r != nil && r.Refused != nil {
		d.Put("Refused", command.RefusedText(r))
	}
	if s.Remote != nil && (s.Sharing == nil || !s.Sharing.Off) {
		d.Put("Not asked",
			s.Remote.Remote+"; this is what was last seen of it: git ltm sync --dry-run asks")
	}
	if text := command.SharingText(s.Sharing, e.now()) + s.ToFix; text != "" {
		d.Put("Sharing", text)
	}
	if n := len(s.Unsigned); n > 0 {
		line := "git ltm sign"
		for _, id := range s.Unsigned {
			line += " " + string(id)
		}
		d.Put("Unsigned", command.Counted(n,
			"record")+" could not be signed, since nobody was there to be asked: "+
			line)
	}
	if f := s.Hook; f != nil {
		d.Put("Agent hook", fmt.Sprintf("%s of %s failed %s: %s", f.Event, f.Host,
			briefing.Age(f.At, e.now()), f.Error))
	}
	for _, line := range s.Arrived {
		d.Put("Arrived", line)
	}
	d.Put("New names", s.Authors)
	for _, line := range command.RequestLines(s.Purges) {
		d.Put("Purge asked", line)
	}
	if s.Kept > 0 {
		d.Put("Kept", command.Counted(s.Kept, "record")+
			" of which you refused a purge; git ltm purge ID removes one all the same")
	}
	for _, name := range slices.Sorted(maps.Keys(s.PurgedThere)) {
		d.Put("Not deleted", e.printable(fmt.Sprintf("%s keeps %s of purged records, with their text: git ltm sync %s; "+
			"where it refuses, ask who may delete there", name, command.Counted(s.PurgedThere[name], "ref"), name)))
	}
	for _, b := range s.Broken {
		d.Put("Broken", b.Ref+" ("+b.Reason+"); the next save, rm or restore mends it or sets it aside")
	}
	e.print(d.String())
}

// wayOut says what gives memory a remote to go to.
func (e *env) wayOut() string {
	if e.userStore != "" {
		return "git -C " + e.printable(e.userStore) + " remote add origin URL"
	}
	return "git remote add, then git ltm setup --remote NAME"
}

// heardArrived is how many records are looked at that came, to say how many of them reach a session.
const heardArrived = 64

// tellUntrusted tells how much of what is here is left out where what is trusted alone is asked for. That
// nothing is known would not be true.
func tellUntrusted(ctx context.Context, e *env, r *recall.Recall) (told bool) {
	heard, err := r.Heard(ctx, replay.Strictly)
	if err != nil || heard.Withheld == 0 {
		return false
	}
	e.hint(command.Withheld(heard) +
		" not trusted, so that --trusted leaves out what they say: 'git ltm verify' says why, " +
		"'git ltm trust add ID' trusts the key that signed one")
	return true
}

// tellUnshown tells how much of what came no agent is shown automatically. What cannot be told is no fault of
// it.
func tellUnshown(ctx context.Context, e *env, m *memory.Memory, refs []string) {
	heard, err := m.Source().HeardOf(ctx, refs, heardArrived)
	if err != nil || heard.Withheld == 0 {
		return
	}
	told := "of what came " + command.Withheld(heard) + " not shown to agents: "
	if len(heard.Unknown) == 1 && heard.Other == 0 && !heard.More && pendingList(ctx, m).proposal == nil {
		for key, id := range heard.Unknown {
			e.hint(told + "one key that is not trusted here signed all of it; " + reply.TrustKey(id, key))
		}
		return
	}
	told += "'git ltm verify' says why"
	if u, fixed, err := upstream.Of(m.Repo()); err == nil && (!fixed || u.Trust != upstream.Remote) {
		told += ", 'git ltm setup --trust remote' shows what is unsigned"
	}
	e.hint(told)
}

// arrivalLines say what others did to records, a line for each of them and each sort of event, with the
// command that reverses it; and how many events wait. Title is what a person is told of a record. After an
// exchange what authors did to what is theirs has no command: it is their tidying, and status has it.
func arrivalLines(e *env, all []replay.Arrival, title func(id packet.ID) string,
	exchanged bool,
) (lines []string) {
	type sort struct {
		by, word, whose string
		claim           bool
	}
	var order []sort
	ids, events := map[sort][]packet.ID{}, map[sort][]packet.ID{}
	waits := map[packet.ID]bool{} // which are yours
	authors, waiting := map[sort]string{}, []string{}
	for _, a := range all {
		if a.Waits {
			for _, id := range a.Records {
				waits[id] = a.Yours
			}
			waiting = append(waiting, a.Author())
			continue
		}
		key := sort{a.By, a.Word, "others", a.Claim}
		if a.Yours {
			key.whose = "yours"
		} else if a.Own {
			key.whose = "the same author"
		}
		if _, known := ids[key]; !known {
			order, authors[key] = append(order, key), a.Author()
		}
		ids[key], events[key] = append(ids[key], a.Records...), append(events[key], a.Event)
	}
	for _, key := range order {
		some := slices.Compact(slices.Sorted(slices.Values(ids[key])))
		whose := command.Counted(len(some), "record") + " of " + key.whose
		if text := title(some[0]); len(some) == 1 && text != "" {
			whose += " (" + text + ")"
		}
		if key.word == replay.PurgeEvent {
			lines = append(lines, fmt.Sprintf("%s, removed %s for good", e.printable(key.by), whose))
			continue
		}
		did, back := command.Undoing(key.word)
		if exchanged && key.whose == "the same author" && !key.claim {
			lines = append(lines, fmt.Sprintf("%s, %s %s", e.printable(key.by), did, whose))
			continue
		}
		if back == "undo" || key.claim {
			some = events[key]
		}
		if key.claim {
			did, back = command.Asking(key.word), "trust accept"
			whose += ", which has no effect until you accept it (" + command.UnsignedMay + ")"
			if len(some) > replay.MostADay {
				whose += "; to drop all"
			}
		}
		switch {
		case len(some) <= replay.MostADay:
			for _, id := range some {
				back += " " + string(id)
			}
		case key.claim:
			back = "trust refuse --waiting " + clean.ShellWord(e.printable(authors[key]))
		default:
			back = "trust refuse " + clean.ShellWord(e.printable(authors[key]))
		}
		lines = append(lines, fmt.Sprintf("%s, %s %s: git ltm %s", e.printable(key.by), did, whose, back))
	}
	if len(waits) > 0 {
		yours := 0
		for _, is := range waits {
			if is {
				yours++
			}
		}
		var whose []string
		if yours > 0 {
			whose = append(whose, command.Counted(yours, "record")+" of yours")
		}
		if n := len(waits) - yours; n > 0 {
			whose = append(whose, command.Counted(n, "record")+" of others")
		}
		lines = append(lines,
			fmt.Sprintf("%s would be hidden, ended or brought back by unsigned events in the name of %s, more than ten "+
				"in a day, which wait: git ltm trust accept --waiting, as where you did that in another clone; to drop "+
				"them: git ltm trust refuse --waiting",
				strings.Join(whose, " and "), joinNames(e, waiting)))
	}
	return lines
}

// noteArrived ends an exchange: it learns who committed to the default branch of the upstream, notes what the
// events did that came, and returns what there is to say of it.
func noteArrived(ctx context.Context, e *env, m *memory.Memory, out remote.Outcome,
	name string,
) ([]string, error) {
	removed := slices.DeleteFunc(slices.Clone(out.Removed), func(ref string) bool {
		return slices.Contains(out.Hidden, ref)
	})
	err := errors.Join(m.Judge().LearnAuthors(ctx), m.Arrivals().LearnSigners(ctx, out.Pulled),
		m.Arrivals().Note(ctx, out.Pulled, removed, name))
	if err != nil || len(out.Pulled) == 0 {
		return nil, err
	}
	// Without it, a session that is under way hears of it at its next start.
	_ = session.NoteArrived(m.Repo().Local(), out.Pulled, e.now())
	all, err := m.Arrivals().List(ctx)
	all = slices.DeleteFunc(all, func(a replay.Arrival) bool {
		usual := slices.Contains([]string{"close", "reopen", "restore", replay.UndoEvent}, a.Word)
		if usual && a.Own && !a.Yours && !a.Claim && !a.Waits {
			return true // Authors finish what is theirs, or go on; status and the next session still tell it.
		}
		return !slices.ContainsFunc(out.Pulled, func(full string) bool {
			return strings.HasSuffix(full, "/"+string(a.Event))
		})
	})
	return arrivalLines(e, all, titlesFor(ctx, e, m), true), err
}

// titlesFor returns what a person is told of records: an agent that runs the command is not shown texts.
func titlesFor(ctx context.Context, e *env, m *memory.Memory) func(id packet.ID) string {
	return func(id packet.ID) string {
		if !e.forPerson() {
			return ""
		}
		return titleOf(ctx, m, string(id))
	}
}

// newArrivals is what a person is told once at the start of a session: what others did to records of this
// clone, and whose unsigned records are shown from now on.
func newArrivals(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall) (string, error) {
	if r == nil {
		return "", nil
	}
	all, err := m.Arrivals().List(ctx)
	if err != nil {
		return "", err
	}
	lines := arrivalLines(e, m.Arrivals().Untold(all), func(packet.ID) string { return "" }, false)
	authors, err := newAuthorLine(ctx, e, m, r)
	if authors != "" {
		lines = append(lines, authors)
	}
	for i := range lines {
		lines[i] = "git ltm: " + lines[i]
	}
	return strings.Join(lines, "\n"), err
}

// newAuthorLine says once whose unsigned records are shown from now on, or nothing. Many names at once are
// one line.
func newAuthorLine(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall) (string, error) {
	names, err := r.NewAuthors(ctx)
	if err != nil || len(names) == 0 {
		return "", err
	}
	me, err := m.Author(ctx)
	if names = slices.DeleteFunc(names, func(name string) bool { return name == me }); err != nil ||
		len(names) == 0 {
		return "", err
	}
	mute := "git ltm trust mute"
	for _, name := range names[:min(len(names), mostNamed)] {
		mute += " " + clean.ShellWord(e.printable(name))
	}
	return fmt.Sprintf("agents are shown what %s wrote, from the remote and signed by no trusted key; to stop that: %s",
		joinNames(e, names), mute), nil
}

// mostNamed is how many names stand on one line.
const mostNamed = 3

// joinNames are names for a line, each once.
func joinNames(e *env, names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(printables(e, names))))
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if n := len(names) - mostNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

type doctorOptions struct{ Fix, All bool }

// errProblems says that something is wrong with a set-up.
var errProblems = errors.New("there are problems")

// runDoctor looks, mends where it may, and tells. Of agents that are named it also says what they wait for.
func runDoctor(ctx context.Context, e *env, m *memory.Memory, o doctorOptions, names []string) error {
	ask, err := findAgents(names)
	if err != nil {
		return err
	}
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
	found, err := examineClone(ctx, e, m, ask)
	if err != nil {
		return err
	}
	if o.Fix && slices.ContainsFunc(found, remote.Finding.Fixable) {
		if err := m.HealAll(ctx); err != nil {
			e.warnf("%v", err)
		} else if found, err = examineClone(ctx, e, m, ask); err != nil {
			return err
		}
	}
	problems, passed := 0, 0
	for i := range found {
		f := &found[i]
		f.What, f.Mend = e.printable(e.aimCommands(f.What)), e.printable(e.aimCommands(f.Mend))
		if f.Level == remote.Problem {
			problems++
		}
		if f.Level == remote.Fine && e.forPerson() && !o.All {
			passed++
			continue
		}
		line := fmt.Sprintf("%s: %s", f.Level, f.What)
		if f.Mend != "" {
			line += "; mend: " + f.Mend
		}
		e.println(line)
	}
	if passed > 0 {
		e.printf("%s passed; 'git ltm doctor --all' lists them\n", command.Counted(passed, "check"))
	}
	if err := e.printResult(found, nil); err != nil || problems == 0 {
		return err
	}
	return fmt.Errorf("%w: %d", errProblems, problems)
}

// aimCommands lets the commands in a text work on the memory that this one works on.
func (e *env) aimCommands(text string) string {
	if e.userStore == "" {
		return text
	}
	pairs := []string{"git ltm ", "git ltm --user "}
	for _, verb := range []string{"config ", "update-ref ", "pack-refs ", "for-each-ref ", "fetch "} {
		pairs = append(pairs, "git "+verb, "git -C "+e.userStore+" "+verb)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// examineClone lists all findings.
func examineClone(
	ctx context.Context, e *env, m *memory.Memory, ask []setup.Agent,
) ([]remote.Finding, error) {
	found, err := remote.Examine(ctx, m, e.now())
	if err != nil {
		return nil, err
	}
	hooks, err := examineHook(ctx, m)
	found = append(found, remote.Judge("hook", "the hook of a push is as it should be", hooks, err)...)
	_, damaged, err := m.Drafts().Read(ctx)
	var drafts []remote.Finding
	for _, s := range damaged {
		drafts = append(drafts, remote.Finding{
			Level: remote.Advice, What: "the draft " + s.Ref + " cannot be read: " + s.Err.Error(),
			Mend: "git ltm distill --drop " + path.Base(s.Ref),
		})
	}
	if err != nil || len(drafts) > 0 {
		found = append(found, remote.Judge("drafts", "", drafts, err)...)
	}
	agents, err := examineAgents(ctx, e, m, ask)
	return append(found, agents...), err
}

// examineHook tells of a hook that should call git ltm and does not, or that git does not run.
func examineHook(ctx context.Context, m *memory.Memory) ([]remote.Finding, error) {
	repo := m.Repo()
	site, err := hookSite(ctx, repo)
	if err != nil {
		return nil, err
	}
	place, err := hook.PrePush.At(site)
	if err != nil {
		return nil, err
	}
	var found []remote.Finding
	if place.Calls && place.Exists && !place.Executable && runtime.GOOS != "windows" {
		found = append(found,
			remote.Finding{
				Level: remote.Problem,
				What:  "git does not run " + place.Path + ", which is not executable",
				Mend:  "chmod +x " + place.Path,
			})
	}
	plain := site
	plain.Dir = filepath.Join(repo.CommonDir, "hooks")
	if hidden, err := hook.PrePush.At(plain); err == nil && hidden.Own && plain.Dir != site.Dir &&
		hidden.Path != place.Path && !place.Calls {
		found = append(found,
			remote.Finding{
				Level: remote.Problem,
				What:  "git does not run " + hidden.Path + ": core.hooksPath leads it to " + site.Dir,
				Mend:  "git ltm hook install pre-push says what to do",
			})
	}
	return found, nil
}

// examineAgents tells what is wrong with what agents are told. Of agents that are told nothing there is
// nothing to say.
func examineAgents(ctx context.Context, e *env, m *memory.Memory,
	asked []setup.Agent,
) ([]remote.Finding, error) {
	site, err := findSite(ctx, e)
	if err != nil {
		return nil, nil //nolint:nilerr // Without a home no agent has files.
	}
	var found []remote.Finding
	for _, a := range setup.Agents() {
		for _, f := range a.Examine(site) {
			found = append(found,
				remote.Finding{Check: "agents", Level: remote.Level(f.Level), What: f.What, Mend: f.Mend})
		}
	}
	if x, err := remote.Look(ctx, m); err == nil && !x.Fixed && isAnySetUp(ctx, e) {
		what := "setup fixed no remote for memory here, so it does not travel by itself"
		found = append(found,
			remote.Finding{
				Check: "agents", Level: remote.Advice, What: what,
				Mend: "git ltm setup --remote " + x.Remote,
			})
	}
	fault, err := lastFault(e, m.Repo())
	if err == nil && fault != nil {
		found = append(found, remote.Finding{
			Check: "agents", Level: remote.Advice,
			What: fmt.Sprintf("the hook %s of %s failed at %s: %s", fault.Event, fault.Host,
				fault.At.Format("2006-01-02 15:04"), fault.Error),
		})
	}
	for _, a := range asked {
		told := slices.ContainsFunc(setup.Look(site, a), func(s setup.State) bool { return s.Told })
		if !told && a.Plugin(site) == "" {
			found = append(found, remote.Finding{
				Check: "agents", Level: remote.Problem, What: a.Title + " is not set up here",
				Mend: "git ltm setup " + a.Name,
			})
		}
		for _, note := range a.Notes(site) {
			found = append(found, remote.Finding{Check: "agents", Level: remote.Advice, What: note})
		}
	}
	return found, err
}
