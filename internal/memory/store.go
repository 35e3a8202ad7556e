package memory

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// StoreError is a clone that does not know which store it is, although its team says so, or records here are signed for one.
type StoreError struct {
	Stores []string
	Team   string // the ref on which the team's list names them; empty where records do
}

func (e *StoreError) Error() string {
	if e.Team != "" {
		return "the team's list on " + e.Team + " names the store, and nobody has accepted it here"
	}
	return "this clone does not know which store it is, and records here are signed for " + strings.Join(e.Stores, ", ")
}

// StoreID returns the id of the store that a signature is made for. Where there is none yet, it is drawn and written to the
// configuration of this clone. One that stands in records here is never taken without being asked: whoever can push could
// have brought them from another project, in which the same people sign.
func (m *Memory) StoreID(ctx context.Context) (string, error) {
	t, err := m.Trust(ctx)
	if err != nil {
		return "", err
	}
	if stores := t.Stores(); len(stores) > 0 {
		return stores[0], nil
	}
	if m.drawn != "" {
		return m.drawn, nil
	}
	if p, err := t.Propose(ctx, ""); err == nil && len(p.List.Stores()) > 0 {
		return "", &StoreError{Stores: p.List.Stores(), Team: p.Ref}
	}
	named, err := m.signedStores(ctx)
	if err != nil {
		return "", err
	}
	if len(named) > 0 {
		drawn, err := m.drawnStore(ctx) // Another process of this clone may have signed them a moment ago.
		if err == nil && drawn == "" {
			err = &StoreError{Stores: named}
		}
		return drawn, err
	}
	var b [16]byte
	if _, err := io.ReadFull(m.opts.Entropy, b[:]); err != nil {
		return "", fmt.Errorf("draw an id of the store: %w", err)
	}
	m.drawn, err = m.keepStore(ctx, hex.EncodeToString(b[:]))
	return m.drawn, err
}

// drawnStore returns the id that stands first in the configuration as it is now, or nothing: the one that all take.
func (m *Memory) drawnStore(ctx context.Context) (string, error) {
	config, err := m.repo.Config(ctx)
	if err != nil {
		return "", err
	}
	for _, id := range config.All(trust.StoreKey) {
		return id, nil
	}
	return "", nil
}

// The patience with another process that writes the configuration, of which git waits for none.
const (
	configTries = 20
	configPause = 25 * time.Millisecond
)

// keepStore writes an id of the store to the configuration of this clone. Another process may do the same now: the id that
// stands first there is the one that both take.
func (m *Memory) keepStore(ctx context.Context, id string) (string, error) {
	for left := configTries; ; left-- {
		failure := m.repo.AddConfig(ctx, trust.StoreKey, id)
		first, err := m.drawnStore(ctx)
		if err != nil {
			return "", errors.Join(failure, err)
		}
		switch {
		case failure == nil && first != "" && first != id:
			_ = m.repo.UnsetConfig(ctx, trust.StoreKey, id) // One that stays is of no use to anybody, and does no harm.
			return first, nil
		case failure == nil:
			return id, nil
		case first != "":
			return first, nil
		case left <= 1 || ctx.Err() != nil:
			return "", failure
		}
		time.Sleep(configPause)
	}
}

// mostSearched is how many packets are searched for the ids of stores.
const mostSearched = 500

// signedStores returns the ids of the stores that the newest packets here are signed for, by whatever keys: it is for asking
// the user, not for trusting.
func (m *Memory) signedStores(ctx context.Context) ([]string, error) {
	left := mostSearched
	var stores []string
	for ref, err := range m.store.List(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return nil, err
		}
		store, err := m.signedStore(ctx, ref)
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

// signedStore returns the store that a record is signed for, or nothing.
func (m *Memory) signedStore(ctx context.Context, ref refs.Ref) (string, error) {
	obj, err := m.store.Read(ctx, ref, bound(ref.Name.Kind))
	if IsUnreadable(err) || err == nil && len(obj.Tag) == 0 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	tag, err := sign.Examine(obj.Tag, string(ref.Name.ID), obj.OID, obj.Data)
	if err != nil {
		return "", nil //nolint:nilerr // What is no signature names no store.
	}
	t, err := m.Trust(ctx)
	if err != nil {
		return "", err
	}
	v, err := t.Judge(ctx, tag, obj.TagOID)
	if err != nil || v.Standing.Withheld() {
		return "", err
	}
	return tag.Store, nil
}
