package sign_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"
	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// token is a security key made in software, which marks its signatures as touched or not.
type token struct {
	private ed25519.PrivateKey
	public  ssh.PublicKey
	flags   byte
}

func newToken(tb testing.TB, flags byte) *token {
	tb.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	wire := ssh.Marshal(struct {
		Kind   string
		Key    []byte
		Domain string
	}{ssh.KeyAlgoSKED25519, public, "ssh:"})
	key, err := ssh.ParsePublicKey(wire)
	if err != nil {
		tb.Fatal(err)
	}
	return &token{private, key, flags}
}

func (k *token) PublicKey() ssh.PublicKey { return k.public }

func (k *token) Sign(_ io.Reader, text []byte) (*ssh.Signature, error) {
	domain, sum := sha256.Sum256([]byte("ssh:")), sha256.Sum256(text)
	rest := []byte{k.flags, 0, 0, 0, 7}
	blob := ed25519.Sign(k.private, slices.Concat(domain[:], rest, sum[:]))
	return &ssh.Signature{Format: ssh.KeyAlgoSKED25519, Blob: blob, Rest: rest}, nil
}

// A signature of a security key without the mark of a touch is left to OpenSSH, which takes it where the key
// allows. SPEC.
func TestTrust_Verify_securityKey(t *testing.T) {
	t.Parallel()
	for flags, want := range map[byte]string{1: "good", 0: "undecided"} {
		signer := newToken(t, flags)
		raw := rawSSH(t, signer)
		if got, v := judged(t, trusting(t, "a "+public(signer)), parse(t, raw), now); got != want {
			t.Errorf("flags %d: Verify = %q (%s), want %q", flags, got, v.Why, want)
		}
	}
}

// A key that may certify and not sign counts for nothing, as with gpg.
// SPEC.
func TestTrust_Verify_keyThatSignsNot(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	at := time.Now().Add(-time.Minute)
	config := &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA, Time: func() time.Time { return at }}
	entity, err := openpgp.NewEntity("Ada Tester", "", "ada@example.com", config)
	if err != nil {
		t.Fatal(err)
	}
	entity.Subkeys = nil
	for _, identity := range entity.Identities {
		identity.SelfCertifications[0].Packet.FlagSign = false
		if err := identity.ReSign(config); err != nil {
			t.Fatal(err)
		}
	}
	var key bytes.Buffer
	if err := entity.Serialize(&key); err != nil {
		t.Fatal(err)
	}
	payload := statement(at).Payload()
	s := &packet.Signature{
		Version: 4, SigType: packet.SigTypeBinary, PubKeyAlgo: entity.PrimaryKey.PubKeyAlgo,
		Hash: crypto.SHA256, CreationTime: at,
		IssuerKeyId: &entity.PrimaryKey.KeyId, IssuerFingerprint: entity.PrimaryKey.Fingerprint,
	}
	h := crypto.SHA256.New()
	h.Write(payload)
	if err := s.Sign(h, entity.PrivateKey, config); err != nil {
		t.Fatal(err)
	}
	var signature bytes.Buffer
	if err := s.Serialize(&signature); err != nil {
		t.Fatal(err)
	}
	ring, err := sign.ParseKeyring(key.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	trust := sign.Trust{Sources: []sign.Source{{Keyring: ring}}}
	if got, v := judged(t, trust, parse(t, slices.Concat(payload, enarmor(signature.Bytes()))),
		time.Now()); got != "unknown" {
		t.Errorf("Verify = %q (%s), want unknown", got, v.Why)
	}
	home.Import(key.Bytes())
	if got := gpgStatus(t, home, payload, enarmor(signature.Bytes())); got != "ERRSIG" {
		t.Errorf("gpg says %s, want ERRSIG", got)
	}
}

// packetsOf returns the packets of a key, of which the revocations come last.
func packetsOf(tb testing.TB, armored []byte) (own, revocations []byte) {
	tb.Helper()
	packets := packet.NewOpaqueReader(bytes.NewReader(dearmor(tb, armored)))
	for {
		p, err := packets.Next()
		if errors.Is(err, io.EOF) {
			return own, revocations
		}
		if err != nil {
			tb.Fatal(err)
		}
		var b bytes.Buffer
		if err := p.Serialize(&b); err != nil {
			tb.Fatal(err)
		}
		if p.Tag == 2 && p.Contents[1] == byte(packet.SigTypeKeyRevocation) {
			revocations = append(revocations, b.Bytes()...)
		} else {
			own = append(own, b.Bytes()...)
		}
	}
}

// A revocation counts wherever it stands in a key, and in whichever copy; one by somebody else is left to
// gpg. SPEC.
func TestTrust_Verify_oddRevocations(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	at := time.Now().Add(-time.Minute)
	ada := home.Generate("Ada Tester <ada@example.com>", "ed25519", "never")
	bob := home.Generate("Bob <bob@example.com>", "ed25519", "never")
	payload := statement(at).Payload()
	tag := parse(t, slices.Concat(payload, home.Sign(ada, payload, at)))
	home.Revoke(ada)
	home.Revoke(bob)
	clean, own := packetsOf(t, home.ExportArmored(ada))
	_, foreign := packetsOf(t, home.ExportArmored(bob))
	ring := func(parts ...[]byte) sign.Keyring {
		k, err := sign.ParseKeyring(slices.Concat(parts...))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	vouched := sign.Source{Keyring: ring(clean)}
	tests := []struct {
		name  string
		trust sign.Trust
		want  string
	}{
		{"none", sign.Trust{Sources: []sign.Source{vouched}}, "good"},
		{"at the end of the key", sign.Trust{Sources: []sign.Source{{Keyring: ring(clean, own)}}}, "revoked"},
		{
			"in another source",
			sign.Trust{Sources: []sign.Source{vouched, {Keyring: ring(clean, own)}}},
			"revoked",
		},
		{
			"in a copy that is only known",
			sign.Trust{Sources: []sign.Source{vouched}, Known: ring(clean, own)},
			"revoked",
		},
		{
			"by somebody else",
			sign.Trust{Sources: []sign.Source{{Keyring: ring(clean, foreign)}}},
			"undecided",
		},
		{
			"by somebody else in a copy that is only known",
			sign.Trust{Sources: []sign.Source{vouched}, Known: ring(clean, foreign)},
			"undecided",
		},
		{
			"of a later version",
			sign.Trust{Sources: []sign.Source{{Keyring: ring(clean, later(own))}}},
			"undecided",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, v := judged(t, tt.trust, tag, time.Now()); got != tt.want {
				t.Errorf("Verify = %q (%s), want %q", got, v.Why, tt.want)
			}
		})
	}
}

// later returns a signature packet that claims to be of a version that nobody knows.
func later(p []byte) []byte {
	p = slices.Clone(p)
	at := bytes.IndexByte(p, byte(packet.SigTypeKeyRevocation)) - 1
	p[at] = 9
	return p
}

// One keyring serves many goroutines.
func TestTrust_Verify_concurrently(t *testing.T) {
	t.Parallel()
	raw, ring := rawOpenPGP(t)
	trust := sign.Trust{Sources: []sign.Source{{Keyring: ring}}}
	tag := parse(t, raw)
	answers := make(chan string)
	for range 8 {
		go func() {
			v, err := trust.Verify(tag, now)
			answers <- fmt.Sprint(v.Standing, " ", v.By, " ", ring.Keys()[0].UserID, " ", err)
		}()
	}
	for range 8 {
		if got := <-answers; got != "good Ada Tester <ada@example.com> Ada Tester <ada@example.com> <nil>" {
			t.Errorf("a goroutine got %q", got)
		}
	}
}
