package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

func listTrust(ctx context.Context, e *env, m *memory.Memory, _ struct{}, _ []string) error {
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	s := command.TrustState{Stores: t.Stores(), Other: t.Warnings()}
	for _, l := range t.Lists() {
		list := command.TrustList{Name: l.Name, Place: l.Place}
		for _, k := range l.Keys() {
			list.Keys = append(list.Keys, command.TrustKey{Key: k, Revoked: t.RevokedBy(k.Fingerprint)})
		}
		s.Lists = append(s.Lists, list)
	}
	if s.Muted, err = trust.Muted(m.Repo()); err != nil {
		return err
	}
	slices.Sort(s.Muted)
	if s.Remote, s.Names, err = m.Arrivals().Believed(ctx); err != nil {
		return err
	}
	if len(s.Stores) == 0 {
		if s.Signed, err = m.Signer().SignedStores(ctx); err != nil {
			return err
		}
	}
	s = printables(e, s)
	e.print(command.TrustText(s))
	e.warnAll(s.Other)
	return e.printResult(s, nil)
}

// answerWaiting lets the events take effect that wait, or drops them; of one author where one is named.
func answerWaiting(
	ctx context.Context, e *env, m *memory.Memory, answer replay.Answer, name string,
	done *command.TrustAnswer,
) error {
	n, err := m.Arrivals().Answer(ctx, answer, name)
	if err != nil {
		return err
	}
	did, count := "let through", &done.Let
	if answer == replay.Refuse {
		did, count = "dropped", &done.Dropped
	}
	*count = n
	e.println(command.Counted(n, "event"), did)
	if answer == replay.Refuse {
		return nil
	}
	if n > 0 && !e.forAgent() {
		author := "NAME"
		if name != "" {
			author = clean.ShellWord(e.printable(name))
			done.Undo = "git ltm trust refuse " + author
		}
		e.hint("'git ltm trust refuse " + author + "' takes back what takes effect in that name")
	}
	left, err := m.Arrivals().List(ctx)
	left = slices.DeleteFunc(left, func(a replay.Arrival) bool { return !a.Claim || !a.IsBy(name) })
	if len(left) > 0 {
		ids := ""
		for _, a := range left[:min(len(left), replay.MostADay)] {
			ids += " " + string(a.Event)
		}
		e.hintf("what others ask to change of a record is accepted by its id, and %s of that wait: git ltm trust "+
			"accept%s", command.Counted(len(left), "event"), ids)
	}
	return err
}

// mostTakenBack is how many events one event takes back.
const mostTakenBack = 50

// takeBack takes back what unsigned events of an author did here.
func takeBack(ctx context.Context, e *env, m *memory.Memory, name string, done *command.TrustAnswer) error {
	all, err := m.Arrivals().InEffect(ctx, name)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, mostTakenBack) {
		undo := gate.Happen{Event: replay.UndoEvent}
		for _, id := range some {
			undo.Targets = append(undo.Targets, string(id))
		}
		if _, err := storeEvent(ctx, e, m, undo); err != nil {
			return err
		}
	}
	m.Forget()
	// Of the last moment there is, so that no event stands behind them.
	left, err := m.Arrivals().InEffect(ctx, name)
	if err == nil {
		err = m.Arrivals().Refuse(left)
	}
	if err != nil {
		return err
	}
	done.TakenBack = len(all)
	e.println(command.Counted(len(all), "event"), "taken back")
	return nil
}

type trustAnswerOptions struct{ Waiting bool }

// acceptRecords takes records for what was seen, or lets the events take effect that wait.
func acceptRecords(ctx context.Context, e *env, m *memory.Memory, o trustAnswerOptions, args []string) error {
	var done command.TrustAnswer
	switch {
	case !o.Waiting && len(args) == 0:
		return usagef("name records, or give --waiting")
	case o.Waiting && len(args) > 1:
		return usagef("--waiting takes one name")
	case o.Waiting:
		return e.printResult(&done, answerWaiting(ctx, e, m, replay.Let, strings.Join(args, ""), &done))
	}
	var seen []string
	var claims []packet.ID
	for _, spec := range args {
		found, _, err := m.FindAnyWide(ctx, spec)
		if err != nil { // It may be gone, or be no valid record: its whole id names it.
			if _, short := packet.ParseID(strings.ToUpper(spec)); short != nil {
				return err
			}
			seen = append(seen, spec)
			continue
		}
		event := found.ID
		// A record of which one change waits stands for that.
		var waiting []string
		for _, claim := range found.Life.Claims {
			event = claim.Value.Origin().ID
			waiting = append(waiting, briefing.ShortID(event))
		}
		if len(waiting) > 1 {
			return usagef("several changes of %s wait: name those to accept: git ltm trust accept %s", found.ID,
				strings.Join(waiting, " "))
		}
		claimed, err := m.Arrivals().AcceptClaim(ctx, event)
		if err != nil {
			return err
		}
		if claimed {
			done.Records = append(done.Records, string(event))
			claims = append(claims, event)
		} else {
			seen = append(seen, string(found.ID))
		}
	}
	names, err := m.Audit().Accept(ctx, seen)
	done.Records = append(done.Records, names...)
	for _, name := range done.Records {
		e.println(acceptedLine(ctx, m, name))
	}
	done.Undo = e.undoOf(claims...)
	e.hintUndo("", claims...)
	return e.printResult(done, err)
}

