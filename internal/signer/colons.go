package signer

import (
	"strconv"
	"strings"
)

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

// rank orders what gpg vouches for: 3 is ultimate, 0 is not at all.
func (v Validity) rank() int {
	switch v {
	case Ultimate:
		return 3
	case Full:
		return 2
	case Marginal:
		return 1
	default:
		return 0
	}
}

// AtLeast tells whether gpg vouches for a key as far as minimum says: marginally, fully or ultimately. It is false for
// a key that has ended or was taken back, and for any other minimum.
func (v Validity) AtLeast(minimum Validity) bool {
	return minimum.rank() > 0 && v.rank() >= minimum.rank()
}

// Key is a public key of gpg's keyring.
type Key struct {
	Primary  string   // Primary is the fingerprint of the primary key, upper-case.
	Validity Validity // Validity is the best of its user ids.
	Owner    Validity // Owner is how far its owner is trusted to vouch for others. A key that has ended keeps it, a revoked one does not.
	UserID   string   // UserID is the user id of that validity, the first of several. It is hostile text, but of one line.
	Disabled bool     // Disabled says that the user took it out of use.
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
			key.addUserID(Validity(f[1]), f[9])
		}
	}
	return keys
}

// addUserID keeps the user id that gpg vouches for most. Anybody may put another user id on a key, so that the first
// one says nothing.
func (k *listed) addUserID(validity Validity, escaped string) {
	if k.UserID == "" || validity.rank() > k.userID.rank() {
		k.UserID, k.userID = clean(unescape(escaped)), validity
	}
}

// index finds keys by all their names.
func index(keys []listed) map[string]Key {
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

// unescape undoes the escapes of gpg's listings, such as "\x3a" for a colon.
func unescape(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, `\x`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if len(rest) < 2 {
			b.WriteString(`\x` + rest)
			return b.String()
		}
		if code, err := strconv.ParseUint(rest[:2], 16, 8); err == nil {
			b.WriteByte(byte(code))
		} else {
			b.WriteString(`\x` + rest[:2])
		}
		text = rest[2:]
	}
}
