package gate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// StoreError is a clone that does not know which store it is, although its team says so, or records here are
// signed for one.
type StoreError struct {
	Stores []string
	Team   string // the ref on which the team's list names them; empty where records do
}

func (e *StoreError) Error() string {
	if e.Team != "" {
		return "the team's list on " + e.Team + " names the store, and nobody has accepted it here"
	}
	return "this clone does not know which store it is, and records here are signed for " +
		strings.Join(e.Stores, ", ")
}

// StoreID returns the id of the store that a signature is made for. Where there is none yet, it is drawn and
// written to the configuration of this clone.
func (s *Signer) StoreID(ctx context.Context) (string, error) {
	id, drawn, err := s.findStore(ctx)
	if err == nil && drawn {
		s.drawn, err = s.keepStore(ctx, id)
		id = s.drawn
	}
	return id, err
}

// storeID returns the id of the store that a signature is made for, and whether it was drawn now and is
// written nowhere yet: a signature that fails makes none. One that stands in records here is never taken
// without being asked: whoever can push could have brought them from another project, in which the same
// people sign.
func (s *Signer) findStore(ctx context.Context) (id string, drawn bool, err error) {
	t, err := s.opts.Judge.Trust(ctx)
	if err != nil {
		return "", false, err
	}
	if stores := t.Stores(); len(stores) > 0 {
		return stores[0], false, nil
	}
	if s.drawn != "" {
		return s.drawn, false, nil
	}
	if p, err := t.Propose(ctx, ""); err == nil && len(p.List.Stores()) > 0 {
		return "", false, &StoreError{Stores: p.List.Stores(), Team: p.Ref}
	}
	named, err := s.SignedStores(ctx)
	if err != nil {
		return "", false, err
	}
	if len(named) > 0 {
		id, err := s.drawnStore(ctx) // Another process of this clone may have signed them a moment ago.
		if err == nil && id == "" {
			err = &StoreError{Stores: named}
		}
		return id, false, err
	}
	var b [16]byte
	if _, err := io.ReadFull(s.opts.Entropy, b[:]); err != nil {
		return "", false, fmt.Errorf("draw an id of the store: %w", err)
	}
	return hex.EncodeToString(b[:]), true, nil
}

// drawnStore returns the id that stands first in the configuration as it is now, or nothing: the one that all
// take.
func (s *Signer) drawnStore(ctx context.Context) (string, error) {
	config, err := s.opts.Repo.Config(ctx)
	if err != nil {
		return "", err
	}
	for _, id := range config.All(trust.StoreKey) {
		return id, nil
	}
	return "", nil
}

// keepStore writes an id of the store to the configuration of this clone. Another process may do the same
// now: the id that stands first there is the one that both take.
func (s *Signer) keepStore(ctx context.Context, id string) (string, error) {
	failure := s.opts.Repo.Settings().Add(ctx, trust.StoreKey, id)
	first, err := s.drawnStore(ctx)
	switch {
	case err != nil:
		return "", errors.Join(failure, err)
	case first == "":
		return id, failure
	case failure == nil && first != id:
		// One that stays is of no use to anybody, and does no harm.
		_ = s.opts.Repo.Settings().Unset(ctx, git.Local, trust.StoreKey, id)
	}
	return first, nil
}

// mostSearched is how many packets are searched for the ids of stores.
const mostSearched = 500

// SignedStores returns the ids of the stores that the newest packets here are signed for, when they were
// stored or later, by whatever keys: it is for asking the user, not for trusting.
func (s *Signer) SignedStores(ctx context.Context) ([]string, error) {
	found, err := s.opts.Store.Endorsements(ctx, "")
	if err != nil {
		return nil, err
	}
	found = found[max(0, len(found)-mostSearched):]
	left := mostSearched
	for ref, err := range s.opts.Store.List(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return nil, err
		}
		found = append(found, ref)
		if left--; left == 0 {
			break
		}
	}
	_, all, err := s.storesBehind(ctx, found)
	return all, err
}

// StoresOf returns the ids of the stores that records and later signatures are for, by their full names, in
// their order: those that trusted keys signed for, and all. Of very many only the first are looked at.
func (s *Signer) StoresOf(ctx context.Context, names []string) (trusted, all []string, err error) {
	var found []refs.Ref
	names = names[:min(len(names), mostSearched)]
	for _, full := range names {
		if name, ok := refs.ParseName(full); ok {
			if ref, err := s.opts.Store.Lookup(ctx, name); err == nil { // What is gone names no store.
				found = append(found, ref)
			}
		}
	}
	later, err := s.opts.Store.Endorsements(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	for _, e := range later {
		if slices.Contains(names, e.Full()) {
			found = append(found, e)
		}
	}
	return s.storesBehind(ctx, found)
}

// storesBehind returns the ids of the stores that signatures of records, or later ones, were made for: those
// that trusted keys signed for, and all, each once. What cannot be read and what is withheld names none.
func (s *Signer) storesBehind(ctx context.Context, signed []refs.Ref) (trusted, all []string, err error) {
	t, err := s.opts.Judge.Trust(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, ref := range signed {
		record, later := ref, ref.Name.Key != ""
		if later {
			if record, err = check.HolderOf(ctx, s.opts.Store, ref.Name.ID); err != nil {
				return nil, nil, err
			}
		}
		if record.Name.ID == "" {
			continue
		}
		obj, err := s.opts.Store.Read(ctx, record)
		if refs.IsFault(err) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		var tag sign.Tag
		var v sign.Verdict
		if later {
			tag, v, err = s.opts.Judge.Endorsement(ctx, ref, obj)
		} else if tag, err = sign.Examine(obj.Tag, string(ref.Name.ID), obj.OID, obj.Data); err == nil {
			v, err = t.Judge(ctx, tag, obj.TagOID)
		} else {
			continue // What is no signature names no store.
		}
		if err != nil {
			return nil, nil, err
		}
		if tag.Store == "" || v.Standing.Withheld() {
			continue
		}
		if !slices.Contains(all, tag.Store) {
			all = append(all, tag.Store)
		}
		isTrusted := v.Standing == sign.Good || later && v.Standing == sign.Foreign
		if isTrusted && !slices.Contains(trusted, tag.Store) {
			trusted = append(trusted, tag.Store)
		}
	}
	return trusted, all, nil
}