// acceptedLine says of an event that was accepted what it did, to what; another record is named.
func acceptedLine(ctx context.Context, m *memory.Memory, name string) string {
	found, _, err := m.FindAnyWide(ctx, name)
	event, why := found.Open(replay.Inspected)
	if err != nil || why != "" || event.Kind() != packet.KindEvent {
		return name
	}
	h := event.Happening()
	title := ""
	if len(h.Targets) > 0 {
		title = titleOf(ctx, m, h.Targets[0]) + " "
	}
	return "accepted " + name + ": " + command.DidWord(h) + " " + title + "by " + clean.Line(h.Why.Origin().By())
}

func refuseEvents(ctx context.Context, e *env, m *memory.Memory, o trustAnswerOptions, args []string) (err error) {
	var done command.TrustAnswer
	name := strings.TrimSpace(strings.Join(args, ""))
	if name == "" && !o.Waiting {
		return usagef("name the author, or give --waiting")
	}
	if !o.Waiting {
		err = takeBack(ctx, e, m, name, &done)
	}
	err = errors.Join(err, answerWaiting(ctx, e, m, replay.Refuse, name, &done))
	return e.printResult(done, err)
}

type trustInitOptions struct {
	Ref               string
	Yes, Undo, DryRun bool

	update bool // a change of the list that counts is meant, and not the first one
	done   *command.TrustProposal
}

// proposeList shows a list of the team, and lets it count when somebody says so. A change whose every step is signed
// by a key of the list before counts without a question.
func proposeList(ctx context.Context, e *env, o trustInitOptions, _ []string) error {
	o.done = &command.TrustProposal{}
	err := e.useMemory(ctx, func(m *memory.Memory) error {
		if o.Undo {
			if err := trust.Forget(ctx, m.Repo()); err != nil {
				return err
			}
			e.hint("no list of the team counts here")
			return nil
		}
		t, err := m.Judge().Trust(ctx)
		// The first takes the place of one that cannot be read.
		if command.IsA[*trust.PolicyError](err) && !o.update {
			config, failure := m.Config(ctx)
			if failure != nil {
				return failure
			}
			apart, failure := trust.LoadApart(ctx, m.Repo(), config, e.now())
			if failure != nil {
				return err
			}
			e.warnf("%v", err)
			t, err = apart, nil
		}
		if err != nil {
			return err
		}
		p, err := t.Propose(ctx, o.Ref)
		if errors.Is(err, trust.ErrNoList) && !o.update {
			e.hint("begin one: git ltm trust add KEYFILE --as MAIL --team, commit " + trust.TeamFolder +
				" to the protected branch, push and fetch")
		}
		if err != nil {
			return err
		}
		if o.update && p.Pinned == "" {
			return usagef("no list of the team is accepted here yet; see 'git ltm trust init'")
		}
		showProposal(e, p, o)
		switch {
		case p.Pinned == p.Commit:
			if !o.update {
				e.hint("this commit is accepted already")
			}
			return nil
		case !o.update:
		case p.Same():
			o.Yes = true
		case p.By != "":
			e.hint("each change is signed by a key of the list before it, the last one by " + p.By)
			o.Yes = true
		default:
			e.warnf("%s", p.Why)
		}
		if o.DryRun {
			return nil
		}
		if !o.Yes {
			if ok, err := e.askAgreement("Let these keys count in this clone?"); err != nil || !ok {
				return err
			}
		}
		if err := t.Accept(ctx, p); err != nil {
			return err
		}
		o.done.Accepted = true
		e.hint("accepted: ltm.trustPin = " + p.Commit)
		return nil
	})
	return e.printResult(o.done, err)
}

