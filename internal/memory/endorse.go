package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// BlockedError says that a ref lies where a record needs a folder.
type BlockedError = refs.BlockedError

// Endorsed is a signature that was added to a record.
type Endorsed struct {
	ID      packet.ID    `json:"id"`
	Ref     string       `json:"ref"`   // the full name of the ref that holds it
	Key     string       `json:"key"`   // fingerprint of the key
	Known   bool         `json:"known"` // the same key had signed it before
	Own     bool         `json:"-"`     // the key is the one behind whose signature the record is stored
	Verdict sign.Verdict `json:"-"`     // what the signature is worth here
}

// Endorse signs records that are stored already, packets and events, with the user's own key. Each signature
// is a ref of its Own, so that nothing is rewritten. A record whose signature is bad, or that policy could
// never hand on, is refused. Another key than the configured one can be named.
func (m *Memory) Endorse(ctx context.Context, specs []string, key string) ([]Endorsed, error) {
	m.signer.Use(key)
	if err := m.Heal(ctx); err != nil {
		return nil, err
	}
	named, err := m.Targets(ctx, specs)
	if err != nil {
		return nil, err
	}
	var refused []error
	entries := make([]replay.Entry, len(named))
	for i, t := range named {
		e, err := m.Read(ctx, t.Ref)
		entries[i] = e
		switch { // Nobody should vouch for what cannot be read, and for what is bad.
		case t.Ref.Name.Private:
			refused = append(refused, fmt.Errorf("sign %s: %w", t.Ref.Name.ID, gate.ErrPrivate))
		case err != nil:
			refused = append(refused, &replay.ReadError{Ref: t.Name, Err: err})
		case e.Verdict.Standing.Withheld():
			refused = append(refused, &replay.StandingError{ID: e.ID, Verdict: e.Verdict})
		}
	}
	if err := errors.Join(refused...); err != nil {
		return nil, err
	}
	var done []Endorsed
	for i, t := range named {
		e, err := m.endorseOne(ctx, t)
		if err != nil {
			return done, err
		}
		// What was made here is of the user, also where the store has its name from this signature.
		if entries[i].Made || e.Verdict.Standing == sign.Good {
			m.seen.NoteSigner(entries[i].Origin().Author.AuthorHuman)
		}
		done = append(done, e)
	}
	m.Forget()
	s, err := m.Fold(ctx)
	if err == nil && slices.ContainsFunc(done, func(e Endorsed) bool { return s.Stones[e.ID] != "" }) {
		// One that waited, or was refused, takes effect with a trusted signature.
		_, err = m.purges.Bury(ctx, "")
	}
	return done, err
}

// endorseOne signs one record.
func (m *Memory) endorseOne(ctx context.Context, t check.Target) (Endorsed, error) {
	obj, err := m.store.Read(ctx, t.Ref)
	if err != nil {
		return Endorsed{}, err
	}
	id := t.Ref.Name.ID
	raw, err := m.signer.Tag(ctx, id, obj.OID, obj.Data)
	if err != nil {
		return Endorsed{}, &gate.SignError{Err: err}
	}
	tag, err := sign.Examine(raw, string(id), obj.OID, obj.Data)
	if err != nil {
		return Endorsed{}, &gate.SignError{Err: err}
	}
	key, err := m.signer.KeyOf(ctx, tag)
	if err != nil {
		return Endorsed{}, err
	}
	before, err := m.store.Endorsements(ctx, id)
	if err != nil {
		return Endorsed{}, err
	}
	known := slices.ContainsFunc(before, func(e refs.Ref) bool {
		return e.Name.Key == trust.ShortKey(key) && e.Remote == ""
	})
	made, err := m.store.Endorse(ctx,
		refs.NewEndorsement{ID: id, Key: trust.ShortKey(key), Tag: raw, Blob: obj.OID})
	if errors.Is(err, refs.ErrExists) {
		return Endorsed{}, fmt.Errorf("signature of %s: %w", id, replay.ErrExists)
	}
	if err != nil {
		return Endorsed{}, fmt.Errorf("store signature of %s: %w", id, err)
	}
	e := Endorsed{ID: id, Ref: made.Full(), Key: key, Known: known}
	if own, err := sign.ParseTag(obj.Tag); err == nil {
		e.Own = own.Key() != "" && own.Key() == tag.Key()
	}
	// What lies there may be the signature of another.
	_, e.Verdict, err = m.judge.Endorsement(ctx, made, obj)
	return e, err
}
