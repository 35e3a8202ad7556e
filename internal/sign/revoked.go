package sign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// krlMagic begins a binary key revocation list of OpenSSH.
const krlMagic = "SSHKRL\n\x00"

// Revocations is a set of keys that were taken back, whatever the time of a signature.
type Revocations struct {
	fingerprints map[string]bool // "SHA256:..." of SSH, upper-case hexadecimal of OpenPGP
	opaque       bool
}

// ParseRevocations reads one key a line: an SSH public key, the SHA256 fingerprint of one, or the fingerprint
// of an OpenPGP key or subkey; # begins a comment. A line that cannot be read is a problem. A binary
// revocation list of OpenSSH is not read here: the result is opaque.
func ParseRevocations(text []byte) (Revocations, []Problem) {
	if bytes.HasPrefix(text, []byte(krlMagic)) {
		return Revocations{opaque: true}, nil
	}
	r := Revocations{fingerprints: map[string]bool{}}
	return r, readLines(text, r.addLine)
}

func (r Revocations) addLine(line string) error {
	if key, ok := readKey(line); ok {
		if cert, ok := key.(*ssh.Certificate); ok {
			key = cert.Key // as ssh-keygen shows it
		}
		r.fingerprints[ssh.FingerprintSHA256(key)] = true
		return nil
	}
	line, _, _ = strings.Cut(line, "#")
	if fields := strings.Fields(line); len(fields) > 0 && isSSHFingerprint(fields[0]) {
		r.fingerprints[fields[0]] = true
		return nil
	}
	hex := strings.ToUpper(strings.Join(strings.Fields(line), ""))
	hex = strings.TrimPrefix(hex, "0X")
	if !isHex(hex, 40) && !isHex(hex, 64) {
		return errors.New("it is neither a key nor a fingerprint")
	}
	r.fingerprints[hex] = true
	return nil
}

func isSSHFingerprint(s string) bool {
	text, ok := strings.CutPrefix(s, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(text)
	return ok && err == nil && len(sum) == 32
}

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789ABCDEF") == ""
}

// Opaque tells that the file is one that only OpenSSH can read, so that no SSH signature can be judged here.
func (r Revocations) Opaque() bool { return r.opaque }

// Lines returns the fingerprints in order.
func (r Revocations) Lines() []string {
	return slices.Sorted(maps.Keys(r.fingerprints))
}

// Holds tells whether a fingerprint is listed, of an SSH key as "SHA256:...", of an OpenPGP key in upper-case
// hexadecimal.
func (r Revocations) Holds(fingerprint string) bool {
	return r.fingerprints[fingerprint]
}