// showProposal prints what would count from then on.
func showProposal(e *env, p *trust.Proposal, o trustInitOptions) {
	var changes []string
	for _, part := range []struct {
		text  string
		lines []string
	}{{"+ revoked", p.Revoked}, {"- revoked", p.Restored}, {"+ store", p.Stores}, {"- store", p.Dropped}} {
		for _, l := range part.lines {
			changes = append(changes, part.text+" "+l)
		}
	}
	*o.done = printables(e, command.TrustProposal{
		Commit: p.Commit, Ref: p.Ref, Added: p.Added, Removed: p.Removed, Changes: changes,
		Accepted: p.Pinned == p.Commit, DryRun: o.DryRun,
	})
	e.printf("%s at %s (%s)\n", trust.TeamFolder, p.Commit, o.done.Ref)
	for i, keys := range [][]trust.Key{o.done.Added, o.done.Removed} {
		for _, key := range keys {
			e.printf("%c %s %s %s\n", "+-"[i], key.Fingerprint, key.Principals, key.Detail)
		}
	}
	for _, line := range o.done.Changes {
		e.println(line)
	}
	if p.Same() {
		e.println("the keys are the same")
	}
	if p.Hidden {
		e.printf("the keys are the same, and something else in the files is not: git diff %s %s -- %s\n",
			p.Pinned,
			p.Commit, trust.TeamFolder)
	}
	if len(p.List.Stores()) == 0 {
		e.warnf("the list names no store, so that a signature of one clone is foreign in another: git "+
			"config --get ltm.store > %s/store, and commit it", trust.TeamFolder)
	}
	e.warnAll(p.List.Problems)
}

// askAgreement asks the person at the terminal. Without one, only a flag agrees.
func (e *env) askAgreement(question string) (bool, error) {
	if !e.canAsk() {
		return false, usagef("there is no terminal to ask at; give --yes to accept what is shown")
	}
	if e.askPerson(question+" [y/N] ") == 'y' {
		return true, nil
	}
	e.hint("what you were asked about stays as it was")
	return false, nil
}

type trustAddOptions struct {
	As                string
	Team, Yes, DryRun bool

	done command.TrustEdit
}

func (o *trustAddOptions) targetList() trust.Which {
	if o.Team {
		return trust.Team
	}
	return trust.Own
}

func addKeys(ctx context.Context, e *env, m *memory.Memory, o trustAddOptions, args []string) error {
	o.done = command.TrustEdit{DryRun: o.DryRun}
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	edit, store, err := findAddition(ctx, e, m, t, &o, args[0])
	if err != nil {
		return err
	}
	if !o.Team {
		return e.printResult(&o.done, addOwnKeys(ctx, e, m, t, &o, edit, store))
	}
	err = writeEdit(ctx, e, m, &o, edit, "")
	if err == nil && !t.TeamHasStore() && !o.DryRun {
		// Without the store in the list a signature of one clone is foreign in another.
		var id string
		if id, err = m.Signer().StoreID(ctx); err == nil {
			edit, err = t.AddStore(id)
		}
		if err == nil {
			err = writeEdit(ctx, e, m, &o, edit, "")
		}
	}
	return e.printResult(o.done, err)
}

