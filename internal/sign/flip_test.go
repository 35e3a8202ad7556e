package sign_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	pgparmor "github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"
	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// specimen is a record with a good signature, and who vouches for its key.
type specimen struct {
	raw   []byte
	trust sign.Trust
	good  sign.Verdict
}

// specimens are one of each kind of key.
func specimens(tb testing.TB) []specimen {
	tb.Helper()
	bare, long, authority := newSSH(tb), newRSA(tb, 2048), newSSH(tb)
	certified := certify(tb, authority, newSSH(tb), ssh.Certificate{ValidPrincipals: []string{"carol"}})
	trust := trusting(tb,
		"alice "+public(bare)+"\nbob "+public(long)+"\ncarol cert-authority "+public(authority))
	all := []specimen{{raw: rawSSH(tb, bare)}, {raw: rawSSH(tb, long)}, {raw: rawSSH(tb, certified)}}
	raw, ring := rawOpenPGP(tb)
	all = append(all, specimen{raw: raw})
	trust.Sources[0].Keyring = ring
	for i := range all {
		all[i].trust = trust
		var standing string
		if standing, all[i].good = judged(tb, trust, parse(tb, all[i].raw), now); standing != "good" {
			tb.Fatalf("specimen %d is %q: %s", i, standing, all[i].good.Why)
		}
	}
	return all
}

// rawOpenPGP makes an OpenPGP key in process, and a tag that it signed.
func rawOpenPGP(tb testing.TB) ([]byte, sign.Keyring) {
	tb.Helper()
	config := &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA, Time: func() time.Time { return signedAt }}
	entity, err := openpgp.NewEntity("Ada Tester", "", "ada@example.com", config)
	if err != nil {
		tb.Fatal(err)
	}
	var key, signature bytes.Buffer
	if err := entity.Serialize(&key); err != nil {
		tb.Fatal(err)
	}
	ring, err := sign.ParseKeyring(key.Bytes())
	if err != nil {
		tb.Fatal(err)
	}
	raw := statement(signedAt).Payload()
	w, err := pgparmor.Encode(&signature, "PGP SIGNATURE", map[string]string{"Comment": "made by a test"})
	if err != nil {
		tb.Fatal(err)
	}
	if err := openpgp.DetachSign(w, []*openpgp.Entity{entity}, bytes.NewReader(raw), config); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return slices.Concat(raw, signature.Bytes(), []byte("\n")), ring
}

// holds checks the invariant: what is accepted under the name and the blob of the specimen has the payload,
// the digest and the signer of the specimen. Only the armor may be written in another way.
func (s specimen) holds(tb testing.TB, raw, blob []byte) (accepted bool) {
	tb.Helper()
	tag, err := sign.Examine(raw, name, object, blob)
	if err != nil {
		return false
	}
	v, err := s.trust.Verify(tag, now)
	if err != nil || v.Standing != sign.Good && v.Standing != sign.Expired {
		return false
	}
	original := parse(tb, s.raw)
	if !bytes.Equal(tag.Payload, original.Payload) || tag.Digest != original.Digest ||
		!bytes.Equal(blob, data) {
		tb.Errorf("accepted with another payload or blob: %q", raw)
	}
	if v.Key != s.good.Key || v.By != s.good.By || v.Standing != s.good.Standing {
		tb.Errorf("accepted as %+v, want %+v: %q", v, s.good, raw)
	}
	return true
}

// edit changes, inserts or deletes one byte.
func edit(text []byte, how byte, at int, b byte) []byte {
	switch how % 3 {
	case 0:
		text = slices.Clone(text)
		text[at] ^= max(b, 1)
		return text
	case 1:
		return slices.Insert(slices.Clone(text), at, b)
	default:
		return slices.Delete(slices.Clone(text), at, at+1)
	}
}

// Any byte of a signed tag may be flipped, lost or added: what it says cannot be changed.
// SPEC.
func TestFlip(t *testing.T) {
	t.Parallel()
	for i, s := range specimens(t) {
		accepted := 0
		for at := range s.raw {
			for _, e := range []struct{ how, b byte }{
				{0, 1},
				{0, 0x20},
				{0, 0x80},
				{1, '\n'},
				{1, 'A'},
				{1, ' '},
				{2, 0},
			} {
				changed := edit(s.raw, e.how, at, e.b)
				if bytes.Equal(changed, s.raw) || !s.holds(t, changed, data) {
					continue
				}
				accepted++
				if at < len(parse(t, s.raw).Payload) {
					t.Errorf("specimen %d: accepted with a change of the payload at %d", i, at)
				}
			}
		}
		t.Logf("specimen %d: %d of %d edits only wrote the armor in another way", i, accepted, 7*len(s.raw))
		if !s.holds(t, s.raw, data) || s.holds(t, s.raw, []byte("{}")) {
			t.Errorf("specimen %d: the original is not accepted, or another blob is", i)
		}
	}
}

// FuzzFlip states the invariant of TestFlip for any three edits, of the tag or of the blob.
// SPEC.
func FuzzFlip(f *testing.F) {
	all := specimens(f)
	for i := range all {
		f.Add(byte(i), uint32(100), uint32(200), uint32(400), []byte{0, 1, 2}, []byte("\nA "), false)
	}
	f.Add(byte(0), uint32(0), uint32(0), uint32(1), []byte{0, 1, 2}, []byte("abc"), true)
	f.Fuzz(func(t *testing.T, which byte, a, b, c uint32, how, with []byte, blob bool) {
		s := all[int(which)%len(all)]
		raw, content := s.raw, data
		for i, at := range []uint32{a, b, c} {
			if i >= len(how) || i >= len(with) {
				break
			}
			if blob {
				content = edit(append(content, ' '), how[i], int(at)%(len(content)+1), with[i])
			} else {
				raw = edit(raw, how[i], int(at)%len(raw), with[i])
			}
		}
		s.holds(t, raw, content)
	})
}
