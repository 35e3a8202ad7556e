package sign

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// kindDSA is the type of keys that are too weak at every size.
const kindDSA = "ssh-dss"

// minRSA is the least length of an RSA key that is judged here.
const minRSA = 2048

var errMalformed = errors.New("the signature is malformed")

// sshSigner is the key inside an SSH signature.
type sshSigner struct {
	key         ssh.PublicKey    // never a certificate
	certificate *ssh.Certificate // nil where a bare key signed
}

// sshSignature is an SSH signature in its parts.
type sshSignature struct {
	*sshsig.Signature
	signer sshSigner
}

// parseSSH reads the armored signature. An algorithm that is not known is [ErrUndecided].
func parseSSH(armored []byte) (sshSignature, error) {
	wire, ok := dearmorSSH(armored)
	if !ok {
		return sshSignature{}, errMalformed
	}
	parsed, err := sshsig.ParseSignature(wire)
	if err != nil {
		if !knownAlgorithm(wire) {
			return sshSignature{}, ErrUndecided
		}
		return sshSignature{}, errMalformed
	}
	s := sshSignature{Signature: parsed, signer: sshSigner{key: parsed.PublicKey}}
	if cert, ok := parsed.PublicKey.(*ssh.Certificate); ok {
		s.signer = sshSigner{key: cert.Key, certificate: cert}
	}
	return s, nil
}

// knownAlgorithm tells whether the key in a signature is of a type that can be read here. Where no type can
// be found, the signature is malformed rather than unknown.
func knownAlgorithm(wire []byte) bool {
	var outer struct {
		Magic   [6]byte
		Version uint32
		Key     []byte
		Rest    []byte `ssh:"rest"`
	}
	var inner struct {
		Kind string
		Rest []byte `ssh:"rest"`
	}
	if ssh.Unmarshal(wire, &outer) != nil || string(outer.Magic[:]) != "SSHSIG" ||
		ssh.Unmarshal(outer.Key, &inner) != nil {
		return true
	}
	switch strings.TrimSuffix(inner.Kind, "-cert-v01@openssh.com") {
	case kindDSA, ssh.KeyAlgoRSA, ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384,
		ssh.KeyAlgoECDSA521,
		ssh.KeyAlgoSKECDSA256, ssh.KeyAlgoSKED25519, "sk-ssh-ed25519", "sk-ecdsa-sha2-nistp256":
		return true
	default:
		return false
	}
}

// PublicKey returns the key inside an SSH signature: its fingerprint, and the key as a line of an
// authorized_keys file without comment and line break. For a certificate it is the key that the certificate
// speaks of. Nothing is verified.
func (t Tag) PublicKey() (fingerprint, line string, ok bool) {
	if s, err := parseSSH(t.Signature); err == nil {
		return ssh.FingerprintSHA256(s.signer.key), authorizedLine(s.signer.key), true
	}
	return "", "", false
}

// Authority returns the key of the authority where a certificate signed, in the forms of [Tag.PublicKey].
// Nothing is verified.
func (t Tag) Authority() (fingerprint, line string, ok bool) {
	if s, err := parseSSH(t.Signature); err == nil && s.signer.certificate != nil {
		key := s.signer.certificate.SignatureKey
		return ssh.FingerprintSHA256(key), authorizedLine(key), true
	}
	return "", "", false
}

func (t Trust) judgeSSH(tag Tag, now time.Time) (Verdict, error) {
	s, err := parseSSH(tag.Signature)
	if err != nil {
		return judgeUnreadable(err)
	}
	if s.Namespace != namespace {
		return badVerdict("the signature was made for another purpose than git's"), nil
	}
	v, cert := Verdict{Key: ssh.FingerprintSHA256(s.signer.key)}, s.signer.certificate
	reason, fits := s.checkPayload(tag.Payload)
	if !fits && reason == "" {
		v.Standing, v.Why = Bad, "the signature does not fit what it stands under"
		return v, nil
	}
	for _, source := range t.Sources {
		if source.Revoked.Holds(v.Key) || cert != nil &&
			source.Revoked.Holds(ssh.FingerprintSHA256(cert.SignatureKey)) {
			v.Standing, v.Why = Revoked, source.Name+" has taken the key back"
			return v, nil
		}
		if source.Revoked.Opaque() {
			reason = "the list of revoked keys can be read by OpenSSH alone"
		}
	}
	if reason != "" {
		return askElsewhere(v, reason)
	}
	claims := []claim{{standing: Unknown, why: "the key is not trusted here"}}
	for _, source := range t.Sources {
		for _, entry := range source.Signers.entries {
			if c, ok := entry.claimFor(s.signer, source.Name, tag.When(), now); ok {
				claims = append(claims, c)
			}
		}
	}
	if len(claims) > 1 {
		claims = claims[1:]
	}
	top, until := bestClaim(claims, now)
	v.Standing, v.By, v.Why, v.Until = top.standing, top.by, top.why, until
	return v, nil
}

