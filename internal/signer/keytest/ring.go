package keytest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Ring is a home directory of GnuPG that is used by nobody else.
type Ring struct {
	Dir string // Dir is GNUPGHOME, and HOME too. Its path is short.
}

// NewRing makes an empty ring. The caller closes it.
func NewRing() (*Ring, error) {
	dir, err := shortDir()
	if err != nil {
		return nil, err
	}
	return &Ring{Dir: dir}, nil
}

// Close ends the agents of the ring and removes it.
func (r *Ring) Close() error {
	_, err := run(r.Dir, r.Env(), nil, "gpgconf", "--kill", "all")
	return errors.Join(err, os.RemoveAll(r.Dir))
}

// Env is a whole environment in which gpg and gpgsm see this ring and no other.
func (r *Ring) Env() []string {
	return environment(r.Dir, "GNUPGHOME="+r.Dir)
}

// Generate makes a key without a passphrase that may sign, made an hour ago, and returns its fingerprint.
// The algorithm is one of gpg's, such as "ed25519" or "rsa2048"; the expiry is "never", "1y" and the like.
func (r *Ring) Generate(uid, algorithm, expiry string) (string, error) {
	return r.GenerateAt(time.Now().Add(-time.Hour), uid, algorithm, expiry)
}

// GenerateAt makes a key as if it were another time.
func (r *Ring) GenerateAt(at time.Time, uid, algorithm, expiry string) (string, error) {
	return r.create(at, "", "--quick-gen-key", uid, algorithm, "sign", expiry)
}

// GenerateLocked makes a key with a passphrase, which no agent knows afterwards.
func (r *Ring) GenerateLocked(uid, algorithm, passphrase string) (string, error) {
	fingerprint, err := r.create(time.Now().Add(-time.Hour), passphrase, "--quick-gen-key", uid, algorithm,
		"sign", "never")
	if err != nil {
		return "", err
	}
	_, err = run(r.Dir, r.Env(), nil, "gpgconf", "--kill", "gpg-agent")
	return fingerprint, err
}

// AddSubkey gives a key a subkey that may sign, made half an hour ago, and returns the subkey's fingerprint.
func (r *Ring) AddSubkey(fingerprint, algorithm, expiry string) (string, error) {
	return r.create(time.Now().Add(-30*time.Minute), "", "--quick-add-key", fingerprint, algorithm, "sign",
		expiry)
}

// create runs a command that makes a key, and returns the fingerprint that gpg reports.
func (r *Ring) create(at time.Time, passphrase string, args ...string) (string, error) {
	all := append([]string{"--status-fd=1", "--pinentry-mode", "loopback", "--passphrase", passphrase},
		args...)
	out, err := r.gpgAt(at, nil, all...)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) >= 4 && f[1] == "KEY_CREATED" {
			return f[3], nil
		}
	}
	return "", fmt.Errorf("gpg %q named no key: %q", args, out)
}

// ExpireAt lets a key end at a time, which may lie in the past but after the key was made.
func (r *Ring) ExpireAt(fingerprint string, end time.Time) error {
	_, err := r.gpgAt(end.Add(-time.Second), nil, "--quick-set-expire", fingerprint, "seconds=1")
	return err
}

// Revoke takes a key back for good, with the certificate that gpg made together with the key.
func (r *Ring) Revoke(fingerprint string) error {
	data, err := os.ReadFile(filepath.Join(r.Dir, "openpgp-revocs.d", fingerprint+".rev"))
	if err != nil {
		return err
	}
	return r.Import([]byte(strings.Replace(string(data), "\n:---", "\n---", 1)))
}

// Trust sets how far the owner of a key is trusted to vouch for others: "undefined", "never", "marginal",
// "full" or "ultimate". A key with ultimate trust is valid by itself.
func (r *Ring) Trust(fingerprint, level string) error {
	number := map[string]string{
		"undefined": "2", "never": "3", "marginal": "4", "full": "5",
		"ultimate": "6",
	}[level]
	if number == "" {
		return fmt.Errorf("no such level of trust: %q", level)
	}
	_, err := r.gpg([]byte(fingerprint+":"+number+":\n"), "--import-ownertrust")
	return err
}

// Certify signs one key with another that is in the ring with its secret part. Certified by a key with
// ultimate trust, it is fully valid; by a valid key whose owner has marginal trust, marginally.
func (r *Ring) Certify(by, fingerprint string) error {
	_, err := r.gpg(nil, "--yes", "--local-user", by, "--quick-lsign-key", fingerprint)
	return err
}

// Import adds keys or revocations.
func (r *Ring) Import(data []byte) error {
	_, err := r.gpg(data, "--import")
	return err
}

// Export returns the public keys of the fingerprints, armored; of none, all keys.
func (r *Ring) Export(fingerprints ...string) ([]byte, error) {
	return r.gpg(nil, append([]string{"--armor", "--export"}, fingerprints...)...)
}

// ExportSecret returns the secret key of a fingerprint, armored.
func (r *Ring) ExportSecret(fingerprint string) ([]byte, error) {
	return r.gpg(nil, "--armor", "--pinentry-mode", "loopback", "--passphrase", "", "--export-secret-keys",
		fingerprint)
}

// Sign returns an armored detached signature that is dated at a time; the zero time is now. The fingerprint
// of a subkey means this subkey.
func (r *Ring) Sign(fingerprint string, payload []byte, at time.Time) ([]byte, error) {
	return r.gpgAt(at, payload, "-bsau", fingerprint+"!")
}

// FakedProgram writes a program that is gpg at another time, for gpg.program, and returns its path.
func (r *Ring) FakedProgram(at time.Time) (string, error) {
	path := filepath.Join(r.Dir, "gpg-"+stamp(at))
	script := "#!/bin/sh\nexec gpg --faked-system-time " + stamp(at) + "! \"$@\"\n"
	return path, WriteProgram(path, script)
}

func (r *Ring) gpg(stdin []byte, args ...string) ([]byte, error) {
	return r.gpgAt(time.Time{}, stdin, args...)
}

func (r *Ring) gpgAt(at time.Time, stdin []byte, args ...string) ([]byte, error) {
	all := []string{"--batch", "--quiet", "--utf8-strings"}
	if !at.IsZero() {
		all = append(all, "--faked-system-time", stamp(at)+"!")
	}
	return run(r.Dir, r.Env(), stdin, "gpg", append(all, args...)...)
}

// stamp is a time as gpg reads it.
func stamp(at time.Time) string {
	return at.UTC().Format("20060102T150405")
}
