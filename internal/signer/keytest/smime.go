package keytest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SMIME makes a self-signed certificate for x509 in a ring, which trusts it from then on, and returns its
// fingerprint. The name is a plain name such as "Ada Tester".
func SMIME(tb testing.TB, home *Home, name, mail string) string {
	tb.Helper()
	Needs(tb, "gpgsm")
	fingerprint, err := NewSMIME(home.Ring, name, mail)
	check(tb, err)
	return fingerprint
}

// NewSMIME is [SMIME] with an error.
func NewSMIME(ring *Ring, name, mail string) (string, error) {
	request := "Key-Type: RSA\nKey-Length: 2048\nKey-Usage: sign, cert\nSerial: random\n" +
		"Name-DN: CN=" + name + "\nName-Email: " + mail + "\n"
	file, certificate := filepath.Join(ring.Dir, "request"), filepath.Join(ring.Dir, "certificate")
	if err := os.WriteFile(file, []byte(request), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(ring.Dir, "gpgsm.conf"), []byte("disable-crl-checks\n"),
		0o600); err != nil {
		return "", err
	}
	if _, err := ring.gpgsm("--pinentry-mode", "loopback", "--passphrase-fd", "0", "--output", certificate,
		"--generate-key", file); err != nil {
		return "", err
	}
	if _, err := ring.gpgsm("--import", certificate); err != nil {
		return "", err
	}
	out, err := ring.gpgsm("--list-keys", "--with-colons", "<"+mail+">")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(line, ":"); f[0] == "fpr" && len(f) > 9 {
			return f[9], ring.trustRoot(f[9])
		}
	}
	return "", fmt.Errorf("gpgsm lists no certificate: %q", out)
}

// trustRoot makes a certificate a root, and lets the agent read the list of roots again.
func (r *Ring) trustRoot(fingerprint string) error {
	list, err := os.OpenFile(filepath.Join(r.Dir, "trustlist.txt"), os.O_CREATE|os.O_APPEND|os.O_WRONLY,
		0o600)
	if err != nil {
		return err
	}
	if _, err := list.WriteString(fingerprint + " S relax\n"); err != nil {
		_ = list.Close()
		return err
	}
	if err := list.Close(); err != nil {
		return err
	}
	_, err = run(r.Dir, r.Env(), nil, "gpgconf", "--reload", "gpg-agent")
	return err
}

func (r *Ring) gpgsm(args ...string) ([]byte, error) {
	return run(r.Dir, r.Env(), nil, "gpgsm", append([]string{"--batch", "--quiet"}, args...)...)
}
