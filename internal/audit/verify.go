package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Testimony is all that can be said of who vouches for one record.
type Testimony struct {
	ID     packet.ID `json:"id"`
	Ref    string    `json:"ref"`              // the full name of the ref
	Kind   string    `json:"kind"`             // packet or event
	Remote string    `json:"remote,omitempty"` // the remote that holds it; empty for a record of this clone
	sign.Verdict
	Endorsers []trust.Endorser `json:"endorsements"`
	Tampered  bool             `json:"-"` // it is not what this clone saw before
	// an event that counts took it out of every list; it fails for nothing that it lacks
	Retracted bool `json:"-"`
	Endorsed  int  `json:"endorsed"` // how many others vouch for it
	// what the signature says of its maker, which nobody checks; empty where there is none
	Tagger string `json:"tagger,omitempty"`
	Store  string `json:"store,omitempty"` // the store that it was signed for
	// why policy keeps it from sessions; empty where it is handed on when somebody asks
	Policy  string `json:"withheld,omitempty"`
	Unasked string `json:"not_injected,omitempty"` // the same where nobody asked
	// the author in whose name it is shown unsigned, since the upstream delivered it; else empty
	Claims string `json:"shown_as_said_by,omitempty"`
	Fails  string `json:"fails,omitempty"` // why it fails a verification; empty where it does not
}

// TestifyQuery narrows a verification. The zero value asks for every packet and event of this clone and of
// what remotes are known to hold.
type TestifyQuery struct {
	Specs   []string // these records, as Find takes them; events by their ids too
	Remote  string   // only what this remote is known to hold
	Require check.Requirement
}

// Testify yields what is known of each record.
func (u *Auditor) Testify(ctx context.Context, q TestifyQuery) iter.Seq2[Testimony, error] {
	return func(yield func(Testimony, error) bool) {
		var targets []check.Target
		var err error
		switch {
		case q.Remote != "" && !refs.SafeRemote(q.Remote):
			err = fmt.Errorf("remote %q: its name does not fit into a ref", replay.Quotable(q.Remote))
		case q.Remote != "": // What it is known to hold, whatever this clone holds under the same names.
			var held git.RefList
			held, err = u.opts.Store.Remote(q.Remote).Holds(ctx)
			for full, object := range held.All() {
				if name, ok := refs.ParseName(full); ok {
					ref := refs.Ref{Name: name, Remote: q.Remote, Object: object}
					targets = append(targets, check.Target{Name: ref.Full(), Ref: ref})
				}
			}
		case len(q.Specs) > 0:
			targets, err = u.opts.Reader.Targets(ctx, q.Specs)
		default:
			targets, err = listedRefs(ctx, u.opts.Store.List)
		}
		if err != nil {
			yield(Testimony{}, err)
			return
		}
		for _, t := range targets {
			said, err := u.testifyOne(ctx, t, q.Require)
			if !yield(said, err) || err != nil {
				return
			}
		}
	}
}

