package sign_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// signedAt is the tagger's time of the tags in these tests, and now the time at which they are judged.
var (
	signedAt = time.Unix(1795232477, 0)
	now      = signedAt.Add(time.Hour)
)

func statement(at time.Time) sign.Statement {
	tagger := fmt.Sprintf("Ada Tester <ada@example.com> %d +0000", at.Unix())
	return sign.Statement{
		Object: object, Name: name, Tagger: tagger, Data: data,
		Store: "8f14e45fceea167a5a36dedd4bea2543",
	}
}

func newSSH(tb testing.TB) ssh.Signer {
	tb.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return wrap(tb, private)
}

func newRSA(tb testing.TB, bits int) ssh.Signer {
	tb.Helper()
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		tb.Fatal(err)
	}
	return wrap(tb, private)
}

func wrap(tb testing.TB, private any) ssh.Signer {
	tb.Helper()
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		tb.Fatal(err)
	}
	return signer
}

// certify gives a signer a certificate by an authority.
func certify(tb testing.TB, authority, signer ssh.Signer, cert ssh.Certificate) ssh.Signer {
	tb.Helper()
	cert.Key = signer.PublicKey()
	if cert.CertType == 0 {
		cert.CertType = ssh.UserCert
	}
	if cert.ValidBefore == 0 {
		cert.ValidBefore = ssh.CertTimeInfinity
	}
	if err := cert.SignCert(rand.Reader, authority); err != nil {
		tb.Fatal(err)
	}
	certified, err := ssh.NewCertSigner(&cert, signer)
	if err != nil {
		tb.Fatal(err)
	}
	return certified
}

func sshArmor(tb testing.TB, signer ssh.Signer, space string, payload []byte) []byte {
	tb.Helper()
	s, err := sshsig.Sign(bytes.NewReader(payload), signer, sshsig.HashSHA512, space)
	if err != nil {
		tb.Fatal(err)
	}
	return sshsig.Armor(s)
}

// rawSSH returns a signed tag object of the time signedAt.
func rawSSH(tb testing.TB, signer ssh.Signer) []byte {
	tb.Helper()
	payload := statement(signedAt).Payload()
	return append(payload, sshArmor(tb, signer, "git", payload)...)
}

func parse(tb testing.TB, raw []byte) sign.Tag {
	tb.Helper()
	tag, err := sign.Examine(raw, name, object, data)
	if err != nil {
		tb.Fatal(err)
	}
	return tag
}

func public(signer ssh.Signer) string {
	return strings.TrimSuffix(string(ssh.MarshalAuthorizedKey(signer.PublicKey())), "\n")
}

func trusting(tb testing.TB, signers string) sign.Trust {
	tb.Helper()
	allowed, problems := sign.ParseAllowedSigners([]byte(signers))
	if len(problems) > 0 {
		tb.Fatalf("problems %v in %q", problems, signers)
	}
	return sign.Trust{Sources: []sign.Source{{Name: "the test", Signers: allowed}}}
}

// judged returns the standing, or "undecided".
func judged(tb testing.TB, trust sign.Trust, tag sign.Tag, at time.Time) (string, sign.Verdict) {
	tb.Helper()
	v, err := trust.Verify(tag, at)
	if errors.Is(err, sign.ErrUndecided) {
		if v.Standing != sign.Unknown || v.By != "" {
			tb.Errorf("undecided with %+v, want unknown and nobody", v)
		}
		return "undecided", v
	}
	if err != nil {
		tb.Fatal(err)
	}
	return string(v.Standing), v
}
