package sign

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"
)

// Issuers returns the keys that an OpenPGP signature names: fingerprints of 40 or 64 digits in upper-case
// hexadecimal, or else key ids of 16. It is nil for signatures of other forms. Nothing is verified.
func (t Tag) Issuers() []string {
	if t.Form() != FormOpenPGP {
		return nil
	}
	s, err := parseOpenPGP(t.Signature)
	switch {
	case err != nil:
		return nil
	case len(s.IssuerFingerprint) > 0:
		return []string{strings.ToUpper(hex.EncodeToString(s.IssuerFingerprint))}
	case s.IssuerKeyId != nil:
		return []string{fmt.Sprintf("%016X", *s.IssuerKeyId)}
	default:
		return nil
	}
}

// Key returns what a signature calls its key: the fingerprint of a key of SSH or OpenPGP, or an OpenPGP key
// id. It is empty where the signature names none, as one of x509. Nothing is verified.
func (t Tag) Key() string {
	if fingerprint, _, ok := t.PublicKey(); ok {
		return fingerprint
	}
	if issuers := t.Issuers(); len(issuers) > 0 {
		return issuers[0]
	}
	return ""
}

// parseOpenPGP reads the one signature packet in an armor. An algorithm or a version that is not known is
// [ErrUndecided].
func parseOpenPGP(armored []byte) (*packet.Signature, error) {
	data, ok := dearmorOpenPGP(armored)
	if !ok {
		return nil, errMalformed
	}
	packets := packet.NewOpaqueReader(bytes.NewReader(data))
	only, err := packets.Next()
	if err != nil || only.Tag != tagSignature {
		return nil, errMalformed
	}
	if _, err := packets.Next(); !errors.Is(err, io.EOF) {
		return nil, errMalformed
	}
	parsed, err := only.Parse()
	if _, ok := errors.AsType[pgperrors.UnsupportedError](err); ok {
		return nil, ErrUndecided
	}
	s, ok := parsed.(*packet.Signature)
	if err != nil || !ok {
		return nil, errMalformed
	}
	return s, nil
}

func (t Trust) judgeOpenPGP(tag Tag, now time.Time) (Verdict, error) {
	if _, err := parseOpenPGP(tag.Signature); err != nil {
		return judgeUnreadable(err)
	}
	// What each copy of the key says of the signature, and of none: that the key is nowhere. A key that a source
	// takes back is revoked also where no copy of it is here.
	var findings []claim
	for _, source := range t.Sources {
		for _, key := range source.Keyring.keys {
			if c, ok := key.claimFor(tag, source.Name, now); ok {
				findings = append(findings, t.takenBack(c))
			}
		}
	}
	for _, key := range t.Known.keys {
		if c, ok := key.claimFor(tag, "", now); ok {
			// A copy for which nobody vouches can speak against a signature, and never for one.
			if c.standing != Bad && c.standing != Revoked {
				c.standing, c.by, c.undecided = Unknown, "", false
				c.why = "the key is here, and no list trusts it"
			}
			findings = append(findings, t.takenBack(c))
		}
	}
	if len(findings) == 0 {
		nowhere := claim{standing: Unknown, why: "the key is not here", names: tag.Issuers()}
		if len(nowhere.names) > 0 {
			nowhere.key = nowhere.names[0]
		}
		findings = append(findings, t.takenBack(nowhere))
	}
	top, until := bestClaim(findings, now)
	v := Verdict{Standing: top.standing, By: top.by, Key: top.key, Why: top.why, Until: until}
	if v.Standing == Bad {
		return v, nil
	}
	for _, c := range findings {
		if c.standing == Revoked {
			return Verdict{Standing: Revoked, Key: c.key, Why: c.why}, nil
		}
	}
	obscure := slices.ContainsFunc(findings, func(c claim) bool { return c.obscure })
	if obscure && (v.Standing == Good || v.Standing == Expired) {
		return askElsewhere(v, "the key bears a revocation that cannot be read here")
	}
	if top.undecided {
		return askElsewhere(v, top.why)
	}
	return v, nil
}

// takenBack returns the claim, or that a source has revoked the key of a signature that is not bad.
func (t Trust) takenBack(c claim) claim {
	for _, source := range t.Sources {
		if c.standing != Bad && slices.ContainsFunc(c.names, source.Revoked.Holds) {
			c.standing, c.by, c.undecided = Revoked, "", false
			c.why = source.Name + " has taken the key back"
		}
	}
	return c
}