// testifyOne looks at one record. One that cannot be read is bad: nobody can vouch for it.
func (u *Auditor) testifyOne(ctx context.Context, t check.Target, require check.Requirement) (Testimony, error) {
	said := Testimony{
		ID: t.Ref.Name.ID, Ref: t.Name, Remote: t.Ref.Remote,
		Kind: string(refs.RecordKind(t.Ref.Name.Kind)),
	}
	obj, err := u.opts.Store.Read(ctx, t.Ref)
	switch {
	case t.Flaw != "" || replay.IsUnreadable(err):
		said.Verdict = sign.Verdict{Standing: sign.Bad, Why: refs.Flaw(err)}
		said.Policy, said.Unasked, said.Fails = said.Verdict.Why, said.Verdict.Why, said.Verdict.Why
		return said, nil
	case err != nil:
		return Testimony{}, err
	}
	if tag, err := sign.ParseTag(obj.Tag); err == nil {
		said.Tagger, said.Store = tag.Tagger, tag.Store
	}
	v, err := u.opts.Judge.Vouch(ctx, said.ID, obj)
	if err != nil {
		return Testimony{}, err
	}
	rec, err := packet.Parse(obj.Data, packet.Stored)
	if err == nil {
		err = replay.Fits(rec, t.Ref.Name)
	}
	if err != nil {
		v.Verdict = sign.Verdict{
			Standing: sign.Bad,
			Why:      "it is no valid record of this name; 'git ltm check' says why",
		}
	}
	said.Verdict, said.Endorsers = u.opts.Seen.Compare(v, t.Ref.Name, obj), v.Endorsers
	if said.Verdict.Standing.Withheld() {
		said.Tagger, said.Store = "", "" // They are texts of a record that nobody gets to see.
	}
	said.Tampered = said.Verdict.Standing == sign.Bad && v.Verdict.Standing != sign.Bad
	said.Endorsed = trust.EndorsedBy(said.Verdict, v.Endorsers)
	s, err := u.opts.Reader.Fold(ctx)
	if err != nil {
		return Testimony{}, err
	}
	said.Retracted = s.Lives[said.ID].Retracted
	p, err := u.opts.Judge.Policy(ctx)
	if err != nil {
		return said, err
	}
	said.Policy = trust.KeptFrom(p, said.Verdict, said.Endorsers, replay.Asked)
	said.Unasked = trust.KeptFrom(p, said.Verdict, said.Endorsers, replay.Unasked)
	// What was retracted no session reads any more, so nobody has to vouch for it.
	if !said.Retracted || said.Verdict.Standing == sign.Bad {
		if said.Fails = said.Policy; said.Fails == "" {
			signed := len(obj.Tag)+len(said.Endorsers) > 0
			said.Fails = require.Lacks(v.Verdict, signed, said.Endorsed, p.Endorsed)
		}
	}
	if said.Policy != "" || said.Unasked == "" {
		return said, nil
	}
	by := cmp.Or(rec.Content().Provenance, rec.Event().Provenance)
	if said.Unasked, err = u.opts.Reader.Unheard(ctx, t.Ref.Name, by, said.Verdict,
		said.Unasked); said.Unasked == "" {
		said.Claims = by.AuthorHuman
	}
	return said, err
}

// ErrUnsigned says that a record has no signature where one was asked for.
var ErrUnsigned = errors.New("it is not signed")

// SignedWith returns the signature of a record: its own, or else the one that was added later, if there is
// one alone that may be meant. What it says of its maker is not checked.
func (u *Auditor) SignedWith(ctx context.Context, spec string) (sign.Tag, error) {
	t, err := u.opts.Reader.TargetOf(ctx, spec)
	if err != nil {
		return sign.Tag{}, err
	}
	obj, err := u.opts.Store.Read(ctx, t.Ref)
	if err != nil {
		return sign.Tag{}, &replay.ReadError{Ref: t.Name, Err: err}
	}
	if len(obj.Tag) == 0 {
		// Returns the one later signature of a record. Anybody can add one, so that of several none is
		// chosen.
		later, err := u.opts.Store.Endorsements(ctx, t.Ref.Name.ID)
		if err != nil {
			return sign.Tag{}, err
		}
		var fit []sign.Tag
		for _, e := range later[:min(len(later), trust.MostEndorsers)] {
			tag, v, err := u.opts.Judge.Endorsement(ctx, e, obj)
			if err != nil {
				return sign.Tag{}, err
			}
			if !v.Standing.Withheld() {
				fit = append(fit, tag)
			}
		}
		switch len(fit) {
		case 0:
			return sign.Tag{}, fmt.Errorf("record %s: %w", t.Ref.Name.ID, ErrUnsigned)
		case 1:
			return fit[0], nil
		default:
			return sign.Tag{}, fmt.Errorf(
				"record %s was signed later by %d keys: name the one that is meant by its file; one of several %w", t.Ref.Name.ID, len(fit), replay.ErrUsage)
		}
	}
	tag, err := sign.Examine(obj.Tag, string(t.Ref.Name.ID), obj.OID, obj.Data)
	if err != nil {
		return sign.Tag{}, &replay.StandingError{
			ID:      t.Ref.Name.ID,
			Verdict: sign.Verdict{Standing: sign.Bad, Why: err.Error()},
		}
	}
	return tag, nil
}
