package signing

import (
	"context"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// mostSearched is how many packets are searched for the ids of stores.
const mostSearched = 500

// SignedStores returns the ids of the stores that the newest packets here are signed for, when they were stored or later, by
// whatever keys: it is for asking the user, not for trusting.
func (s *Signer) SignedStores(ctx context.Context) ([]string, error) {
	left := mostSearched
	stores, err := s.endorsedStores(ctx)
	if err != nil {
		return nil, err
	}
	for ref, err := range s.opts.Store.List(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return nil, err
		}
		store, err := s.signedStore(ctx, ref)
		if err != nil {
			return nil, err
		}
		if store != "" && !slices.Contains(stores, store) {
			stores = append(stores, store)
		}
		if left--; left == 0 {
			break
		}
	}
	return stores, nil
}

// endorsedStores returns the ids of the stores that later signatures here were made for, as far as they are looked at.
func (s *Signer) endorsedStores(ctx context.Context) ([]string, error) {
	later, err := s.opts.Store.Endorsements(ctx, "")
	if err != nil {
		return nil, err
	}
	var stores []string
	for _, e := range later[max(0, len(later)-mostSearched):] {
		store, err := s.endorsedStore(ctx, e)
		if err != nil {
			return nil, err
		}
		if store != "" && !slices.Contains(stores, store) {
			stores = append(stores, store)
		}
	}
	return stores, nil
}

// endorsedStore returns the store that a later signature was made for, or nothing.
func (s *Signer) endorsedStore(ctx context.Context, e refs.Endorsement) (string, error) {
	for _, kind := range refs.Kinds() {
		ref, err := s.opts.Store.Lookup(ctx, kind, e.ID)
		if errors.Is(err, refs.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", err
		}
		obj, err := s.opts.Store.Read(ctx, ref, refs.Bound(kind))
		if refs.IsFault(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		tag, v, err := s.opts.Judge.Endorsement(ctx, e, obj)
		if err != nil || !v.Standing.Withheld() {
			return tag.Store, err
		}
	}
	return "", nil
}

// signedStore returns the store that a record is signed for, or nothing.
func (s *Signer) signedStore(ctx context.Context, ref refs.Ref) (string, error) {
	obj, err := s.opts.Store.Read(ctx, ref, refs.Bound(ref.Name.Kind))
	if refs.IsFault(err) || err == nil && len(obj.Tag) == 0 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	tag, err := sign.Examine(obj.Tag, string(ref.Name.ID), obj.OID, obj.Data)
	if err != nil {
		return "", nil //nolint:nilerr // What is no signature names no store.
	}
	t, err := s.opts.Judge.Trust(ctx)
	if err != nil {
		return "", err
	}
	v, err := t.Judge(ctx, tag, obj.TagOID)
	if err != nil || v.Standing.Withheld() {
		return "", err
	}
	return tag.Store, nil
}
