package memory

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// The keys that name the key to sign with: the first is for records alone.
const (
	ownSigningKey = "ltm.signingKey"
	gitSigningKey = "user.signingKey"
)

// signingKey returns the key to sign with, and the format of the signature. A key for records alone that is a public key or
// the name of a file is one of SSH, whatever commits are signed with.
func (m *Memory) signingKey(ctx context.Context, config git.Config) (signer.Format, string, error) {
	format := signer.OpenPGP
	if text, ok := config.Get("gpg.format"); ok {
		format = signer.Format(strings.ToLower(text))
	}
	switch format {
	case signer.OpenPGP, signer.SSH, signer.X509:
	default:
		return "", "", fmt.Errorf("gpg.format is none of %s, %s and %s", signer.OpenPGP, signer.SSH, signer.X509)
	}
	key, _ := config.Get(gitSigningKey)
	name := gitSigningKey
	if own, ok := config.Get(ownSigningKey); ok && own != "" {
		key, name = own, ownSigningKey
		if strings.ContainsAny(own, `/\`) || strings.HasPrefix(own, "key::") || strings.HasPrefix(own, "ssh-") {
			format = signer.SSH
		}
	}
	if format == signer.SSH && strings.HasPrefix(key, "~") {
		path, _, err := m.repo.PathSetting(ctx, name)
		if errors.Is(err, git.ErrOneCall) {
			path, err = m.atHome(key)
		}
		if err != nil {
			return "", "", err
		}
		key = path
	}
	return format, key, nil
}

// atHome expands "~/" of a setting that stands in no file.
func (m *Memory) atHome(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~/")
	home, _ := m.repo.Env("HOME")
	if !ok || home == "" {
		return "", fmt.Errorf("find %q: only ~/ and a home directory are known for one call", path)
	}
	return filepath.Join(home, rest), nil
}

// signTimeout is how long a program may take to sign; zero leaves it to the signer.
func signTimeout(config git.Config) (time.Duration, error) {
	const key = "ltm.signTimeout"
	text, ok := config.Get(key)
	if !ok {
		return 0, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, nil
	}
	if d, err := time.ParseDuration(text + "s"); err == nil && d > 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%s is no time such as 30s", key)
}

// storeKey is the key that names the store.
const storeKey = "ltm.store"

// storeID returns the id of the store that a signature is made for. Where there is none yet, it is taken from what trusted
// keys signed here, or else drawn, and written to the configuration of this clone.
func (m *Memory) storeID(ctx context.Context) (string, error) {
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
	id, err := m.Adoptable(ctx)
	if err != nil {
		return "", err
	}
	taken := id != ""
	if !taken {
		var b [16]byte
		if _, err := io.ReadFull(m.opts.Entropy, b[:]); err != nil {
			return "", fmt.Errorf("draw an id of the store: %w", err)
		}
		id = hex.EncodeToString(b[:])
	}
	if m.drawn, err = m.keepStore(ctx, id); err != nil {
		return "", err
	}
	m.storeTaken = taken
	return m.drawn, nil
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
		failure := m.repo.AddConfig(ctx, storeKey, id)
		config, err := m.repo.Config(ctx)
		if err != nil {
			return "", errors.Join(failure, err)
		}
		all := config.All(storeKey)
		switch {
		case failure == nil && len(all) > 0 && all[0] != id:
			_ = m.repo.UnsetConfig(ctx, storeKey, id) // One that stays is of no use to anybody, and does no harm.
			return all[0], nil
		case failure == nil:
			return id, nil
		case len(all) > 0:
			return all[0], nil
		case left <= 1 || ctx.Err() != nil:
			return "", failure
		}
		time.Sleep(configPause)
	}
}

// adopted is how many packets are searched for the id of a store.
const adopted = 500

// Adoptable returns the id of the store that the newest packets here were signed for by keys that are trusted, where all name
// the same one; else nothing.
func (m *Memory) Adoptable(ctx context.Context) (string, error) {
	t, err := m.Trust(ctx)
	if err != nil {
		return "", err
	}
	left := adopted
	var stores []string
	for ref, err := range m.store.List(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return "", err
		}
		obj, err := m.store.Read(ctx, ref, bound(refs.Packets))
		if err != nil && !IsUnreadable(err) {
			return "", err
		}
		if tag, failure := sign.Examine(obj.Tag, string(ref.Name.ID), obj.OID, obj.Data); err == nil && failure == nil && tag.Store != "" {
			v, err := t.Judge(ctx, tag, obj.TagOID)
			if err != nil {
				return "", err
			}
			if v.Standing == sign.Good && !slices.Contains(stores, tag.Store) {
				stores = append(stores, tag.Store)
			}
		}
		if left--; left == 0 {
			break
		}
	}
	if len(stores) != 1 {
		return "", nil
	}
	return stores[0], nil
}
