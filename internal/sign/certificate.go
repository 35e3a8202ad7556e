package sign

import (
	"bytes"
	"math"
	"time"

	"golang.org/x/crypto/ssh"
)

// claimCertificate tells what an entry of a certificate authority says of a signature by a certificate. Beyond what
// ssh-keygen asks, a certificate with a critical option counts for nothing: such an option limits its use to something
// that is not a signature of git.
func (s Entry) claimCertificate(signer sshSigner, source string, signed, now time.Time) (claim, bool) {
	cert := signer.certificate
	if cert == nil || !bytes.Equal(s.wire, cert.SignatureKey.Marshal()) {
		return claim{}, false
	}
	if c, refused := s.refusal(); refused {
		return c, true
	}
	span, ok := certificateWindow(cert)
	by := ""
	for _, principal := range cert.ValidPrincipals {
		if principal != "" && matchList(s.Principals, principal) {
			by = principal
			break
		}
	}
	switch {
	case cert.CertType != ssh.UserCert:
		return claim{standing: Unknown, why: "the certificate is one of a host"}, true
	case len(cert.CriticalOptions) > 0:
		return claim{standing: Unknown, why: "the certificate is limited to a use that is not this one"}, true
	case by == "":
		return claim{standing: Unknown, why: "the authority is listed, but for none of the certificate's principals"}, true
	case !ok:
		return claim{standing: Unknown, why: "the certificate is valid at no time"}, true
	}
	why := source + " vouches for the authority of the certificate"
	c := within(by, why, signed, now, s.term(), term{
		window:  span,
		never:   "the certificate was not valid when this was signed",
		pending: "the certificate is not valid yet",
		ended:   "the certificate has expired since",
	})
	if c.standing == Unknown {
		return c, true
	}
	return vetted(c, cert), true
}

// vetted returns the claim if the certificate bears its authority's signature.
func vetted(c claim, cert *ssh.Certificate) claim {
	format := cert.Signature.Format
	if weak(cert.SignatureKey) || format == ssh.KeyAlgoRSA {
		return claim{standing: Unknown, undecided: true, why: "the certificate is signed by an algorithm that is too weak"}
	}
	// Tells whether the certificate bears its authority's signature. What else the checker
	// asks has been answered before, for the time of the signature.
	span, _ := certificateWindow(cert)
	begin := max(span.after.Unix(), 0)
	checker := ssh.CertChecker{Clock: func() time.Time { return time.Unix(begin, 0) }}
	if checker.CheckCert(cert.ValidPrincipals[0], cert) != nil {
		return claim{standing: Bad, why: "the certificate is not signed by the authority that it names"}
	}
	return c
}

// certificateWindow returns the time of a certificate, whose end it does not hold itself.
func certificateWindow(cert *ssh.Certificate) (window, bool) {
	var w window
	if cert.ValidAfter > math.MaxInt64 || cert.ValidBefore == 0 {
		return w, false
	}
	if cert.ValidAfter > 0 {
		w.after = time.Unix(int64(cert.ValidAfter), 0)
	}
	if cert.ValidBefore <= math.MaxInt64 {
		w.before = time.Unix(int64(cert.ValidBefore)-1, 0)
	}
	return w, true
}
