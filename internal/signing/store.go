package signing

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
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
// configuration of this clone.
func (s *Signer) StoreID(ctx context.Context) (string, error) {
	id, drawn, err := s.findStore(ctx)
	if err == nil && drawn {
		s.drawn, err = s.keepStore(ctx, id)
		id = s.drawn
	}
	return id, err
}

// storeID returns the id of the store that a signature is made for, and whether it was drawn now and is written nowhere yet: a
// signature that fails makes none. One that stands in records here is never taken without being asked: whoever can push could
// have brought them from another project, in which the same people sign.
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

// drawnStore returns the id that stands first in the configuration as it is now, or nothing: the one that all take.
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

// The patience with another process that writes the configuration, of which git waits for none.
const (
	configTries = 20
	configPause = 25 * time.Millisecond
)

// keepStore writes an id of the store to the configuration of this clone. Another process may do the same now: the id that
// stands first there is the one that both take.
func (s *Signer) keepStore(ctx context.Context, id string) (string, error) {
	for left := configTries; ; left-- {
		failure := s.opts.Repo.AddConfig(ctx, trust.StoreKey, id)
		first, err := s.drawnStore(ctx)
		if err != nil {
			return "", errors.Join(failure, err)
		}
		switch {
		case failure == nil && first != "" && first != id:
			_ = s.opts.Repo.UnsetConfig(ctx, git.Local, trust.StoreKey, id) // One that stays is of no use to anybody, and does no harm.
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