// findAddition proposes the keys that a word names, and says for which store a record was signed
// that it names.
// What is a whole id, or stands for the newest packet, names a record: a file of that name, which a branch
// may have brought, is written with a slash. A shorter word that could be both is refused.
func findAddition(ctx context.Context, e *env, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	what string,
) (edit trust.Edit, store string, err error) {
	if _, err := packet.ParseID(strings.ToUpper(what)); err == nil || strings.HasPrefix(what, "@") {
		return signerOf(ctx, e, m, t, o, what)
	}
	file, err := os.Open(e.resolvePath(what)) // It may be a pipe.
	if errors.Is(err, fs.ErrNotExist) {
		return signerOf(ctx, e, m, t, o, what)
	}
	var data []byte
	if err == nil {
		data, err = local.ReadAll(file, maxKeys)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return edit, "", fmt.Errorf("read keys: %w", err)
	}
	if !strings.ContainsAny(what, `/\`) {
		if _, err := m.Audit().SignedWith(ctx, what); !errors.Is(err, replay.ErrNotFound) {
			return edit, "", usagef("%q is a file and names a record: write ./%s, or the whole id",
				reply.Word(what), reply.Word(what))
		}
	}
	edit, err = keysIn(t, o, data)
	if err == nil && clean.Count(string(edit.Add)) > 0 {
		err = errors.New("the file holds characters that cannot be seen, so nobody can tell what it would add")
	}
	return edit, "", err
}

// maxKeys bounds a file of keys, in bytes.
const maxKeys = 1 << 20

// signerOf proposes the key that signed a record, and says for which store it did.
func signerOf(ctx context.Context, e *env, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	spec string,
) (edit trust.Edit, store string, err error) {
	tag, err := m.Audit().SignedWith(ctx, spec)
	if errors.Is(err, replay.ErrNotFound) && !errors.Is(err, replay.ErrPurged) {
		err = fmt.Errorf("a file of keys, or a signed record, %q: %w", reply.Word(spec), replay.ErrNotFound)
	}
	if err != nil {
		return edit, "", err
	}
	if v, err := new(sign.Trust).Verify(tag, e.now()); v.Standing == sign.Bad {
		return edit, "", errors.Join(fmt.Errorf("record %s: its signature is bad, so it names nobody: %s",
			reply.Word(spec), v.Why), err)
	}
	_, line, ok := tag.PublicKey()
	if !ok {
		return edit, "", fmt.Errorf("the signature holds no key, only its name %[1]s: name a FILE with it, which "+
			"its holder prints with gpg --armor --export %[1]s", e.printable(strings.Join(tag.Issuers(), " ")))
	}
	principal := o.As
	if principal == "" {
		_, rest, _ := strings.Cut(tag.Tagger, "<")
		principal, _, _ = strings.Cut(rest, ">")
		e.hint("the signature calls its maker " + e.printable(tag.Tagger) +
			", which nobody checked; --as names somebody else")
		if strings.ContainsFunc(principal, func(r rune) bool { return r > '~' }) {
			return edit, "", usagef("the address in the signature has letters that can look like others; name the " +
				"holder with --as")
		}
	}
	kind := trust.Signs
	if _, authority, certified := tag.Authority(); certified {
		e.hint("it was signed with a certificate, so its authority is let say who " + principal +
			" is; certificates for others do not count")
		line, kind = authority, trust.Certifies
	}
	edit, err = t.AddSigner(o.targetList(), principal, kind, line)
	return edit, tag.Store, err
}

// keysIn proposes the keys of a file.
func keysIn(t *trust.Trust, o *trustAddOptions, data []byte) (trust.Edit, error) {
	text := strings.TrimSpace(string(data))
	if strings.Contains(text, "-----BEGIN PGP PUBLIC KEY BLOCK-----") {
		return t.AddKeyring(o.targetList(), data)
	}
	if strings.Contains(text, "PRIVATE KEY") {
		return trust.Edit{}, errors.New("this file holds a private key; give the public one, in .pub beside it")
	}
	if kind, _, _ := strings.Cut(text, " "); strings.Contains(kind, "-cert-") && command.IsKeyType(kind) {
		return trust.Edit{}, errors.New("this file holds a certificate; give the public key in it, or a line of " +
			"allowed signers with cert-authority for the key of its authority")
	}
	if fields := strings.Fields(text); len(fields) >= 2 && !strings.Contains(text, "\n") &&
		command.IsKeyType(fields[0]) {
		principal := o.As
		if principal == "" && len(fields) > 2 {
			principal = fields[2]
		}
		return t.AddSigner(o.targetList(), principal, trust.Signs, strings.Join(fields[:2], " "))
	}
	return t.AddSigners(o.targetList(), data)
}

func revokeKey(ctx context.Context, e *env, m *memory.Memory, o trustAddOptions, args []string) error {
	o.done = command.TrustEdit{DryRun: o.DryRun}
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	edit, err := t.AddRevocation(o.targetList(), args[0])
	if err != nil { // It is the key that signed a record.
		var tag sign.Tag
		if tag, err = m.Audit().SignedWith(ctx, args[0]); err == nil {
			edit, err = t.AddRevocation(o.targetList(), tag.Key())
		}
	}
	if err == nil {
		err = writeEdit(ctx, e, m, &o, edit, "")
	}
	return e.printResult(o.done, err)
}

// writeEdit shows what will be written, and writes it when somebody says so, with the store that a
// signature names, if
// one is given.
func writeEdit(
	ctx context.Context, e *env, m *memory.Memory, o *trustAddOptions, edit trust.Edit, store string,
) error {
	lines := strings.Split(strings.TrimSuffix(string(edit.Add), "\n"), "\n")
	ring, err := sign.ParseKeyring(edit.Add)
	if keys := ring.Keys(); err == nil && len(keys) > 0 { // The armor of OpenPGP says nothing to anybody.
		lines = nil
		for _, k := range keys {
			lines = append(lines, k.Fingerprint+"  "+k.UserID)
		}
	}
	file := command.TrustFile{File: e.printable(edit.File), Lines: printables(e, lines), Known: edit.Known()}
	for _, line := range file.Lines {
		e.println(line)
		signers, _ := sign.ParseAllowedSigners([]byte(line))
		for _, key := range signers.Entries() { // What its holder is asked to compare.
			e.println("  " + key.Fingerprint)
		}
	}
	defer func() { o.done.Files = append(o.done.Files, file) }()
	question, would := "Add it to "+file.File+"?", "it would be added to "+edit.File
	if store != "" {
		e.printf("%s = %s\n", trust.StoreKey, e.printable(store))
		question = "Add the key to " + file.File +
			", and take this clone for one of the store that the signature names?"
		would = "the key would be added to " + edit.File +
			", and the store to the configuration of this clone"
	}
	if edit.Known() {
		e.hint(edit.File + " holds it already")
		question = "Take this clone for one of the store that the signature names?"
	}
	switch {
	case edit.Known() && store == "":
		return nil
	case o.DryRun:
		e.hint(would)
		return nil
	case !o.Yes:
		if ok, err := e.askAgreement(question); err != nil || !ok {
			return err
		}
	}
	if !edit.Known() {
		if err := edit.Write(); err != nil {
			return err
		}
		file.Written = true
		e.hint("added to " + edit.File)
		if !o.Team {
			e.hint("what is unsigned in the name of a holder is not shown to agents any more, until they sign it: git " +
				"ltm sign ID")
		}
	}
	if o.Team {
		e.hint("it counts once it is committed to the protected branch, pushed, fetched, and " +
			"accepted in each clone with 'git ltm trust init', and later with 'git ltm trust update'")
	}
	if store == "" {
		return nil
	}
	if err := m.Repo().Settings().Add(ctx, trust.StoreKey, store); err != nil {
		return fmt.Errorf("keep the id of the store: %w", err)
	}
	o.done.Store = e.printable(store)
	e.hintf("this clone takes itself for one of the store %s from now on, in which the signature was made: "+
		"git config --unset ltm.store %s takes it back", store, store)
	return nil
}

// addOwnKeys writes keys to the user's own list. A signature is good for one store alone, so where this clone
// knows none yet, the one that the signature names is shown and taken with the same answer. Nothing is taken for a
// person who was not asked. Where the list of a team that nobody has accepted yet names the store, what accepts the
// list accepts that.
func addOwnKeys(ctx context.Context, e *env, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	edit trust.Edit, store string,
) (err error) {
	var unknown []string // the stores that signatures here name and this clone does not know
	alone := len(t.Stores()) == 0
	if team := pendingList(ctx, m); team.proposal != nil && len(team.proposal.List.Stores()) > 0 {
		team.tellPending(e)
	} else if alone {
		unknown, err = m.Signer().SignedStores(ctx)
	} else if store != "" && !slices.Contains(t.Stores(), store) {
		unknown = []string{store}
	}
	if err != nil {
		return err
	}
	if store != "" && alone && slices.Equal(unknown, []string{store}) {
		return writeEdit(ctx, e, m, o, edit, store)
	}
	if err := writeEdit(ctx, e, m, o, edit, ""); err != nil {
		return err
	}
	for _, id := range unknown {
		if alone {
			e.hintf("records here are signed for the store %s, which this clone does not know; if this is a "+
				"clone of that project: git config ltm.store %s", id, id)
		} else {
			e.hintf("the signature was made for another store than this one, %s; if this is a clone of that "+
				"project too: git config --add ltm.store %s", id, id)
		}
	}
	return nil
}

type muteOptions struct{ muted bool }

// muteNames keeps names from being heard, or lets them.
func muteNames(ctx context.Context, e *env, m *memory.Memory, o muteOptions, names []string) error {
	if slices.ContainsFunc(names, func(name string) bool { return strings.TrimSpace(name) == "" }) {
		return usagef("there is no name")
	}
	var done []command.MutedName
	for _, name := range names {
		changed, err := trust.Mute(m.Repo(), name, o.muted)
		if err != nil {
			return err
		}
		known, err := m.Judge().IsAuthor(name)
		if err != nil {
			return err
		}
		if !changed {
			e.hint("there is nothing to do")
		} else if o.muted && !known {
			e.warnf("nobody whose name looks like %s has committed to the default branch of the remote, as far as this "+
				"clone knows; it is muted all the same", e.printable(strconv.Quote(name)))
		}
		done = append(done, command.MutedName{Name: e.printable(name), Muted: o.muted, Changed: changed})
	}
	did := "muted %s: agents are not shown what is unsigned in that name\n"
	if !o.muted {
		did = "unmuted %s: agents are shown what is unsigned in that name, where ltm.trust is remote\n"
	}
	for _, one := range done {
		if one.Changed {
			e.printf(did, one.Name)
		}
	}
	return e.printResult(done, nil)
}
