package sign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

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

// ParseKeyring reads public keys, binary or armored, of which several may follow each other. Keys that are made by
// algorithms unknown here are left out, but it is an error if none is left. Nothing is a keyring without keys.
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
		keys = append(keys, key.describe())
	}
	return keys
}
