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
)

// Issuers returns the keys that an OpenPGP signature names: fingerprints of 40 or 64 digits in upper-case hexadecimal, or
// else key ids of 16. It is nil for signatures of other forms. Nothing is verified.
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

// Key returns what a signature calls its key: the fingerprint of a key of SSH or OpenPGP, or an OpenPGP key id. It is empty
// where the signature names none, as one of x509. Nothing is verified.
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
		return unreadable(err)
	}
	findings := t.findings(tag, now)
	top, until := best(findings, now)
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
		return undecided(v, "the key bears a revocation that cannot be read here")
	}
	if top.undecided {
		return undecided(v, top.why)
	}
	return v, nil
}

// findings returns what each copy of the key says of the signature, of which there is at least one: that the key is
// nowhere. A key that a source takes back is revoked also where no copy of it is here.
func (t Trust) findings(tag Tag, now time.Time) []claim {
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
			findings = append(findings, t.takenBack(c.distrusted()))
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

// distrusted turns what a copy says for which nobody vouches into what it is worth: it can speak against a signature, and
// never for one.
func (c claim) distrusted() claim {
	if c.standing != Bad && c.standing != Revoked {
		c.standing, c.by, c.undecided = Unknown, "", false
		c.why = "the key is here, and nobody vouches for it"
	}
	return c
}
