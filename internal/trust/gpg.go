package trust

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// gpg is the keyring of the user's gpg. It is asked when the first signature names a key, and for no key that it does not
// hold, so that a flood of made-up signatures starts no processes.
type gpg struct {
	settings *settings
	once     *sync.Once
	held     map[string]signer.Key // by fingerprint and by key id, of primary keys and subkeys
	failure  error
	rings    map[string]ring // by the fingerprint of a primary key
}

// A ring is one key, and whether gpg is sure enough of it.
type ring struct {
	keys    sign.Keyring
	trusted bool
}

func newGPG(s *settings) gpg {
	return gpg{settings: s, once: new(sync.Once), rings: map[string]ring{}}
}

// config is how gpg is run.
func (t *Trust) gpgConfig() signer.Config {
	return signer.Config{Format: signer.OpenPGP, Program: t.settings.gpg, Dir: t.repo.Dir, Env: t.repo.Environ()}
}

// keysOf returns the keys of gpg that a signature names. The caller holds the lock.
func (t *Trust) keysOf(ctx context.Context, issuers []string) (trusted, known sign.Keyring, err error) {
	t.gpg.once.Do(func() { t.gpg.held, t.gpg.failure = signer.Validities(ctx, t.gpgConfig()) })
	if t.gpg.failure != nil {
		return trusted, known, t.gpg.failure
	}
	for _, issuer := range issuers {
		key, ok := t.gpg.held[issuer]
		if !ok {
			continue
		}
		r, err := t.ringOf(ctx, key)
		if err != nil {
			return trusted, known, err
		}
		if r.trusted {
			return r.keys, known, nil
		}
		known = r.keys
	}
	return trusted, known, nil
}

// Fingerprints yields the fingerprints of all keys that a list names, subkeys included, those of gpg's keyring too.
func (t *Trust) Fingerprints(ctx context.Context) iter.Seq[string] {
	return func(yield func(string) bool) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.gpg.once.Do(func() { t.gpg.held, t.gpg.failure = signer.Validities(ctx, t.gpgConfig()) })
		for fingerprint := range t.gpg.held {
			if !yield(fingerprint) {
				return
			}
		}
		for _, l := range t.lists {
			for _, fingerprint := range l.fingerprints() {
				if !yield(fingerprint) {
					return
				}
			}
		}
	}
}

// fingerprints returns those of the keys that a list itself holds.
func (l *List) fingerprints() []string {
	var all []string
	for _, e := range l.Signers.Entries() {
		all = append(all, e.Fingerprint)
	}
	for _, k := range l.Keyring.Keys() {
		all = append(append(all, k.Fingerprint), k.Subkeys...)
	}
	return all
}

// ringOf exports one key, once.
func (t *Trust) ringOf(ctx context.Context, key signer.Key) (ring, error) {
	if r, ok := t.gpg.rings[key.Primary]; ok {
		return r, nil
	}
	data, err := signer.Export(ctx, t.gpgConfig(), []string{key.Primary})
	if err != nil {
		return ring{}, err
	}
	keys, err := sign.ParseKeyring(data)
	if err != nil {
		return ring{}, fmt.Errorf("read key %s of gpg: %w", key.Primary, err)
	}
	r := ring{keys: keys, trusted: t.settings.level.admits(key)}
	t.gpg.rings[key.Primary] = r
	return r, nil
}

// admits tells whether gpg is sure enough of a key. Of a key that has expired gpg says nothing but that; then the trust in
// its owner tells, which is ultimate for one's own keys.
func (l level) admits(key signer.Key) bool {
	validity := key.Validity
	if validity == signer.Expired || validity == signer.Revoked {
		validity = key.Owner
	}
	switch {
	case key.Disabled:
		return false
	case l == levelUndefined:
		return true
	case l == levelNever:
		return validity == signer.Never || validity.AtLeast(signer.Marginal)
	case l == levelMarginal:
		return validity.AtLeast(signer.Marginal)
	case l == levelFully:
		return validity.AtLeast(signer.Full)
	default:
		return validity.AtLeast(signer.Ultimate)
	}
}

// stamp names the state of gpg's files, so that a verdict is forgotten when they change.
func (s *settings) stamp() string {
	var b strings.Builder
	for _, name := range []string{"pubring.kbx", "pubring.gpg", "trustdb.gpg", "public-keys.d/pubring.db", "gpg.conf"} {
		if info, err := os.Stat(filepath.Join(s.gpgHome, name)); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
