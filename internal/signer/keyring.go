package signer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	keyringLimit = 64 << 20 // keyringLimit bounds what gpg may tell of its keyring.
	exportedKeys = 1000     // exportedKeys is how many fingerprints fit on a command line anywhere.
)

// Export returns the public OpenPGP keys of the fingerprints that gpg has, as binary key blocks one behind the other.
// Fingerprints are of primary keys or subkeys, or key ids of 16 digits. Of no fingerprints it returns nothing.
func Export(ctx context.Context, c Config, fingerprints []string) ([]byte, error) {
	for _, fingerprint := range fingerprints {
		if !isHex(fingerprint) {
			return nil, fmt.Errorf("export %q: not a fingerprint", clean(fingerprint))
		}
	}
	if ok, err := c.hasKeyring(); err != nil || !ok {
		return nil, err
	}
	var keys []byte
	for chunk := range slices.Chunk(fingerprints, exportedKeys) {
		done, err := c.run(ctx, call{
			program: c.program(), args: append([]string{"--batch", "--export"}, chunk...), limit: keyringLimit,
		})
		if err != nil {
			return nil, fmt.Errorf("export public keys: %w", err)
		}
		keys = append(keys, done.stdout...)
	}
	return keys, nil
}

// Validities returns what gpg thinks of all keys of its keyring, by the fingerprint of each primary key and subkey and
// by their key ids of 16 digits. A fingerprint or key id that two keys claim is left out.
func Validities(ctx context.Context, c Config) (map[string]Key, error) {
	if ok, err := c.hasKeyring(); err != nil || !ok {
		return map[string]Key{}, err
	}
	// gpg may check its trust database on the way. Without that check the letters would be those from before the last
	// change of trust, and not those that git gets to see; with nothing changed it costs nothing.
	args := []string{"--batch", "--list-keys", "--with-colons", "--fixed-list-mode"}
	done, err := c.run(ctx, call{program: c.program(), args: args, limit: keyringLimit})
	if err != nil {
		return nil, fmt.Errorf("list public keys: %w", err)
	}
	return index(parseColons(string(done.stdout))), nil
}

// hasKeyring tells whether gpg has a home. Without one it has no keys, and would make one just because it was asked.
// A program that the user named is always asked.
func (c Config) hasKeyring() (bool, error) {
	if c.Format != "" && c.Format != OpenPGP {
		return false, fmt.Errorf("keyring of %q: %w", c.Format, ErrFormat)
	}
	if c.Program != "" {
		return true, nil
	}
	home := c.variable("GNUPGHOME")
	if home == "" {
		home = filepath.Join(c.variable("HOME"), ".gnupg")
	}
	info, err := os.Stat(c.absolute(home))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for the home of gpg: %w", err)
	}
	return info.IsDir(), nil
}

// isHex tells a fingerprint, or a key id of 16 digits, from anything else.
func isHex(text string) bool {
	switch len(text) {
	case 16, 40, 64:
		return strings.Trim(text, "0123456789abcdefABCDEF") == ""
	default:
		return false
	}
}
