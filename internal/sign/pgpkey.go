package sign

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"
)

// pgpKey is one copy of an OpenPGP public key.
type pgpKey struct {
	entity      *openpgp.Entity
	revocations []*packet.Signature // of the key and of its subkeys, wherever they stand
	obscure     bool                // it bears a revocation that cannot be read

	once sync.Once // guards settle: the entity caches what it has verified
}

func readKeyPackets(packets []*packet.OpaquePacket) (*pgpKey, error) {
	k := &pgpKey{}
	var raw bytes.Buffer
	for _, p := range packets {
		if err := p.Serialize(&raw); err != nil {
			return nil, fmt.Errorf("write a packet: %w", err)
		}
		// Tells a signature that takes back a key or a subkey. In the old version 3 the type stands one byte
		// further on.
		at := 1
		if len(p.Contents) > 0 && p.Contents[0] < 4 {
			at = 2
		}
		if p.Tag != tagSignature || len(p.Contents) <= at {
			continue
		}
		kind := packet.SignatureType(p.Contents[at])
		if kind != packet.SigTypeKeyRevocation && kind != packet.SigTypeSubkeyRevocation {
			continue
		}
		parsed, err := p.Parse()
		if sig, ok := parsed.(*packet.Signature); ok && err == nil {
			k.revocations = append(k.revocations, sig)
		} else {
			k.obscure = true
		}
	}
	entity, err := openpgp.ReadEntity(packet.NewReader(&raw))
	if err != nil {
		return nil, fmt.Errorf("read a key: %w", err)
	}
	k.entity = entity
	return k, nil
}

// algorithmPolicy is the policy for algorithms: that of the library, judged at a time that is given.
func algorithmPolicy(now time.Time) *packet.Config {
	return &packet.Config{Time: func() time.Time { return now }}
}

func settleSignatures(signatures []*packet.VerifiableSignature, check func(*packet.Signature) error) {
	policy := algorithmPolicy(time.Time{})
	for _, s := range signatures {
		valid := check(s.Packet) == nil && !policy.RejectHashAlgorithm(s.Packet.Hash) && !hasDemand(s.Packet)
		s.Valid = &valid
	}
}

// hasDemand tells whether a signature holds only under a condition that is not known here.
func hasDemand(s *packet.Signature) bool {
	return slices.ContainsFunc(s.Notations, func(n *packet.Notation) bool { return n.IsCritical })
}

// isRevoked tells whether the primary key or a subkey was taken back by the key itself, for whatever reason
// and at whatever time, and whether there are revocations that cannot be checked here, such as those by
// somebody else.
func (k *pgpKey) isRevoked(sub *openpgp.Subkey) (revoked, obscure bool) {
	primary := k.entity.PrimaryKey
	obscure = k.obscure
	for _, s := range k.revocations {
		switch {
		case s.SigType == packet.SigTypeKeyRevocation && primary.VerifyRevocationSignature(s) == nil:
			return true, obscure
		case s.SigType == packet.SigTypeKeyRevocation && !s.CheckKeyIdOrFingerprint(primary):
			obscure = true
		case sub != nil && s.SigType == packet.SigTypeSubkeyRevocation &&
			primary.VerifySubkeyRevocationSignature(s, sub.PublicKey) == nil:
			return true, obscure
		}
	}
	return false, obscure
}

// primaryUser returns the primary user id and its newest signature at a time: the one that is marked as
// primary, else the one that was signed last.
func (k *pgpKey) primaryUser(now time.Time) (string, *packet.Signature) {
	// Verifies every signature by which the key speaks of itself, once. From then on nothing
	// in the entity changes, and what it answers does not depend on what it was asked first.
	k.once.Do(func() {
		primary := k.entity.PrimaryKey
		for name, id := range k.entity.Identities {
			check := func(s *packet.Signature) error {
				return primary.VerifyUserIdSignature(name, primary, s)
			}
			settleSignatures(id.SelfCertifications, check)
			settleSignatures(id.Revocations, check)
		}
		settleSignatures(k.entity.DirectSignatures, primary.VerifyDirectKeySignature)
		for _, sub := range k.entity.Subkeys {
			settleSignatures(sub.Bindings, func(s *packet.Signature) error {
				return primary.VerifyKeySignature(sub.PublicKey, s)
			})
		}
	})
	var name string
	var newest *packet.Signature
	for id, identity := range k.entity.Identities {
		s, err := identity.Verify(now, algorithmPolicy(now))
		if err == nil && (newest == nil || isPreferred(s, newest, id < name)) {
			name, newest = id, s
		}
	}
	return name, newest
}

func isPreferred(a, b *packet.Signature, first bool) bool {
	marked := func(s *packet.Signature) bool { return s.IsPrimaryId != nil && *s.IsPrimaryId }
	switch {
	case marked(a) != marked(b):
		return marked(a)
	case !a.CreationTime.Equal(b.CreationTime):
		return a.CreationTime.After(b.CreationTime)
	default:
		return first
	}
}

// selfSignatures returns what the primary key says of itself now: by its user id and by itself.
func (k *pgpKey) selfSignatures(now time.Time) []*packet.Signature {
	_, own := k.primaryUser(now)
	direct, err := k.entity.LatestValidDirectSignature(now, algorithmPolicy(now))
	var all []*packet.Signature
	if own != nil {
		all = append(all, own)
	}
	if err == nil && (own != nil || k.entity.PrimaryKey.Version >= 6) {
		all = append(all, direct)
	}
	return all
}