// claimFor tells what a copy of a key says of the signature. It is false where another key signed.
func (k *pgpKey) claimFor(tag Tag, source string, now time.Time) (claim, bool) {
	s, err := parseOpenPGP(tag.Signature) // its own copy: to verify one changes it
	if err != nil {
		return claim{}, false
	}
	key, sub := k.entity.PrimaryKey, (*openpgp.Subkey)(nil)
	if !s.CheckKeyIdOrFingerprint(key) {
		i := slices.IndexFunc(k.entity.Subkeys, func(sub openpgp.Subkey) bool {
			return s.CheckKeyIdOrFingerprint(sub.PublicKey)
		})
		if i < 0 {
			return claim{}, false
		}
		sub = &k.entity.Subkeys[i]
		key = sub.PublicKey
	}
	c := k.judgeSignature(s, key, sub, tag.Payload, source, now)
	_, c.obscure = k.isRevoked(sub)
	c.key, c.names = fingerprintOf(k.entity.PrimaryKey),
		[]string{fingerprintOf(k.entity.PrimaryKey), fingerprintOf(key)}
	return c, true
}

// judgeSignature tells what the signature is worth if the source trusts the key. The times of a key are
// those that it states now, as gpg takes them: a key whose end was put off is not expired by what it said
// before.
func (k *pgpKey) judgeSignature(
	s *packet.Signature, key *packet.PublicKey, sub *openpgp.Subkey, payload []byte, source string, now time.Time,
) claim {
	unknown := func(why string) claim { return claim{standing: Unknown, why: why} }
	doubt := func(why string) claim { return claim{standing: Unknown, undecided: true, why: why} }
	weak := isRefused(s, key) || isRefused(s, k.entity.PrimaryKey)
	if !weak && !fitsPayload(s, key, payload) {
		return claim{standing: Bad, why: "the signature does not fit what it stands under"}
	}
	revoked, _ := k.isRevoked(sub)
	switch {
	case revoked:
		return claim{standing: Revoked, why: "the key was revoked by its holder"}
	case weak:
		return doubt("it is made by an algorithm that is too weak")
	case hasDemand(s):
		return unknown("the signature holds only under a condition that is not known here")
	}
	span, ok := k.keySpan(now)
	if !ok {
		return doubt("the key has no valid signature of its own")
	}
	own := window{after: s.CreationTime}
	if s.SigLifetimeSecs != nil && *s.SigLifetimeSecs > 0 {
		own.before = s.CreationTime.Add(time.Duration(*s.SigLifetimeSecs) * time.Second)
	}
	terms := []term{{
		window: own, pending: "the signature is dated in the future", ended: "the signature has expired since",
	}, keyTerm(span)}
	mine := k.selfSignatures(now)
	if sub != nil {
		binding, err := sub.LatestValidBindingSignature(now, algorithmPolicy(now))
		if err != nil {
			return unknown("the subkey is not bound to its key")
		}
		mine = []*packet.Signature{binding}
		terms = append(terms, keyTerm(spanOf(key, binding)))
	}
	switch {
	case !slices.ContainsFunc(mine, func(s *packet.Signature) bool { return s.FlagsValid }):
		return doubt("the key does not say what it is for")
	case !slices.ContainsFunc(mine, func(s *packet.Signature) bool { return s.FlagSign }):
		return unknown("the key is not one that signs")
	}
	by, _ := k.primaryUser(now)
	return claimWithin(by, source+" trusts the key", s.CreationTime, now, terms...)
}

func keyTerm(w window) term {
	return term{
		window:  w,
		never:   "the key was not valid when this was signed",
		pending: "the key is dated in the future",
		ended:   "the key has expired since",
	}
}

// isRefused tells whether the policy for algorithms leaves a signature or its key to other programs.
func isRefused(s *packet.Signature, key *packet.PublicKey) bool {
	policy := algorithmPolicy(time.Time{})
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

// fitsPayload tells whether the signature is one by the key over the payload. In the kind for texts, line
// breaks of every kind are the same, so a payload with a carriage return is not taken.
func fitsPayload(s *packet.Signature, key *packet.PublicKey, payload []byte) bool {
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
