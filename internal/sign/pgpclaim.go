package sign

import (
	"bytes"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"
)

// claim tells what a copy of a key says of the signature. It is false where another key signed.
func (k *pgpKey) claim(tag Tag, source string, now time.Time) (claim, bool) {
	s, err := parseOpenPGP(tag.Signature) // its own copy: to verify one changes it
	if err != nil {
		return claim{}, false
	}
	key, sub, ok := k.find(s)
	if !ok {
		return claim{}, false
	}
	c := k.judge(s, key, sub, tag.Payload, source, now)
	_, c.obscure = k.revoked(sub)
	c.key, c.names = fingerprint(k.entity.PrimaryKey), []string{fingerprint(k.entity.PrimaryKey), fingerprint(key)}
	return c, true
}

// find returns the primary key or the subkey that a signature names.
func (k *pgpKey) find(s *packet.Signature) (*packet.PublicKey, *openpgp.Subkey, bool) {
	if s.CheckKeyIdOrFingerprint(k.entity.PrimaryKey) {
		return k.entity.PrimaryKey, nil, true
	}
	for i := range k.entity.Subkeys {
		if sub := &k.entity.Subkeys[i]; s.CheckKeyIdOrFingerprint(sub.PublicKey) {
			return sub.PublicKey, sub, true
		}
	}
	return nil, nil, false
}

// judge tells what the signature is worth if the source vouches for the key. The times of a key are those that it states
// now, as gpg takes them: a key whose end was put off is not expired by what it said before.
func (k *pgpKey) judge(
	s *packet.Signature, key *packet.PublicKey, sub *openpgp.Subkey, payload []byte, source string, now time.Time,
) claim {
	unknown := func(why string) claim { return claim{standing: Unknown, why: why} }
	doubt := func(why string) claim { return claim{standing: Unknown, undecided: true, why: why} }
	weak := refused(s, key) || refused(s, k.entity.PrimaryKey)
	if !weak && !fits(s, key, payload) {
		return claim{standing: Bad, why: "the signature does not fit what it stands under"}
	}
	revoked, _ := k.revoked(sub)
	switch {
	case revoked:
		return claim{standing: Revoked, why: "the key was revoked by its holder"}
	case weak:
		return doubt("it is made by an algorithm that is too weak")
	case demands(s):
		return unknown("the signature holds only under a condition that is not known here")
	}
	span, ok := k.lifetime(now)
	if !ok {
		return doubt("the key has no valid signature of its own")
	}
	terms := []term{signatureTerm(s), keyTerm(span)}
	mine := k.selfSignatures(now)
	if sub != nil {
		binding, err := sub.LatestValidBindingSignature(now, config(now))
		if err != nil {
			return unknown("the subkey is not bound to its key")
		}
		mine = []*packet.Signature{binding}
		terms = append(terms, keyTerm(lifetime(key, binding)))
	}
	switch stated, signs := purpose(mine); {
	case !stated:
		return doubt("the key does not say what it is for")
	case !signs:
		return unknown("the key is not one that signs")
	}
	by, _ := k.user(now)
	return within(by, source+" vouches for the key", s.CreationTime, now, terms...)
}

// purpose tells whether a key states what it is for, and whether that is to sign.
func purpose(own []*packet.Signature) (stated, signs bool) {
	for _, s := range own {
		stated = stated || s.FlagsValid
		signs = signs || s.FlagSign
	}
	return stated, signs
}

func signatureTerm(s *packet.Signature) term {
	w := window{after: s.CreationTime}
	if s.SigLifetimeSecs != nil && *s.SigLifetimeSecs > 0 {
		w.before = s.CreationTime.Add(time.Duration(*s.SigLifetimeSecs) * time.Second)
	}
	return term{window: w, pending: "the signature is dated in the future", ended: "the signature has expired since"}
}

func keyTerm(w window) term {
	return term{
		window:  w,
		never:   "the key was not valid when this was signed",
		pending: "the key is dated in the future",
		ended:   "the key has expired since",
	}
}

// refused tells whether the policy for algorithms leaves a signature or its key to other programs.
func refused(s *packet.Signature, key *packet.PublicKey) bool {
	policy := config(time.Time{})
	if policy.RejectMessageHashAlgorithm(s.Hash) || policy.RejectPublicKeyAlgorithm(key.PubKeyAlgo) {
		return true
	}
	switch key.PubKeyAlgo {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSASignOnly:
		length, err := key.BitLength()
		return err != nil || length < policy.MinimumRSABits()
	case packet.PubKeyAlgoECDSA, packet.PubKeyAlgoEdDSA:
		curve, err := key.Curve()
		return err != nil || policy.RejectCurve(curve)
	default:
		return false
	}
}

// fits tells whether the signature is one by the key over the payload. In the kind for texts, line breaks of every kind
// are the same, so a payload with a carriage return is not taken.
func fits(s *packet.Signature, key *packet.PublicKey, payload []byte) bool {
	direct, err := s.PrepareVerify()
	if err != nil {
		return false
	}
	wrapped := direct
	switch s.SigType {
	case packet.SigTypeBinary:
	case packet.SigTypeText:
		if bytes.IndexByte(payload, '\r') >= 0 {
			return false
		}
		wrapped = openpgp.NewCanonicalTextHash(direct)
	default:
		return false
	}
	if _, err := wrapped.Write(payload); err != nil {
		return false
	}
	return key.VerifySignature(direct, s) == nil
}
