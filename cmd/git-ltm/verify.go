package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signing"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

type verifyOptions struct {
	Remote, Require string
	Quiet           bool
}

// errNotGoodEnough ends a verification that found what must not be.
var errNotGoodEnough = errors.New("not all records are trusted")

func runVerify(ctx context.Context, e *env, m *memory.Memory, o verifyOptions, specs []string) error {
	require, err := check.ParseRequirement(o.Require)
	if err != nil {
		return usagef("--require: %w", err)
	}
	if o.Remote != "" && len(specs) > 0 {
		return usagef("--remote looks at all that a remote holds, so it excludes ids")
	}
	// Where they cannot be read, what is printed is judged by the built-in ones.
	e.rules, _ = m.Rules(ctx)
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return err
	}
	e.warnAll(t.Warnings())
	team := pendingList(ctx, m)
	var all []command.Testimony
	seen, failed := 0, 0
	query := audit.TestifyQuery{Specs: specs, Remote: o.Remote, Require: require}
	for said, err := range m.Audit().Testify(ctx, query) {
		if err != nil {
			return err
		}
		seen++
		if said.Fails != "" {
			failed++
		} else if o.Quiet {
			continue
		}
		all = append(all, testimonyOf(e, said, team))
	}
	e.print(command.TestimoniesText(all))
	if seen == 0 {
		e.hint("there is no record here; 'git ltm sync' brings those of a remote")
	}
	if err := e.printResult(all, nil); err != nil {
		return err
	}
	if !o.Quiet {
		team.tellPending(e)
	}
	if len(specs) == 0 && o.Remote == "" {
		gone, err := m.Audit().Gone(ctx)
		if err != nil {
			return err
		}
		for _, ref := range gone {
			e.warnf("%s was here once and is gone; if it was meant to go: git ltm trust accept %s", ref,
				path.Base(ref))
		}
	}
	if failed > 0 {
		return fmt.Errorf("%w: %d failed", errNotGoodEnough, failed)
	}
	return nil
}

func testimonyOf(e *env, said audit.Testimony, team pending) command.Testimony {
	return printables(e, command.Testimony{Testimony: said, Change: team.changeOf(said)})
}

// A pending is a list of the team that does not count here yet. The zero value is none.
type pending struct {
	proposal *trust.Proposal
}

// pendingList looks for a list of the team that nobody has accepted here, or that has changed
// since. Where there
// is none, or it cannot be read, there is nothing to tell: 'git ltm trust init' says why.
func pendingList(ctx context.Context, m *memory.Memory) pending {
	if !m.Judge().MayPropose(ctx) {
		return pending{}
	}
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return pending{}
	}
	p, err := t.Propose(ctx, "")
	if err != nil || p.Pinned != "" && p.Same() {
		return pending{}
	}
	return pending{p}
}

// acceptCommand is what accepts the list.
func (p pending) acceptCommand() string {
	if p.proposal.Pinned == "" {
		return "git ltm trust init"
	}
	return "git ltm trust update"
}

// tellPending tells of the list.
func (p pending) tellPending(e *env) {
	switch {
	case p.proposal == nil:
	case p.proposal.Pinned == "":
		e.hint("the team keeps a list of keys in " + trust.TeamFolder + " of " + p.proposal.Ref +
			", which nobody has accepted here: " + p.acceptCommand())
	default:
		e.hint("the team's list has changed on " + p.proposal.Ref + ": " + p.acceptCommand())
	}
}

// changeOf is the command that changes the standing of a record, in words.
func (p pending) changeOf(said audit.Testimony) string {
	id, listed := string(said.ID), false // the list names the key or the store of the record
	if v := said.Verdict; p.proposal != nil && v.Key != "" {
		listed = slices.ContainsFunc(p.proposal.List.Keys(), func(k trust.Key) bool { return k.Fingerprint == v.Key }) &&
			(v.By == "" || slices.Contains(p.proposal.List.Stores(), said.Store))
	}
	switch v := said.Verdict; {
	case v.Standing == sign.Good, v.Standing == sign.Expired:
		if said.Policy+said.Unasked != "" {
			return "others sign it with: git ltm sign " + id
		}
		return ""
	case v.Standing == sign.Revoked:
		return "its author saves it anew, signed with another key: git cat-file blob " +
			clean.Line(said.Ref) + "^{blob} | git ltm save --new-id --sign -; then git ltm rm " + id
	case said.Tampered:
		return "look at it with git cat-file; if you know what happened: git ltm trust accept " + id
	case v.Standing == sign.Bad:
		return "its author saves it anew; look at it with git cat-file, and take it out of the lists " +
			"with: git ltm rm " + id
	case listed:
		return "the team's list, which does not count here as it is now, names it: " + p.acceptCommand()
	case command.StoreLater(said) != "":
		return command.OfStore(command.StoreLater(said))
	case v.Key == "" && vouch.MayBeLearned(said.Unasked):
		return command.Learning
	case v.Key == "":
		return command.ChangeUnsigned(said)
	case v.By == "":
		return command.ChangeUnknown(said)
	case said.Store == "":
		return "sign it here with: git ltm sign " + id
	default:
		return command.OfStore(said.Store)
	}
}