// keySpan returns the window of the primary key, and false where the key says nothing valid of itself.
func (k *pgpKey) keySpan(now time.Time) (window, bool) {
	own := k.selfSignatures(now)
	return spanOf(k.entity.PrimaryKey, own...), len(own) > 0
}

// spanOf returns the time from the making of a key to the first end that its signatures name.
func spanOf(key *packet.PublicKey, own ...*packet.Signature) window {
	w := window{after: key.CreationTime}
	limit := func(from time.Time, seconds *uint32) {
		if seconds == nil || *seconds == 0 {
			return
		}
		end := from.Add(time.Duration(*seconds) * time.Second)
		if w.before.IsZero() || end.Before(w.before) {
			w.before = end
		}
	}
	for _, s := range own {
		limit(key.CreationTime, s.KeyLifetimeSecs)
		limit(s.CreationTime, s.SigLifetimeSecs)
	}
	return w
}

func fingerprintOf(key *packet.PublicKey) string {
	return strings.ToUpper(hex.EncodeToString(key.Fingerprint))
}

// ErrKeyring is in the chain of every error about data that are not OpenPGP public keys.
var ErrKeyring = errors.New("not a keyring of public keys")

// Tags of the packets that a keyring is made of.
const (
	tagSignature    = 2
	tagSecretKey    = 5
	tagPublicKey    = 6
	tagSecretSubkey = 7
)

// Keyring is a set of OpenPGP public keys. It can be used by many goroutines at once.
type Keyring struct{ keys []*pgpKey }

// A Key is what a keyring says of one of its keys.
type Key struct {
	Fingerprint string    // of the primary key, in upper-case hexadecimal
	Subkeys     []string  // fingerprints
	UserID      string    // the primary user id, free text; empty where none is valid
	Expires     time.Time // zero is never
	Revoked     bool      // by itself
}

// ParseKeyring reads public keys, binary or armored, of which several may follow each other. Keys that are
// made by algorithms unknown here are left out, but it is an error if none is left. Nothing is a keyring
// without keys.
func ParseKeyring(data []byte) (Keyring, error) {
	blocks, err := keyBlocks(data)
	if err != nil {
		return Keyring{}, err
	}
	var k Keyring
	var last error
	for _, block := range blocks {
		groups, err := splitKeys(block)
		if err != nil {
			return Keyring{}, err
		}
		for _, packets := range groups {
			key, err := readKeyPackets(packets)
			if err != nil {
				last = err
				continue
			}
			k.keys = append(k.keys, key)
		}
	}
	if len(k.keys) == 0 && last != nil {
		return Keyring{}, fmt.Errorf("%w: no key can be read: %w", ErrKeyring, last)
	}
	return k, nil
}

// keyBlocks returns the binary content of each armored block, or the data as they are.
func keyBlocks(data []byte) ([][]byte, error) {
	if !bytes.Contains(data, []byte("-----BEGIN PGP ")) {
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, nil
		}
		return [][]byte{data}, nil
	}
	const begin, end = "-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"
	if n := strings.Count(string(data), "-----BEGIN PGP "); n != strings.Count(string(data), begin) {
		return nil, fmt.Errorf("%w: it holds an armored block of another kind", ErrKeyring)
	}
	var blocks [][]byte
	for _, text := range strings.SplitAfter(string(data), end) {
		at := strings.Index(text, begin)
		if at < 0 {
			continue
		}
		block, err := armor.Decode(strings.NewReader(text[at:] + "\n"))
		if err != nil {
			return nil, fmt.Errorf("%w: read the armor: %w", ErrKeyring, err)
		}
		body, err := io.ReadAll(block.Body)
		if err != nil {
			return nil, fmt.Errorf("%w: read the armor: %w", ErrKeyring, err)
		}
		blocks = append(blocks, body)
	}
	return blocks, nil
}

// splitKeys returns the packets of each key: a primary key and whatever follows up to the next.
func splitKeys(block []byte) ([][]*packet.OpaquePacket, error) {
	var groups [][]*packet.OpaquePacket
	reader := packet.NewOpaqueReader(bytes.NewReader(block))
	for {
		p, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return groups, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: read a packet: %w", ErrKeyring, err)
		}
		switch {
		case p.Tag == tagSecretKey || p.Tag == tagSecretSubkey:
			return nil, fmt.Errorf("%w: it holds a private key", ErrKeyring)
		case p.Tag == tagPublicKey:
			groups = append(groups, []*packet.OpaquePacket{p})
		case len(groups) == 0:
			return nil, fmt.Errorf("%w: it does not begin with a key", ErrKeyring)
		default:
			groups[len(groups)-1] = append(groups[len(groups)-1], p)
		}
	}
}

// Keys returns what each key says of itself, in the order of the ring.
func (k Keyring) Keys() []Key {
	keys := make([]Key, 0, len(k.keys))
	for _, key := range k.keys {
		all := []string{fingerprintOf(key.entity.PrimaryKey)}
		for _, sub := range key.entity.Subkeys {
			all = append(all, fingerprintOf(sub.PublicKey))
		}
		user, _ := key.primaryUser(time.Time{}) // The newest word of the key, whatever its date.
		span, _ := key.keySpan(time.Time{})
		revoked, _ := key.isRevoked(nil)
		keys = append(keys,
			Key{Fingerprint: all[0], Subkeys: all[1:], UserID: user, Expires: span.before, Revoked: revoked})
	}
	return keys
}
