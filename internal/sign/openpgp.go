package sign

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
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
	findings := t.claimsFor(tag, now)
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

// claimsFor returns what each copy of the key says of the signature, of which there is at least one: that the
// key is nowhere. A key that a source takes back is revoked also where no copy of it is here.
func (t Trust) claimsFor(tag Tag, now time.Time) []claim {
	nowhere := claim{standing: Unknown, why: "the key is not here"}
	if issuers := tag.Issuers(); len(issuers) > 0 {
		nowhere.key = issuers[0]
	}
	var findings []claim
	for _, source := range t.Sources {
		for _, key := range source.Keyring.keys {
			if c, ok := key.claim(tag, source.Name, now); ok {
				findings = append(findings, t.takenBack(c))
			}
		}
	}
	for _, key := range t.Known.keys {
		if c, ok := key.claim(tag, "", now); ok {
			findings = append(findings, t.takenBack(c.withoutTrust()))
		}
	}
	if len(findings) == 0 {
		nowhere.names = tag.Issuers()
		return []claim{t.takenBack(nowhere)}
	}
	return findings
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

// withoutTrust turns what a copy says for which nobody vouches into what it is worth: it can speak against a
// signature, and never for one.
func (c claim) withoutTrust() claim {
	if c.standing != Bad && c.standing != Revoked {
		c.standing, c.by, c.undecided = Unknown, "", false
		c.why = "the key is here, and no list trusts it"
	}
	return c
}

// claim tells what a copy of a key says of the signature. It is false where another key signed.
func (k *pgpKey) claim(tag Tag, source string, now time.Time) (claim, bool) {
	s, err := parseOpenPGP(tag.Signature) // its own copy: to verify one changes it
	if err != nil {
		return claim{}, false
	}
	key, sub, ok := k.findSigner(s)
	if !ok {
		return claim{}, false
	}
	c := k.judgeSignature(s, key, sub, tag.Payload, source, now)
	_, c.obscure = k.isRevoked(sub)
	c.key, c.names = fingerprint(k.entity.PrimaryKey),
		[]string{fingerprint(k.entity.PrimaryKey), fingerprint(key)}
	return c, true
}

// findSigner returns the primary key or the subkey that a signature names.
func (k *pgpKey) findSigner(s *packet.Signature) (*packet.PublicKey, *openpgp.Subkey, bool) {
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
	span, ok := k.lifetime(now)
	if !ok {
		return doubt("the key has no valid signature of its own")
	}
	terms := []term{signatureTerm(s), keyTerm(span)}
	mine := k.selfSignatures(now)
	if sub != nil {
		binding, err := sub.LatestValidBindingSignature(now, algorithmPolicy(now))
		if err != nil {
			return unknown("the subkey is not bound to its key")
		}
		mine = []*packet.Signature{binding}
		terms = append(terms, keyTerm(lifetime(key, binding)))
	}
	switch stated, signs := statedPurpose(mine); {
	case !stated:
		return doubt("the key does not say what it is for")
	case !signs:
		return unknown("the key is not one that signs")
	}
	by, _ := k.primaryUser(now)
	return claimWithin(by, source+" trusts the key", s.CreationTime, now, terms...)
}

// statedPurpose tells whether a key states what it is for, and whether that is to sign.
func statedPurpose(own []*packet.Signature) (stated, signs bool) {
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
	return term{
		window: w, pending: "the signature is dated in the future",
		ended: "the signature has expired since",
	}
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

// Form is the kind of a signature.
type Form string

// The forms that git knows.
const (
	FormSSH     Form = "ssh"
	FormOpenPGP Form = "openpgp"
	FormX509    Form = "x509"
)

const (
	labelSSH     = "SSH SIGNATURE"
	labelOpenPGP = "PGP SIGNATURE"
	labelX509    = "SIGNED MESSAGE"
)

// maxArmorLine bounds a line of base64 in an armor.
const maxArmorLine = 128

// Form tells the kind of the tag's signature from its first line. It is empty for a kind that is refused,
// such as the message that old programs wrote in the place of a signature.
func (t Tag) Form() Form {
	first, _, _ := bytes.Cut(t.Signature, []byte("\n"))
	switch string(first) {
	case "-----BEGIN " + labelSSH + "-----":
		return FormSSH
	case "-----BEGIN " + labelOpenPGP + "-----":
		return FormOpenPGP
	case "-----BEGIN " + labelX509 + "-----":
		return FormX509
	default:
		return ""
	}
}

// splitSignature finds the signature as git does, at the last line that begins one, and
// refuses a second signature and whatever stands behind the armor.
func splitSignature(raw []byte) (payload, signature []byte, err error) {
	at, begins := -1, 0
	offset := 0
	for line := range bytes.Lines(raw) {
		if beginsSignature(line) {
			at = offset
			begins++
		}
		offset += len(line)
	}
	if begins != 1 {
		return nil, nil, fmt.Errorf("%w: it holds %d signatures, want 1", ErrTag, begins)
	}
	signature = raw[at:]
	first, _, _ := bytes.Cut(signature, []byte("\n"))
	end := bytes.Replace(first, []byte("BEGIN"), []byte("END"), 1)
	i := bytes.Index(signature, append([]byte("\n"), end...))
	if i < 0 || string(signature[i+1:]) != string(end)+"\n" {
		return nil, nil, fmt.Errorf("%w: text follows the signature, or its end is missing", ErrTag)
	}
	return raw[:at], signature, nil
}

// beginsSignature tells whether git takes a line of a tag object for the
// beginning of a signature (its gpg-interface).
func beginsSignature(line []byte) bool {
	for _, marker := range [...]string{
		"-----BEGIN PGP SIGNATURE-----",
		"-----BEGIN PGP MESSAGE-----",
		"-----BEGIN SIGNED MESSAGE-----",
		"-----BEGIN SSH SIGNATURE-----",
	} {
		if bytes.HasPrefix(line, []byte(marker)) {
			return true
		}
	}
	return false
}

// dearmorSSH returns the bytes in the armor of an SSH signature. Between its first and its last line stand
// lines of base64 and nothing else.
func dearmorSSH(armored []byte) ([]byte, bool) {
	body, ok := cutArmor(armored, labelSSH)
	if !ok {
		return nil, false
	}
	return decodeArmor(body)
}

// dearmorOpenPGP returns the bytes in the armor of an OpenPGP signature: headers, an empty line, lines of
// base64, and a checksum, which may be missing. What the headers say is free text that nobody reads.
func dearmorOpenPGP(armored []byte) ([]byte, bool) {
	body, ok := cutArmor(armored, labelOpenPGP)
	if !ok {
		return nil, false
	}
	for {
		line, rest, found := strings.Cut(body, "\n")
		if !found {
			return nil, false
		}
		body = rest
		if line == "" {
			break
		}
		if !isArmorHeader(line) {
			return nil, false
		}
	}
	content, ok := strings.CutSuffix(body, "\n")
	if !ok {
		return nil, false
	}
	at := strings.LastIndexByte(content, '\n') + 1
	sum, summed := strings.CutPrefix(content[at:], "=")
	if summed {
		body = body[:at]
	}
	data, ok := decodeArmor(body)
	if !ok || summed && sum != crc24(data) {
		return nil, false
	}
	return data, true
}

func cutArmor(armored []byte, label string) (string, bool) {
	body, begun := strings.CutPrefix(string(armored), "-----BEGIN "+label+"-----\n")
	body, ended := strings.CutSuffix(body, "-----END "+label+"-----\n")
	return body, begun && ended
}

// isArmorHeader takes a name of letters, a colon, and a blank with any text behind it.
func isArmorHeader(line string) bool {
	name, value, ok := strings.Cut(line, ":")
	return ok && name != "" && len(line) <= 1024 && (value == "" || value[0] == ' ') &&
		strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-") == ""
}

// decodeArmor decodes lines of base64, of which none is empty.
func decodeArmor(body string) ([]byte, bool) {
	if body == "" || body[len(body)-1] != '\n' {
		return nil, false
	}
	for line := range strings.SplitSeq(body[:len(body)-1], "\n") {
		if line == "" || len(line) > maxArmorLine || strings.Contains(line, "\r") {
			return nil, false
		}
	}
	data, err := base64.StdEncoding.Strict().DecodeString(body)
	return data, err == nil && len(data) > 0
}

// crc24 is the CRC-24 of OpenPGP in base64 (RFC 9580, 6.1).
func crc24(data []byte) string {
	crc := uint32(0xb704ce)
	for _, b := range data {
		crc ^= uint32(b) << 16
		for range 8 {
			crc <<= 1
			if crc&0x1000000 != 0 {
				crc ^= 0x864cfb
			}
		}
	}
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, crc<<8)[:3])
}