type signOptions struct {
	Key string
}

func runSign(ctx context.Context, e *env, m *memory.Memory, o signOptions, specs []string) error {
	var left []error
	found := slices.DeleteFunc(slices.Clone(specs), func(spec string) bool {
		_, err := m.TargetOf(ctx, spec)
		if !errors.Is(err, replay.ErrNotFound) {
			return false
		}
		if _, of, wide := m.FindAnyWide(ctx, spec); wide == nil && of != m {
			err = fmt.Errorf("record %[1]q is %[2]w here: 'git ltm --user sign %[1]s' signs it in your user-wide memory",
				reply.Word(spec), replay.ErrNotFound)
		}
		left = append(left, err)
		return true
	})
	if len(found) == 0 {
		return errors.Join(left...)
	}
	done, err := m.Endorse(ctx, found, o.Key)
	for _, d := range done {
		if d.Known {
			e.hintf("%s was signed with this key before, nothing changed", d.ID)
		}
		switch standing := d.Verdict.Standing; {
		case d.Own:
			e.hintf("%s is stored behind a signature of the same key, so it has no second signer; --key names "+
				"another", d.ID)
		case standing == sign.Foreign && m.Signer().NewStore() != "":
			// The first signature made the id of the store, by which it is judged only from then on.
		case standing != sign.Good:
			e.hintf("the signature of %s is %s here: %s", d.ID, standing, e.printable(d.Verdict.Why))
		}
		if err := hintUnsignedChanges(ctx, e, m, d.ID); err != nil {
			return err
		}
		e.println(d.Ref)
	}
	if err == nil && len(left) > 0 {
		return errors.Join(e.printResult(printables(e, done), nil), &partialError{"signed", len(specs), left})
	}
	return e.printResult(printables(e, done), err)
}

// partialError is a command that did for some records what it could not do for the others.
type partialError struct {
	did  string
	of   int
	left []error
}

func (e *partialError) Error() string {
	return fmt.Sprintf("%d of %d records were not %s, the others were", len(e.left), e.of, e.did)
}

// hintUnsignedChanges says which changes of a record that was signed now have no effect for others any more,
// because this clone made them without a signature.
func hintUnsignedChanges(ctx context.Context, e *env, m *memory.Memory, id packet.ID) error {
	about, err := m.History(ctx, id)
	all := "git ltm sign"
	for _, event := range about {
		undone, failed := m.Undone(ctx, event.ID)
		if err = errors.Join(err, failed); event.Made && !event.Signed && len(event.Endorsers) == 0 && !undone {
			all += " " + string(event.ID)
		}
	}
	if all != "git ltm sign" {
		e.hintf("what you changed of %s is not signed, so that clones which trust your key leave it out: %s", id,
			all)
	}
	return err
}

type keyInitOptions struct {
	As             string
	Global, DryRun bool
}

func runKeyInit(ctx context.Context, e *env, m *memory.Memory, o keyInitOptions, _ []string) error {
	made, err := m.Signer().InitKey(ctx,
		signing.KeyRequest{Principal: o.As, Global: o.Global, DryRun: o.DryRun})
	if err != nil {
		return err
	}
	if made.Known {
		e.hint("the key " + made.File + " is there already")
	}
	for _, s := range made.Settings {
		e.hint("set " + s)
	}
	if o.DryRun {
		e.hint("this was a dry run, nothing was made")
	}
	if made.Line = strings.TrimSpace(made.Line); made.Line != "" {
		e.hint("this line lets others trust it; to trust it here: git ltm trust add " + made.File +
			".pub --as " + made.Principal)
		e.println(made.Line)
	}
	return e.printResult(command.KeyMade{AgentKey: made, DryRun: o.DryRun}, nil)
}
