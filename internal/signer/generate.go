package signer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// publicLimit bounds the file of a public key.
const publicLimit = 16 << 10

// Generate makes an ed25519 key for SSH without a passphrase and returns its public line, which stands in path.pub
// too. It makes the directory, for the user alone, where there is none. It never writes over a file: then the error
// is [fs.ErrExist].
func Generate(ctx context.Context, c Config, path, comment string) (public string, err error) {
	path = c.absolute(path)
	if clean(comment) != comment {
		return "", errors.New("comment of a key holds control characters")
	}
	for _, file := range []string{path, path + ".pub"} {
		if _, err := os.Lstat(file); err == nil {
			return "", fmt.Errorf("make key %q: %w", file, fs.ErrExist)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("make key: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	args := []string{"-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path}
	if _, err := c.run(ctx, call{program: sshKeygen, args: args, limit: messageLimit}); err != nil {
		return "", fmt.Errorf("make key %q: %w", path, err)
	}
	line, err := ReadPublic(path + ".pub")
	if err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	return line, nil
}

// ReadPublic returns the line of a file that holds a public key.
func ReadPublic(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > publicLimit {
		return "", fmt.Errorf("read %q: not the file of a public key", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimSpace(line)
	kind, _, found := strings.Cut(line, " ")
	for _, prefix := range []string{"ssh-", "ecdsa-", "sk-"} {
		if found && strings.HasPrefix(kind, prefix) {
			return line, nil
		}
	}
	return "", fmt.Errorf("read %q: not the file of a public key", path)
}

// Public is what can be told of a key without using it.
type Public struct {
	// Fingerprint is "SHA256:<base64>" for SSH and the upper-case fingerprint of the primary key for OpenPGP and x509.
	Fingerprint string
	Line        string // Line is the public key as a line, for SSH; empty where only the fingerprint is known.
}

// Fingerprint tells which key would sign, without a passphrase. It returns [ErrNoKey] where there is none.
func (c Config) Fingerprint(ctx context.Context) (Public, error) {
	switch c.Format {
	case SSH:
		key, err := c.sshKey(ctx)
		if err != nil {
			return Public{}, err
		}
		if literal, ok := LiteralKey(key); ok {
			fingerprint, err := c.sshFingerprint(ctx, "-", []byte(literal+"\n"))
			return Public{Fingerprint: fingerprint, Line: strings.TrimSpace(literal)}, err
		}
		path := c.absolute(key)
		for _, file := range []string{path, path + ".pub"} {
			if line, err := ReadPublic(file); err == nil {
				fingerprint, err := c.sshFingerprint(ctx, file, nil)
				return Public{Fingerprint: fingerprint, Line: line}, err
			}
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return Public{}, fmt.Errorf("look for the key %q: %w", clean(filepath.Base(path)), ErrNoKey)
		}
		fingerprint, err := c.sshFingerprint(ctx, path, nil)
		return Public{Fingerprint: fingerprint}, err
	case "", OpenPGP, X509:
		return c.secretKey(ctx)
	default:
		return Public{}, fmt.Errorf("signature format %q: %w", c.Format, ErrFormat)
	}
}

// secretKey asks gpg or gpgsm for the secret key that the setting means.
func (c Config) secretKey(ctx context.Context) (Public, error) {
	name := c.Key
	if name == "" {
		name = c.Identity
	}
	if name == "" {
		return Public{}, ErrNoKey
	}
	if c.Format != X509 {
		if ok, err := c.hasKeyring(); err != nil || !ok {
			return Public{}, errors.Join(err, ErrNoKey)
		}
	}
	args := []string{"--batch", "--with-colons", "--list-secret-keys", "--", name}
	done, err := c.run(ctx, call{program: c.SignerProgram(), args: args, limit: keyringLimit})
	if _, ok := errors.AsType[*ProgramError](err); ok {
		return Public{}, fmt.Errorf("look for the secret key: %w: %w", ErrNoKey, err)
	}
	if err != nil {
		return Public{}, fmt.Errorf("look for the secret key: %w", err)
	}
	for line := range strings.Lines(string(done.stdout)) {
		if f := strings.Split(line, ":"); f[0] == "fpr" && len(f) > 9 {
			return Public{Fingerprint: strings.ToUpper(f[9])}, nil
		}
	}
	return Public{}, fmt.Errorf("look for the secret key: %w", ErrNoKey)
}

// sshFingerprint asks ssh-keygen, which reads the public part of a locked private key too.
func (c Config) sshFingerprint(ctx context.Context, file string, stdin []byte) (string, error) {
	done, err := c.run(ctx, call{program: sshKeygen, args: []string{"-l", "-E", "sha256", "-f", file}, stdin: stdin, limit: messageLimit})
	if err != nil {
		return "", fmt.Errorf("read the fingerprint: %w", err)
	}
	for field := range strings.FieldsSeq(string(done.stdout)) {
		if strings.HasPrefix(field, "SHA256:") {
			return field, nil
		}
	}
	return "", fmt.Errorf("read the fingerprint: %w", ErrNoKey)
}
