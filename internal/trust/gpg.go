package trust

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// gpg is the keyring of the user's gpg. It is asked when the first signature names a key, and for no key that
// it does not hold, so that a flood of made-up signatures starts no processes.
type gpg struct {
	asked   bool
	held    map[string]signer.Key // by fingerprint and by key id, of primary keys and subkeys
	failure error
	rings   map[string]ring // by the fingerprint of a primary key
}

// A ring is one key, and whether gpg is sure enough of it.
type ring struct {
	keys    sign.Keyring
	trusted bool
}

// gpgConfig is how gpg is run.
func (t *Trust) gpgConfig() signer.Config {
	return signer.Config{
		Format: signer.OpenPGP, Program: t.settings.gpg, Dir: t.repo.Dir,
		Env: t.repo.Environ(), Timeout: patience,
	}
}

// heldKeys returns the keys that gpg holds, by fingerprint and by key id. The caller holds the lock.
func (t *Trust) heldKeys(ctx context.Context) (map[string]signer.Key, error) {
	if !t.gpg.asked {
		t.gpg.asked = true
		t.gpg.held, t.gpg.failure = signer.Validities(ctx, t.gpgConfig())
	}
	return t.gpg.held, t.gpg.failure
}

// Fingerprints returns the fingerprints of all keys that a list names, subkeys included, and the fingerprints
// and key ids of gpg's keyring. Where gpg cannot be asked, its keys are left out.
func (t *Trust) Fingerprints(ctx context.Context) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	held, _ := t.heldKeys(ctx) // Whoever judges a signature is told.
	all := slices.Collect(maps.Keys(held))
	for _, l := range t.lists {
		all = append(all, l.fingerprintsOf()...)
	}
	return all
}

// hasLists reports whether a list may name a key of SSH. It starts no process.
func hasLists(repo *git.Repo) bool {
	_, err := os.Lstat(filepath.Join(repo.UserFolder(), signersFile))
	return err == nil || repo.Settings().MaybeSet(signersKey, pinKey, signingKey)
}

// SSHKeys returns the fingerprints of the keys of SSH that a list names; not ok where a line of one cannot be
// read. Where there is no list, no process is started.
func (j *Judge) SSHKeys(ctx context.Context) (all []string, ok bool, err error) {
	if !hasLists(j.repo) {
		return nil, true, nil
	}
	t, err := j.Trust(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, l := range t.lists {
		if len(l.Problems) > 0 {
			return nil, false, nil
		}
		for _, e := range l.Signers.Entries() {
			all = append(all, e.Fingerprint)
		}
	}
	return all, true, nil
}

// fingerprintsOf returns those of the keys that a list itself holds.
func (l *List) fingerprintsOf() []string {
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
	data, err := signer.Export(ctx, t.gpgConfig(), key.Primary)
	if err != nil {
		return ring{}, err
	}
	keys, err := sign.ParseKeyring(data)
	if err != nil {
		return ring{}, fmt.Errorf("read key %s of gpg: %w", key.Primary, err)
	}
	// The user's own is the one that user.signingKey names, or a subkey of it, unless it was put out of use.
	own, ok := t.gpg.held[t.settings.gpgKey]

	isOwn := ok && own.Primary == key.Primary && !key.Disabled && key.Validity != signer.Never
	r := ring{keys: keys, trusted: isOwn || admitsKey(t.settings.level, key)}
	t.gpg.rings[key.Primary] = r
	return r, nil
}

// admitsKey tells whether gpg is sure enough of a key. Of a key that has expired gpg says nothing but that;
// then the trust in its owner tells, which is ultimate for one's own keys.
func admitsKey(least int, key signer.Key) bool {
	validity := key.Validity
	if validity == signer.Expired || validity == signer.Revoked {
		validity = key.Owner
	}
	return !key.Disabled && validity.Rank() >= least
}
