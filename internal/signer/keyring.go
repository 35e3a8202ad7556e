package signer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
)

const (
	keyringLimit = 64 << 20 // keyringLimit bounds what gpg may tell of its keyring.
)

// Export returns a public OpenPGP key that gpg has as a binary key block; nothing where it has none. The
// fingerprint is of the primary key or of a subkey, or a key id of 16 digits.
func Export(ctx context.Context, c Config, fingerprint string) ([]byte, error) {
	if !slices.Contains([]int{16, 40, 64}, len(fingerprint)) ||
		strings.Trim(fingerprint, "0123456789abcdefABCDEF") != "" {
		return nil, fmt.Errorf("export %q: not a fingerprint", clean.Line(fingerprint))
	}
	if ok, err := c.hasKeyring(); err != nil || !ok {
		return nil, err
	}
	args := []string{"--batch", "--export", fingerprint}
	done, err := c.runProgram(ctx, call{program: c.SignerProgram(), args: args, limit: keyringLimit})
	if err != nil {
		return nil, fmt.Errorf("export public key: %w", err)
	}
	return done.stdout, nil
}

// Validities returns what gpg thinks of all keys of its keyring, by the fingerprint of each primary key and
// subkey and by their key ids of 16 digits. A fingerprint or key id that two keys claim is left out.
func Validities(ctx context.Context, c Config) (map[string]Key, error) {
	if ok, err := c.hasKeyring(); err != nil || !ok {
		return map[string]Key{}, err
	}
	// gpg may check its trust database on the way. Without that check the letters would be those from before
	// the last change of trust, and not those that git gets to see; with nothing changed it costs nothing.
	args := []string{"--batch", "--list-keys", "--with-colons", "--fixed-list-mode"}
	done, err := c.runProgram(ctx, call{program: c.SignerProgram(), args: args, limit: keyringLimit})
	if err != nil {
		return nil, fmt.Errorf("list public keys: %w", err)
	}
	return indexNames(parseColons(string(done.stdout))), nil
}

// hasKeyring tells whether gpg has a home. Without one it has no keys, and would make one just because it was
// asked. A program that the user named is always asked.
func (c Config) hasKeyring() (bool, error) {
	if c.Program != "" {
		return true, nil
	}
	home := c.lookupVariable("GNUPGHOME")
	if home == "" {
		home = filepath.Join(c.lookupVariable("HOME"), ".gnupg")
	}
	info, err := os.Stat(c.absolutePath(home))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for the home of gpg: %w", err)
	}
	return info.IsDir(), nil
}

// Validity is what gpg thinks of a key or of its owner: one of its letters.
type Validity string

// The letters that mean something on their own. All others say that nothing is known.
const (
	Ultimate Validity = "u" // the user's own
	Full     Validity = "f"
	Marginal Validity = "m"
	Never    Validity = "n"
	Expired  Validity = "e" // the key has ended, and gpg no longer says what it was
	Revoked  Validity = "r"
)

// Rank orders what gpg vouches for as gpg.minTrustLevel does: 1 is never, 4 is ultimate, and 0 is a key of which
// nothing is known, or that has ended or was taken back.
func (v Validity) Rank() int {
	return 1 + slices.Index([]Validity{Never, Marginal, Full, Ultimate}, v)
}

// Key is a public key of gpg's keyring.
type Key struct {
	Primary  string   // Primary is the fingerprint of the primary key, upper-case.
	Validity Validity // Validity is the best of its user ids.
	// Owner is how far its owner is trusted to vouch for others. A key that has ended keeps it, a revoked one
	// does not.
	Owner Validity
	// UserID is the user id of that validity, the first of several. It is hostile text, but of one line.
	UserID   string
	Disabled bool // Disabled says that the user took it out of use.
}

// listed is a key as it stands in a listing.
type listed struct {
	Key

	names  []string // names are the fingerprints and key ids.
	userID Validity // userID is the validity of the user id that is kept.
}

// parseColons reads a listing of gpg, in which a line is a record and colons part its fields.
func parseColons(listing string) []listed {
	var keys []listed
	primary := false
	for line := range strings.Lines(listing) {
		f := append(strings.Split(strings.TrimSpace(line), ":"), make([]string, 12)...)
		if f[0] == "pub" || f[0] == "sec" {
			keys, primary = append(keys, listed{Key: Key{
				Validity: Validity(f[1]), Owner: Validity(f[8]), Disabled: strings.Contains(f[11], "D"),
			}}), true
		}
		if len(keys) == 0 {
			continue
		}
		key := &keys[len(keys)-1]
		switch f[0] {
		case "pub", "sec", "sub", "ssb":
			key.names = append(key.names, strings.ToUpper(f[4]))
		case "fpr":
			name := strings.ToUpper(f[9])
			key.names = append(key.names, name)
			if primary {
				key.Primary, primary = name, false
			}
		case "uid":
			// Keeps the user id that gpg vouches for most. Anybody may put another user id on a key, so that
			// the first one says nothing.
			validity := Validity(f[1])
			if key.UserID == "" || validity.Rank() > max(key.userID.Rank(), Never.Rank()) {
				key.UserID, key.userID = clean.Line(unescapeField(f[9])), validity
			}
		}
	}
	return keys
}

// indexNames finds keys by all their names.
func indexNames(keys []listed) map[string]Key {
	byName, twice := map[string]Key{}, map[string]bool{}
	for _, key := range keys {
		for _, name := range key.names {
			if other, ok := byName[name]; ok && other.Primary != key.Primary {
				twice[name] = true
			}
			byName[name] = key.Key
		}
	}
	for name := range twice {
		delete(byName, name)
	}
	delete(byName, "")
	return byName
}

// unescapeField undoes the escapes of gpg's listings, such as "\x3a" for a colon.
func unescapeField(text string) string {
	return regexp.MustCompile(`\\x[0-9a-fA-F]{2}`).ReplaceAllStringFunc(text, func(escaped string) string {
		code, _ := strconv.ParseUint(escaped[2:], 16, 8) // It has two digits.
		return string([]byte{byte(code)})
	})
}