// checkPayload tells whether the signature fits the payload. A reason says why that cannot be told, or
// should not count, here.
func (s sshSignature) checkPayload(payload []byte) (reason string, fits bool) {
	kind := s.signer.key.Type()
	touch := strings.HasPrefix(kind, "sk-")
	if !touch && len(s.Signature.Signature.Rest) > 0 {
		return "", false
	}
	switch format := s.Signature.Signature.Format; {
	case kind == ssh.KeyAlgoRSA && format != ssh.KeyAlgoRSASHA256 && format != ssh.KeyAlgoRSASHA512:
		return "", false
	case isWeak(s.signer.key):
		return "the key is of a kind that is too weak", false
	}
	err := sshsig.Verify(bytes.NewReader(payload), s.Signature, s.PublicKey, s.HashAlgorithm, namespace)
	if err != nil && touch {
		return "the signature of the security key lacks the mark of a touch, or does not fit", false
	}
	return "", err == nil
}

// isWeak tells whether keys of this kind are left to other programs.
func isWeak(key ssh.PublicKey) bool {
	if k, ok := key.(ssh.CryptoPublicKey); ok {
		if r, ok := k.CryptoPublicKey().(*rsa.PublicKey); ok {
			return r.N.BitLen() < minRSA
		}
	}
	return key.Type() == kindDSA
}

// claimCertificate tells what an entry of a certificate authority says of a signature by a certificate.
// Beyond what ssh-keygen asks, a certificate with a critical option counts for nothing: such an option limits
// its use to something that is not a signature of git.
func (s Entry) claimCertificate(signer sshSigner, source string, signed, now time.Time) (claim, bool) {
	cert := signer.certificate
	if cert == nil || !bytes.Equal(s.wire, cert.SignatureKey.Marshal()) {
		return claim{}, false
	}
	if !s.ForGit() {
		return claim{standing: Unknown, why: notForGit}, true
	}
	var span window // It does not hold its end itself.
	if cert.ValidAfter > 0 && cert.ValidAfter <= math.MaxInt64 {
		span.after = time.Unix(int64(cert.ValidAfter), 0)
	}
	if cert.ValidBefore > 0 && cert.ValidBefore <= math.MaxInt64 {
		span.before = time.Unix(int64(cert.ValidBefore)-1, 0)
	}
	by := ""
	for _, principal := range cert.ValidPrincipals {
		if principal != "" && matchList(s.Principals, principal) {
			by = principal
			break
		}
	}
	unknown := claim{standing: Unknown}
	switch {
	case cert.CertType != ssh.UserCert:
		unknown.why = "the certificate is one of a host"
	case len(cert.CriticalOptions) > 0:
		unknown.why = "the certificate is limited to a use that is not this one"
	case by == "":
		unknown.why = "the authority is listed, but for none of the certificate's principals"
	case cert.ValidAfter > math.MaxInt64 || cert.ValidBefore == 0:
		unknown.why = "the certificate is valid at no time"
	}
	if unknown.why != "" {
		return unknown, true
	}
	why := source + " trusts the authority of the certificate"
	c := claimWithin(by, why, signed, now, s.listedTerm(), term{
		window:  span,
		never:   "the certificate was not valid when this was signed",
		pending: "the certificate is not valid yet",
		ended:   "the certificate has expired since",
	})
	if c.standing == Unknown {
		return c, true
	}
	if isWeak(cert.SignatureKey) || cert.Signature.Format == ssh.KeyAlgoRSA {
		unknown.why, unknown.undecided = "the certificate is signed by an algorithm that is too weak", true
		return unknown, true
	}
	// Tells whether the certificate bears its authority's signature. What else the checker asks has been
	// answered before, for the time of the signature.
	begin := max(span.after.Unix(), 0)
	checker := ssh.CertChecker{Clock: func() time.Time { return time.Unix(begin, 0) }}
	if checker.CheckCert(cert.ValidPrincipals[0], cert) != nil {
		return claim{standing: Bad, why: "the certificate is not signed by the authority that it names"}, true
	}
	return c, true
}
