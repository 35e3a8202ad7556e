// Package signer asks the programs that hold a user's keys for signatures and public keys, with the arguments
// that git itself uses.
//
// Whatever signs for `git tag -s` signs here too: gpg, gpgsm, ssh-keygen, agents, cards, and the helpers that
// people name in gpg.program. The package never uses a private key itself and never asks for a passphrase; a
// program may do so, as it would under git. It promises that a program gets no input but the payload, ends
// within a time limit, and that no output is taken without a bound. It reads no configuration, and programs
// see the environment that the caller hands in and no other.
package signer

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// Format is a kind of signature, named as gpg.format names it.
type Format string

// The formats that git knows.
const (
	OpenPGP Format = "openpgp"
	SSH     Format = "ssh"
	X509    Format = "x509"
)

// Config says which program signs, with which key.
type Config struct {
	Format  Format // Format is OpenPGP where it is empty.
	Program string // Program is gpg.<format>.program; "" is gpg, ssh-keygen or gpgsm.
	// Key is user.signingKey as it stands, with "~" expanded where it is a path; "" is the default key.
	Key               string
	DefaultKeyCommand string // DefaultKeyCommand is gpg.ssh.defaultKeyCommand.
	Identity          string // Identity is the committer, "Name <mail>": the default key of OpenPGP and x509.
	Dir               string // Dir is where programs run, and what a relative Program or Key is relative to.
	// Env is the whole environment of the programs. It keeps the user's locale: gpg reads a name of a key by
	// it.
	Env     []string
	Timeout time.Duration // Timeout ends a program that takes longer; zero is 30 seconds.
	// Unattended lets no program ask a person: not for a passphrase, at a terminal or in a window, and not
	// for a touch.
	Unattended bool
}

const (
	defaultTimeout = 30 * time.Second
	signatureLimit = 64 << 10
)

// Sign returns an armored detached signature of the payload that git can verify. It ends with a newline.
// It returns [ErrNoKey], [ErrNoProgram], [ErrTimeout] or a [*ProgramError] that say why there is none.
func Sign(ctx context.Context, c Config, payload []byte) ([]byte, error) {
	signWith := c.signStream
	if c.Format == SSH {
		signWith = c.signFile
	}
	signature, err := signWith(ctx, payload)
	if err != nil {
		return nil, err
	}
	// Git finds nothing else behind a payload.
	signature = bytes.ReplaceAll(signature, []byte("\r\n"), []byte("\n"))
	for _, marker := range []string{"PGP SIGNATURE", "PGP MESSAGE", "SIGNED MESSAGE", "SSH SIGNATURE"} {
		if !bytes.HasPrefix(signature, []byte("-----BEGIN "+marker+"-----\n")) {
			continue
		}
		if !bytes.HasSuffix(signature, []byte("\n")) {
			signature = append(signature, '\n')
		}
		return signature, nil
	}
	return nil, c.noSignature("")
}

// signStream signs as gpg and gpgsm do, which read standard input and report on standard error.
func (c Config) signStream(ctx context.Context, payload []byte) ([]byte, error) {
	key := cmp.Or(c.Key, c.Identity)
	if key == "" {
		return nil, ErrNoKey
	}
	args := []string{"--status-fd=2", "-bsau", key}
	if name := strings.TrimSuffix(filepath.Base(c.SignerProgram()), ".exe"); c.Unattended &&
		slices.Contains([]string{"gpg", "gpg2", "gpgsm"}, name) {
		args = append([]string{"--batch", "--pinentry-mode=error"}, args...)
	}
	done, err := c.runProgram(ctx,
		call{program: c.SignerProgram(), args: args, stdin: payload, limit: signatureLimit})
	if err != nil {
		return nil, err
	}
	if !done.created {
		return nil, c.noSignature(done.stderr)
	}
	return done.stdout, nil
}

// noSignature is the error for a program that ended well without a signature.
func (c Config) noSignature(stderr string) error {
	return &ProgramError{Program: clean.Line(c.SignerProgram()), Stderr: stderr}
}

// SignerProgram is the name of the program that signs.
func (c Config) SignerProgram() string {
	switch {
	case c.Program != "":
		return c.Program
	case c.Format == SSH:
		return sshKeygen
	case c.Format == X509:
		return "gpgsm"
	default:
		return "gpg"
	}
}
